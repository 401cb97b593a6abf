"""The SQL definition of what is current, for every search, list, count, graph and profile."""

_NOT_DELETED = "{0}deleted_at IS NULL"
# A part of a memory belongs to it and is not searchable on its own.
_TOP_LEVEL = f"{_NOT_DELETED} AND {{0}}part_of IS NULL"
_ACTIVE = "{0}is_current AND {0}state = 'active'"
_SHOWN = f"{_ACTIVE} AND {_TOP_LEVEL}"
_STARTED = "({0}valid_from IS NULL OR {0}valid_from <= now())"
_NOT_ENDED = "({0}valid_until IS NULL OR {0}valid_until > {1})"
_LATEST = "{0}is_latest"
_NOT_EXPIRED = "({0}forget_after IS NULL OR {0}forget_after > now())"


def current_memories(alias: str = "") -> str:
    """Searchable memories: the current member of a chain, active, and valid now."""
    return _format(alias, f"{_SHOWN} AND {_STARTED} AND {_NOT_ENDED}")


def shown_memories(alias: str = "") -> str:
    """Memories that are searchable at some time; those that begin later or have ended are indexed
    too."""
    return _format(alias, _SHOWN)


def lasting_memories(alias: str = "") -> str:
    """Shown memories that have not ended; some begin later."""
    return _format(alias, f"{_SHOWN} AND {_NOT_ENDED}")


def ended_memories(alias: str = "") -> str:
    """Shown memories that are no longer valid."""
    return _format(alias, f"{_SHOWN} AND {{0}}valid_until <= now()")


def memories_at(alias: str, moment: str) -> str:
    """Memories that were valid at a moment, whether or not they are now. A memory that had been
    replaced by then was not valid; the link says when it was replaced."""
    condition = (
        f"{_TOP_LEVEL} AND {_NOT_ENDED} AND coalesce({{0}}valid_from, {{0}}created_at) <= {{1}}"
        " AND {0}state <> 'quarantined' AND NOT EXISTS (SELECT FROM links l"
        " WHERE l.tenant_id = {0}tenant_id AND l.to_kind = 'memory' AND l.to_id = {0}id"
        " AND l.relation = 'updates' AND l.valid_from <= {1})"
    )
    return _format(alias, condition, moment)


def latest_memories(alias: str = "") -> str:
    """The current members of chains, in any state."""
    return _format(alias, f"{{0}}is_current AND {_TOP_LEVEL}")


def active_memories(alias: str = "") -> str:
    """The active members of chains, including deleted ones and parts."""
    return _format(alias, _ACTIVE)


def top_level_memories(alias: str = "") -> str:
    """Memories of any version and state that are neither deleted nor parts of another memory."""
    return _format(alias, _TOP_LEVEL)


def replaced_memories(alias: str = "") -> str:
    """Earlier members of chains, which newer ones replaced."""
    return _format(alias, f"NOT {{0}}is_current AND {_TOP_LEVEL}")


def deleted_memories(alias: str) -> str:
    """Condition on the version of each forgotten memory that would be restored."""
    return f"{alias}.deleted_at IS NOT NULL AND {alias}.is_current AND {alias}.part_of IS NULL"


def undeleted_memories(alias: str = "") -> str:
    """Memories of any version and state that are not deleted, including parts."""
    return _format(alias, _NOT_DELETED)


def current_documents(alias: str = "") -> str:
    """Searchable documents: the latest version, unless it has expired."""
    return _format(alias, f"{_LATEST} AND {_NOT_EXPIRED}")


def latest_documents(alias: str = "") -> str:
    """Latest versions, including expired ones."""
    return _format(alias, _LATEST)


def unexpired_documents(alias: str = "") -> str:
    """Documents of any version that have not expired."""
    return _format(alias, _NOT_EXPIRED)


def expired_documents(alias: str = "") -> str:
    """Documents of any version that have expired; null for those that never expire."""
    return _format(alias, "{0}forget_after <= now()")


def is_shown(state: str, *, deleted: bool, part: bool) -> bool:
    """Apply `shown_memories` to a row that was read: an active memory is the current one of its
    chain."""
    return state == "active" and not deleted and not part


def _format(alias: str, condition: str, moment: str = "now()") -> str:
    return condition.format(f"{alias}." if alias else "", moment)
