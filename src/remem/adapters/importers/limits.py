"""Limits for reading other products' exports."""

from remem.adapters.extractors.limits import MEGABYTE

# Enough for a vault or an export with pictures. The ratio is checked too, to detect zip bombs.
UNPACKED_BYTES = 20_000 * MEGABYTE
MEMBERS = 200_000
# One conversation, bookmark or memory. Parsed, it takes about ten times its size.
VALUE_BYTES = 30 * MEGABYTE
HEAD_BYTES = 64_000
FIELD_CHARS = 2_000_000
