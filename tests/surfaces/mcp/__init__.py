"""The MCP endpoint, tested with the official clients."""
