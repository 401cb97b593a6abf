"""Record a change in the audit trail, in the transaction that makes it."""

from remem.core.events.event_store import record, record_all

__all__ = ["record", "record_all"]
