"""Tests of mail, against a real Dovecot."""
