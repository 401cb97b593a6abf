"""Times in any language: the words of a phrase become symbols, and one grammar reads them."""
