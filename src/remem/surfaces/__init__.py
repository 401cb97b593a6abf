"""The surfaces (REST, MCP, OAuth, command line, worker): parse, call one verb, render."""
