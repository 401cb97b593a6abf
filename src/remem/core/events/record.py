"""Tell the audit trail what changed, in the transaction that changes it."""

from remem.core.events.store import record

__all__ = ["record"]
