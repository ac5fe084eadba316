"""The coordinator over HTTP and WebSocket."""
