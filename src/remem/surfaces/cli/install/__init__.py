"""Add remem to the settings of assistants."""
