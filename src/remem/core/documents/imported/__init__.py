"""Documents that are imported: as drafts, or as rows of a snapshot."""
