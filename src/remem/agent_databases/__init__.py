"""The databases in which coding agents keep their sessions."""
