"""Tests of mail with a real Dovecot."""
