"""SQL of identity. Before the caller is known, `bound` alone binds the transaction."""

from collections.abc import Mapping
from uuid import UUID, uuid4

from remem.core.identity.model import (
    Member,
    Tenant,
    User,
)
from remem.core.scope import Bound, Right
from remem.core.transaction import Row, SystemTx, Tx

_USER = "id, email, name, password_hash IS NOT NULL AS has_password, created_at"


# Users


async def insert_user(
    tx: SystemTx, bound: Bound, email: str, name: str, password_hash: str | None
) -> User | None:
    row = await tx.fetchrow(
        f"INSERT INTO users (id, email, name, password_hash) VALUES ($1, $2, $3, $4)"
        f" ON CONFLICT (lower(email)) DO NOTHING RETURNING {_USER}",
        bound.user_id,
        email,
        name,
        password_hash,
    )
    return User(**dict(row)) if row else None


async def find_user(tx: SystemTx, bound: Bound) -> User | None:
    row = await tx.fetchrow(f"SELECT {_USER} FROM users WHERE id = $1", bound.user_id)
    return User(**dict(row)) if row else None


async def find_user_by_email(tx: SystemTx, email: str) -> User | None:
    row = await tx.fetchrow(f"SELECT {_USER} FROM users WHERE lower(email) = lower($1)", email)
    return User(**dict(row)) if row else None


async def lock_email(tx: SystemTx, email: str) -> None:
    """Serialise uses of an e-mail address, so that the second sees the first."""
    await tx.execute(
        "SELECT pg_advisory_xact_lock(hashtextextended('email:' || lower($1), 0))", email
    )


async def first_user(tx: SystemTx) -> User | None:
    row = await tx.fetchrow(f"SELECT {_USER} FROM users ORDER BY id LIMIT 1")
    return User(**dict(row)) if row else None


async def user_ids(tx: SystemTx, after: UUID | None, limit: int) -> list[UUID]:
    """A page of all users, in order."""
    rows = await tx.fetch(
        "SELECT id FROM users WHERE $1::uuid IS NULL OR id > $1 ORDER BY id LIMIT $2", after, limit
    )
    return [row["id"] for row in rows]


async def password_hash(tx: SystemTx, user_id: UUID) -> str | None:
    return await tx.fetchval("SELECT password_hash FROM users WHERE id = $1", user_id)


async def find_login(tx: SystemTx, email: str) -> Row | None:
    """One query whether or not there is such an account, so that timing reveals nothing."""
    return await tx.fetchrow(
        "SELECT id, password_hash FROM users WHERE lower(email) = lower($1)", email
    )


async def update_user(
    tx: SystemTx, bound: Bound, *, email: str | None = None, name: str | None = None
) -> User | None:
    row = await tx.fetchrow(
        "UPDATE users SET email = coalesce($2, email), name = coalesce($3, name),"
        f" updated_at = now() WHERE id = $1 RETURNING {_USER}",
        bound.user_id,
        email,
        name,
    )
    return User(**dict(row)) if row else None


async def replace_password(tx: SystemTx, bound: Bound, old_hash: str | None, new_hash: str) -> bool:
    """Set the password; False if the old one is no longer the one that was checked."""
    changed = await tx.fetchval(
        "UPDATE users SET password_hash = $3, updated_at = now()"
        " WHERE id = $1 AND password_hash IS NOT DISTINCT FROM $2 RETURNING true",
        bound.user_id,
        old_hash,
        new_hash,
    )
    return bool(changed)


async def delete_user(tx: SystemTx, bound: Bound) -> None:
    await tx.execute("DELETE FROM users WHERE id = $1", bound.user_id)


# Tenants and members


async def insert_tenant(tx: SystemTx, bound: Bound, kind: str, name: str, slug: str) -> Tenant:
    row = await tx.fetchrow(
        "INSERT INTO tenants (id, kind, name, slug) VALUES ($1, $2, $3, $4)"
        " RETURNING id, kind, name, slug, created_at",
        bound.tenant_id,
        kind,
        name,
        slug,
    )
    return Tenant(**dict(row), role="owner")


async def insert_subscription(tx: SystemTx, bound: Bound, id: UUID) -> None:
    await tx.execute(
        "INSERT INTO subscriptions (tenant_id, id) VALUES ($1, $2)", bound.tenant_id, id
    )


async def find_subscription(tx: Tx, *, lock: bool = False) -> Row | None:
    return await tx.fetchrow(
        "SELECT plan, memory_count, memory_limit, suspended_at FROM subscriptions"
        " WHERE tenant_id = $1" + (" FOR UPDATE" if lock else "")
    )


async def change_subscription(tx: Tx, values: Mapping[str, object]) -> None:
    """Every column in `values` is a field of `PlanChange`."""
    assignments = ", ".join(f"{name} = ${n}" for n, name in enumerate(values, start=2))
    await tx.execute(
        f"UPDATE subscriptions SET {assignments}, updated_at = now() WHERE tenant_id = $1",
        *values.values(),
    )
    # A trigger does this as well, but not where the tables are distributed.
    await tx.system.execute("UPDATE access_version SET version = $1", uuid4())


async def find_tenant(tx: Tx) -> Tenant | None:
    row = await tx.fetchrow("SELECT id, kind, name, slug, created_at FROM tenants WHERE id = $1")
    return Tenant(**dict(row)) if row else None


async def tenant_ids(tx: SystemTx, after: UUID | None, limit: int) -> list[UUID]:
    """A page of all tenants, in order; only for the operator."""
    rows = await tx.fetch(
        "SELECT id FROM tenants WHERE id > $1 ORDER BY id LIMIT $2", after or UUID(int=0), limit
    )
    return [row["id"] for row in rows]


async def tenants_of_user(tx: SystemTx, bound: Bound) -> list[Tenant]:
    rows = await tx.fetch(
        "SELECT t.id, t.kind, t.name, t.slug, t.created_at, m.role FROM members m"
        " JOIN tenants t ON t.id = m.tenant_id WHERE m.user_id = $1 ORDER BY t.kind DESC, t.id",
        bound.user_id,
    )
    return [Tenant(**dict(row)) for row in rows]


async def delete_tenant(tx: SystemTx, bound: Bound) -> None:
    # Jobs lock their project first, too.
    await tx.execute(
        "SELECT FROM projects WHERE tenant_id = $1 ORDER BY id FOR UPDATE", bound.tenant_id
    )
    await tx.execute("DELETE FROM tenants WHERE id = $1", bound.tenant_id)
    # A trigger does this as well, but not where the tables are distributed.
    await tx.execute(
        "INSERT INTO erased_tenants (id) SELECT $1 WHERE EXISTS (SELECT FROM vector_copies)"
        " ON CONFLICT DO NOTHING",
        bound.tenant_id,
    )
    await tx.execute("DELETE FROM vector_changes WHERE tenant_id = $1", bound.tenant_id)
    # Postings have no foreign key that deletes them. The tenant's rows go first, so they wait for
    # every job that reads one of them and may still add postings.
    await tx.execute("DELETE FROM postings WHERE tenant_id = $1", bound.tenant_id)


async def insert_member(tx: SystemTx, bound: Bound, id: UUID, user_id: UUID, role: str) -> bool:
    added = await tx.fetchval(
        "INSERT INTO members (tenant_id, id, user_id, role) VALUES ($1, $2, $3, $4)"
        " ON CONFLICT (tenant_id, user_id) DO NOTHING RETURNING true",
        bound.tenant_id,
        id,
        user_id,
        role,
    )
    return bool(added)


async def list_members(tx: SystemTx, bound: Bound) -> list[Member]:
    rows = await tx.fetch(
        "SELECT m.user_id, u.email, u.name, m.role, m.created_at FROM members m"
        " JOIN users u ON u.id = m.user_id WHERE m.tenant_id = $1 ORDER BY m.id",
        bound.tenant_id,
    )
    return [Member(**dict(row)) for row in rows]


async def lock_members(tx: SystemTx, bound: Bound) -> None:
    """Serialise changes of roles, so that an owner always remains."""
    await tx.execute("SELECT 1 FROM members WHERE tenant_id = $1 FOR UPDATE", bound.tenant_id)


async def set_role(tx: SystemTx, bound: Bound, user_id: UUID, role: str) -> None:
    await tx.execute(
        "UPDATE members SET role = $3, updated_at = now() WHERE tenant_id = $1 AND user_id = $2",
        bound.tenant_id,
        user_id,
        role,
    )


async def strip_right(tx: SystemTx, bound: Bound, user_id: UUID, right: Right) -> None:
    await tx.execute(
        "UPDATE api_keys SET scopes = array_remove(scopes, $3), updated_at = now()"
        " WHERE tenant_id = $1 AND user_id = $2",
        bound.tenant_id,
        user_id,
        str(right),
    )


async def delete_member(tx: SystemTx, bound: Bound, user_id: UUID) -> None:
    await tx.execute(
        "DELETE FROM members WHERE tenant_id = $1 AND user_id = $2", bound.tenant_id, user_id
    )


async def role_of(tx: SystemTx, bound: Bound, tenant_id: UUID) -> str | None:
    return await tx.fetchval(
        "SELECT role FROM members WHERE tenant_id = $1 AND user_id = $2", tenant_id, bound.user_id
    )
