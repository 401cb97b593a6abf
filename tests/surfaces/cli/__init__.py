"""The command line, run in a terminal and with pipes."""
