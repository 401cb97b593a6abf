"""Scopes: parse and format them, and describe them to users."""

from remem.core.scope import Right

DEFAULT_RIGHTS = (Right.READ, Right.WRITE)

DESCRIPTIONS = {
    Right.READ: "Read everything you have saved: search it, open it, copy it out",
    Right.WRITE: "Save new things, and change or delete what is there",
    Right.ADMIN: "Manage your account: make keys, change your password, even delete everything",
}


def read_scopes(scope: str | None) -> frozenset[Right] | None:
    """Return the known scopes of those requested; unknown ones are ignored.

    Returns None if scopes were requested and none of them is known."""
    if not scope or not scope.strip():
        return frozenset(DEFAULT_RIGHTS)
    known = {str(right): right for right in Right}
    return frozenset(known[word] for word in scope.split() if word in known) or None


def write_scopes(rights: frozenset[Right]) -> str:
    return " ".join(str(right) for right in Right if right in rights)
