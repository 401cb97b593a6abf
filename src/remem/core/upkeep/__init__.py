"""What is done to many things at once: archive, forget what is past its time or meant."""
