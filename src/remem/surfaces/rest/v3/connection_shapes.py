"""The bodies and replies of connections, their items and runs."""

from dataclasses import asdict
from typing import Annotated
from uuid import UUID

from pydantic import BaseModel, Field

from remem.core.connections.check import AccountCheck
from remem.core.connections.connect import FIELD_LIMIT
from remem.core.connections.model import (
    CHOSEN_LIMIT,
    MAX_INTERVAL_S,
    MIN_INTERVAL_S,
    REFERENCE_LIMIT,
    Connection,
    ConnectionItem,
)
from remem.core.connections.usage import Usage, usage_of
from remem.core.ports import Ports
from remem.surfaces.rest.listing import UnreadableItems
from remem.surfaces.rest.shapes import Body, Moment, Reply

Reference = Annotated[str, Field(min_length=1, max_length=REFERENCE_LIMIT)]
Interval = Annotated[int, Field(ge=MIN_INTERVAL_S, le=MAX_INTERVAL_S)]
Fields = dict[str, Annotated[str, Field(max_length=FIELD_LIMIT)]]


class ConnectIn(Body):
    fields: Fields = Field(
        default_factory=dict, description="The fields that `GET /v3/connectors` lists."
    )
    chosen: list[Reference] = Field(default_factory=list, max_length=CHOSEN_LIMIT)
    project: str | None = Field(default=None, description="A name or path; created on first use.")
    interval_s: Interval | None = Field(default=None, description="Seconds between two syncs.")


class ConnectionPatch(Body):
    chosen: list[Reference] | None = Field(default=None, max_length=CHOSEN_LIMIT)
    project: str | None = None
    interval_s: Interval | None = None
    paused: bool | None = None


class RunOut(Reply):
    id: UUID
    trigger: str
    outcome: str | None = Field(description="Null while it is running.")
    error: str | None
    added: int
    updated: int
    deleted: int
    unchanged: int
    skipped: int
    errors: list[dict[str, str]] = Field(description="What was skipped and why, up to 100.")
    started_at: Moment
    ended_at: Moment | None


class UsageOut(BaseModel):
    """The usage of today (UTC)."""

    reads: int
    most_reads: int = Field(description="The daily limit.")
    usd: float = Field(description="The estimated charge of the service.")
    most_usd: float


class ConnectionOut(Reply):
    id: UUID
    provider: str
    account: str
    project: str
    project_id: UUID
    chosen: list[str]
    status: str
    error: str | None = Field(description="What is wrong and how to fix it.")
    items: int = Field(description="The number of items with a document.")
    problems: int = Field(description="The number of skipped items.")
    interval_s: int
    next_at: Moment | None
    last_synced_at: Moment | None
    created_at: Moment
    updated_at: Moment
    usage: UsageOut | None = Field(description="Present if reading costs money.")


class ConnectionList(BaseModel):
    connections: list[ConnectionOut]
    unreadable: UnreadableItems


class ConnectionDetail(ConnectionOut):
    runs: list[RunOut] = Field(description="The last ten, newest first.")
    unreadable: UnreadableItems


class SyncOut(BaseModel):
    job_id: UUID
    run_id: UUID


class RemovedOut(BaseModel):
    job_id: UUID | None = Field(description="The job that erases the documents.")


class ItemOut(Reply):
    reference: str
    path: str | None
    document_id: UUID | None
    problem: str | None
    hidden: bool = Field(
        description="Whether its document was deleted here, so that it is not synced again."
    )


class ItemPage(BaseModel):
    items: list[ItemOut]
    next_cursor: str | None
    unreadable: UnreadableItems


class ResourceOut(Reply):
    reference: str
    name: str
    count: int | None
    has_children: bool


class ResourceList(BaseModel):
    resources: list[ResourceOut]
    next_cursor: str | None


class CheckOut(Reply):
    account: str
    seen: int = Field(description="The number of items on the first page.")
    more: bool = Field(description="Whether there are more pages.")
    paths: list[str] = Field(description="The paths of the first items.")
    resources: list[ResourceOut] = Field(description="What can be chosen.")
    usage: UsageOut | None = Field(
        description="The usage including this check, if reading costs money."
    )


def check_out(checked: AccountCheck) -> CheckOut:
    return CheckOut.of(
        checked,
        resources=[ResourceOut.of(resource) for resource in checked.resources],
        usage=usage_out(checked.usage),
    )


def usage_out(usage: Usage | None) -> UsageOut | None:
    return UsageOut(**asdict(usage)) if usage else None


def connection_out(ports: Ports, connection: Connection) -> ConnectionOut:
    return ConnectionOut.of(
        connection,
        project=connection.project_ref,
        items=connection.item_count,
        problems=connection.problem_count,
        usage=usage_out(usage_of(ports, connection)),
    )


def item_out(item: ConnectionItem) -> ItemOut:
    return ItemOut.of(item, hidden=item.hidden_at is not None)
