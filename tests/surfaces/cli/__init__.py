"""The command line, run as a person or a program runs it."""
