"""Extract the text of files: one module per kind, a sniffer that chooses it, and a sandbox."""
