"""The knowledge-graph dialect."""
