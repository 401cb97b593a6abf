"""Whether two memories that are close in meaning may be merged.

`compare.py` decides; the other modules each look for one kind of difference."""
