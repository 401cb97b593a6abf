"""Bind a transaction to a caller: row-level security shows it what they may see."""

from remem.core.scope import Bound
from remem.core.transaction import SystemTx


def binding_sql(bound: Bound) -> str:
    """What a transaction begins with."""
    return f"{_owner_sql(bound)}; SET LOCAL remem.secret = '{_digest(bound.secret)}'" + (
        "; SET LOCAL remem.operator = 'on'" if bound.operator else ""
    )


async def bind(tx: SystemTx, bound: Bound) -> None:
    """Bind the transaction to a user it has just authenticated or created."""
    # A function that sets would not reach the other nodes of a distributed store.
    await tx.connection.execute(_owner_sql(bound))


def _owner_sql(bound: Bound) -> str:
    """Ids need no quoting, and neither do hex digests."""
    return (
        f"SET LOCAL remem.tenant_id = '{bound.tenant_id or ''}';"
        f" SET LOCAL remem.user_id = '{bound.user_id or ''}'"
    )


def _digest(secret: str | None) -> str:
    if secret and not all(char in "0123456789abcdef" for char in secret):
        raise ValueError("A bound secret is a hexadecimal digest.")
    return secret or ""
