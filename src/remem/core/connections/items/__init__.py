"""The items of a connection, and the document of each."""
