"""What is current: the one definition, as SQL, for every search, list, count, graph and profile."""

# A part of a memory is inside it, and not found by itself.
_SHOWN = "{0}is_current AND {0}deleted_at IS NULL AND {0}state = 'active' AND {0}part_of IS NULL"


def current_memories(alias: str = "") -> str:
    """Memories that are found: the current member of a chain, active, and valid now."""
    return _named(
        alias,
        _SHOWN + " AND ({0}valid_from IS NULL OR {0}valid_from <= now())"
        " AND ({0}valid_until IS NULL OR {0}valid_until > now())",
    )


def shown_memories(alias: str = "") -> str:
    """Memories that are found at some time: what begins later or has just ended is indexed too."""
    return _named(alias, _SHOWN)


def current_documents(alias: str = "") -> str:
    """Documents that are found: the latest version, before its time to be forgotten."""
    return _named(alias, "{0}is_latest AND " + _remembered("{0}"))


def remembered_documents(alias: str = "") -> str:
    """Documents of any version that are not past their time, whether or not they are erased yet."""
    return _named(alias, _remembered("{0}"))


def _remembered(prefix: str) -> str:
    return f"({prefix}forget_after IS NULL OR {prefix}forget_after > now())"


def _named(alias: str, condition: str) -> str:
    return condition.format(f"{alias}." if alias else "")
