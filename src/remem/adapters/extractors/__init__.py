"""Make text of files: one module a kind, a sniffer before them, a sandbox around them."""
