"""Scopes as clients write them, and as people read them."""

from remem.core.scope import Right

USUAL = (Right.READ, Right.WRITE)

IN_WORDS = {
    Right.READ: "Read everything you have saved: search it, open it, copy it out",
    Right.WRITE: "Save new things, and change or delete what is there",
    Right.ADMIN: "Manage your account: make keys, change your password, even delete everything",
}


def read_scopes(written: str | None) -> frozenset[Right] | None:
    """The scopes we know of those asked for; what other servers call theirs is passed over.

    None when some were asked for and none of them is known."""
    if not written or not written.strip():
        return frozenset(USUAL)
    known = {str(right): right for right in Right}
    return frozenset(known[word] for word in written.split() if word in known) or None


def write_scopes(rights: frozenset[Right]) -> str:
    return " ".join(str(right) for right in Right if right in rights)
