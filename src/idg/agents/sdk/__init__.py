"""The SDK: agents play in a room of a server, or on an engine in the same process."""
