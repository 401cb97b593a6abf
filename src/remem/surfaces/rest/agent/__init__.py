"""The dialect of agents, under /api."""
