"""Recently deleted documents, which can be restored."""
