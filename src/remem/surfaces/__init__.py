"""The surfaces (REST, MCP, OAuth, command line, worker): each parses, calls one verb, renders."""
