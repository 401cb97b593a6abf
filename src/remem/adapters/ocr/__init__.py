"""What reads the text of pictures."""
