"""Whether two memories that are close in meaning may be merged: pure, and careful."""
