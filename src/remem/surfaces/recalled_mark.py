"""The tags that enclose recalled text, so that it is not saved again as part of a session."""

MARK = "remem-recalled"
# What the user pinned is enclosed in this one.
INSTRUCTIONS_MARK = "remem-instructions"
