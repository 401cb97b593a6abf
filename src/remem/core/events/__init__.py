"""The audit trail: one line for each change."""
