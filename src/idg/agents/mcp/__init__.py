"""An MCP server, so that language models can play: `idg mcp`, over standard input and output or over HTTP."""
