"""The check-up: what to fix in a store, the list behind each number, and an action to fix it."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field

from remem.core.backup.status import BackupStatus, backup_status
from remem.core.checkup.find import check_up, list_findings
from remem.core.checkup.fix import fix_findings, undo_fixes
from remem.core.checkup.model import FIX_LIMIT, Action, FindingKind, FixOutcome, SubjectKind
from remem.core.ports import Ports
from remem.surfaces.rest.deps import PortsDep, Reader, Writer
from remem.surfaces.rest.fields import PageLimit
from remem.surfaces.rest.guard import Guarded
from remem.surfaces.rest.operator import IsOperator
from remem.surfaces.rest.shapes import Body, Moment

router = APIRouter(prefix="/v3", tags=["check-up"], route_class=Guarded)

Key = Annotated[str, Field(min_length=1, max_length=300)]


class FindingOut(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    kind: FindingKind
    count: int
    is_more: bool = Field(description="Whether there are more than `count`, which is a limit.")
    says: str = Field(description="What it means, in one sentence.")
    action: Action | None = Field(description="What `fix` does; null if it can do nothing.")


class CheckUpOut(BaseModel):
    findings: list[FindingOut] = Field(description="Empty if there is nothing to do.")


class FindingItemOut(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    key: str = Field(description="Names the item in a fix.")
    subject: SubjectKind
    id: str = Field(description="Of the memory, document or connection; else a name.")
    text: str
    detail: str
    other_id: str | None = Field(description="The one it is compared with, of the same kind.")
    at: Moment | None
    is_fixable: bool


class FindingPageOut(BaseModel):
    items: list[FindingItemOut]
    next_cursor: str | None


class FixIn(Body):
    keys: list[Key] = Field(min_length=1, max_length=FIX_LIMIT)


class UndoIn(Body):
    undo: list[Key] = Field(
        min_length=1, max_length=FIX_LIMIT, description="The `undo` of results of a fix."
    )


class FixResultOut(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    key: str
    undo: str | None = Field(description="Undoes this fix; null if there is nothing to undo.")
    error: str | None


class FixOut(BaseModel):
    done: int
    failed: int
    results: list[FixResultOut]


@router.get("/checkup", response_model=CheckUpOut)
async def overview(ports: PortsDep, caller: Reader, operator: IsOperator) -> CheckUpOut:
    """What there is to fix in your store, with a number and a sentence for each kind."""
    findings = await check_up(ports, caller, await _backups(ports, operator))
    return CheckUpOut(findings=[FindingOut.model_validate(finding) for finding in findings])


@router.post("/checkup/undo", response_model=FixOut)
async def undo(body: UndoIn, ports: PortsDep, caller: Writer) -> FixOut:
    """Undo fixes. Each succeeds or fails on its own."""
    return _fixed(await undo_fixes(ports, caller, body.undo))


@router.get("/checkup/{finding}", response_model=FindingPageOut)
async def items(
    finding: FindingKind,
    ports: PortsDep,
    caller: Reader,
    operator: IsOperator,
    limit: PageLimit = 50,
    cursor: Annotated[
        str | None, Query(max_length=300, description="The `next_cursor` of the previous page.")
    ] = None,
) -> FindingPageOut:
    """List the items of a finding."""
    backups = await _backups(ports, operator)
    page = await list_findings(ports, caller, finding, backups, cursor, limit)
    return FindingPageOut(
        items=[FindingItemOut.model_validate(item) for item in page.items], next_cursor=page.next
    )


@router.post("/checkup/{finding}/fix", response_model=FixOut)
async def fix(
    finding: FindingKind, body: FixIn, ports: PortsDep, caller: Writer, operator: IsOperator
) -> FixOut:
    """Fix items of a finding with its action. Each succeeds or fails on its own."""
    backups = await _backups(ports, operator)
    return _fixed(await fix_findings(ports, caller, finding, body.keys, backups))


async def _backups(ports: Ports, operator: bool) -> BackupStatus | None:
    return await backup_status(ports) if operator else None


def _fixed(outcomes: list[FixOutcome]) -> FixOut:
    results = [FixResultOut.model_validate(outcome) for outcome in outcomes]
    failed = sum(result.error is not None for result in results)
    return FixOut(done=len(results) - failed, failed=failed, results=results)
