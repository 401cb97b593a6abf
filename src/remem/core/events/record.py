"""Tell the audit trail what changed, in the transaction that changes it."""

from remem.core.events.store import record, record_all

__all__ = ["record", "record_all"]
