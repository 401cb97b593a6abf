"""remem: the memory of a person and of their AI assistants."""

import os

# The runtime of the local models would report its use to its maker; it looks here when it loads.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
