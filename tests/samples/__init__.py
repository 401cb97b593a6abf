"""Sample files of every kind, written on demand by well-known libraries."""
