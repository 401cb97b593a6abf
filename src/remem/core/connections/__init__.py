"""Accounts at other services that are read regularly: connect, choose, sync, disconnect."""
