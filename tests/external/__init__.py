"""`make test-external`: the suite on an ordinary PostgreSQL of Debian."""
