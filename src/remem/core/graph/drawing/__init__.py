"""The graph as it is drawn."""
