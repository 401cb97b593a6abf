"""A tenant whose vectors are moving to another model."""

from uuid import UUID

from remem.core.ports import Ports
from remem.core.scope import Scope
from tests.conftest import Person

# No process has it, so the job waits for one and the move stays where it is.
MODEL = "remem-multilingual-9"


async def begin_move(ports: Ports, person: Person, moved: int) -> None:
    """As if the job had moved some of the memories."""
    scope = Scope(tenant_id=UUID(person.tenant_id), user_id=UUID(person.user_id))
    async with ports.db.transaction(scope) as tx:
        await tx.execute("UPDATE vector_models SET moving_to = $2 WHERE tenant_id = $1", MODEL)
        await tx.execute(
            "UPDATE memories SET embedded_with = $2 WHERE tenant_id = $1 AND id IN"
            " (SELECT id FROM memories WHERE tenant_id = $1 ORDER BY id LIMIT $3)",
            MODEL,
            moved,
        )
