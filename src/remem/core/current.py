"""What is current: the one definition, as SQL, for every search, list, count, graph and profile."""

_KEPT = "{0}deleted_at IS NULL"
# A part of a memory is inside it, and not found by itself.
_WHOLE = f"{_KEPT} AND {{0}}part_of IS NULL"
_ACTIVE = "{0}is_current AND {0}state = 'active'"
_SHOWN = f"{_ACTIVE} AND {_WHOLE}"
_BEGUN = "({0}valid_from IS NULL OR {0}valid_from <= now())"
_LASTS = "({0}valid_until IS NULL OR {0}valid_until > {1})"
_LATEST = "{0}is_latest"
_REMEMBERED = "({0}forget_after IS NULL OR {0}forget_after > now())"


def current_memories(alias: str = "") -> str:
    """Memories that are found: the current member of a chain, active, and valid now."""
    return _named(alias, f"{_SHOWN} AND {_BEGUN} AND {_LASTS}")


def shown_memories(alias: str = "") -> str:
    """Memories that are found at some time: what begins later or has just ended is indexed too."""
    return _named(alias, _SHOWN)


def lasting_memories(alias: str = "") -> str:
    """Shown memories that have not ended; some begin later."""
    return _named(alias, f"{_SHOWN} AND {_LASTS}")


def ended_memories(alias: str = "") -> str:
    """Shown memories that are no longer valid."""
    return _named(alias, f"{_SHOWN} AND {{0}}valid_until <= now()")


def memories_at(alias: str, moment: str) -> str:
    """Memories that were valid at a moment, whether or not they are now: one that was replaced by
    then was not, and the link says from when on."""
    condition = (
        f"{_WHOLE} AND {_LASTS} AND coalesce({{0}}valid_from, {{0}}created_at) <= {{1}}"
        " AND {0}state <> 'quarantined' AND NOT EXISTS (SELECT FROM links l"
        " WHERE l.tenant_id = {0}tenant_id AND l.to_kind = 'memory' AND l.to_id = {0}id"
        " AND l.relation = 'updates' AND l.valid_from <= {1})"
    )
    return _named(alias, condition, moment)


def latest_memories(alias: str = "") -> str:
    """The current members of chains, active or put out of sight."""
    return _named(alias, f"{{0}}is_current AND {_WHOLE}")


def active_memories(alias: str = "") -> str:
    """The active members of chains, also of deleted ones, and parts."""
    return _named(alias, _ACTIVE)


def whole_memories(alias: str = "") -> str:
    """Memories of any version and state that are neither deleted nor parts of others."""
    return _named(alias, _WHOLE)


def replaced_memories(alias: str = "") -> str:
    """Earlier members of chains, which others replaced."""
    return _named(alias, f"NOT {{0}}is_current AND {_WHOLE}")


def kept_memories(alias: str = "") -> str:
    """Memories of any version and state that are not deleted, and their parts."""
    return _named(alias, _KEPT)


def current_documents(alias: str = "") -> str:
    """Documents that are found: the latest version, before its time to be forgotten."""
    return _named(alias, f"{_LATEST} AND {_REMEMBERED}")


def latest_documents(alias: str = "") -> str:
    """Latest versions, also those past their time."""
    return _named(alias, _LATEST)


def remembered_documents(alias: str = "") -> str:
    """Documents of any version that are not past their time, whether or not they are erased yet."""
    return _named(alias, _REMEMBERED)


def expired_documents(alias: str = "") -> str:
    """Documents of any version that are past their time; null where they have none."""
    return _named(alias, "{0}forget_after <= now()")


def is_shown(state: str, *, deleted: bool, part: bool) -> bool:
    """`shown_memories` of a row that is read already: an active one is the current of its chain."""
    return state == "active" and not deleted and not part


def _named(alias: str, condition: str, moment: str = "now()") -> str:
    return condition.format(f"{alias}." if alias else "", moment)
