"""The plugs: one folder a socket, one module a vendor."""
