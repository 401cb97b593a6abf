"""MCP as its official clients speak it."""
