"""Pictures of the client's screens."""
