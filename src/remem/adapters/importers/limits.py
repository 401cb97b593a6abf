"""How much of another product's file is read, and why no more."""

from remem.adapters.extractors.limits import MEGABYTE

# A vault or an export with its pictures; the ratio that gives a bomb away is checked as well.
UNPACKED_BYTES = 20_000 * MEGABYTE
MEMBERS = 200_000
# One conversation, bookmark or memory. Parsed it takes some ten times its bytes.
VALUE_BYTES = 30 * MEGABYTE
HEAD_BYTES = 64_000
FIELD_CHARS = 2_000_000
