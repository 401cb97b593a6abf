"""The schema, as numbered SQL that only goes forward."""
