"""The adapters: one folder for each port, one module for each vendor."""
