"""Where answers are kept for a while."""
