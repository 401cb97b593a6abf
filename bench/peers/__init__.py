"""remem and its peers on the same texts: each peer in a process of its own."""
