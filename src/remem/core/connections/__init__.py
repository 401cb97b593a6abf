"""Accounts elsewhere that are read again and again: connect, choose, sync, disconnect."""
