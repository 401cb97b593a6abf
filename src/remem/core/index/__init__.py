"""The text and vector indexes, written beside the text they find."""
