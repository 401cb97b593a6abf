"""Analysis of text takes work in proportion to the text: every regex, every rule."""
