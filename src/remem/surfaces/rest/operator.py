"""Whether the caller is the operator of this server, who may see what concerns all of it."""

from typing import Annotated

from fastapi import Depends, Request

from remem.core.scope import ALL_RIGHTS, Scope
from remem.surfaces.rest.deps import Caller


def is_operator(caller: Scope, owner: Scope | None) -> bool:
    """Whether it is the local owner in their own space, with a credential that has every right."""
    return (
        owner is not None
        and (caller.tenant_id, caller.user_id) == (owner.tenant_id, owner.user_id)
        and caller.rights >= ALL_RIGHTS
    )


async def get_is_operator(request: Request, caller: Caller) -> bool:
    return is_operator(caller, request.app.state.owner)


IsOperator = Annotated[bool, Depends(get_is_operator)]
