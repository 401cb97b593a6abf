"""Record a question and its answer as turns of a session."""

from collections.abc import Sequence
from typing import Any

from remem.core.answers.model import Source
from remem.core.answers.reply import AskReply, AskRequest, Prepared
from remem.core.ports import Ports
from remem.core.projects.resolve import resolve_all
from remem.core.scope import Right, Scope
from remem.core.sessions.manage import open_in
from remem.core.sessions.model import NewSession, NewTurn, Session
from remem.core.sessions.turns import add_in
from remem.core.transaction import Tx

AGENT = "ask"


async def record_reply(
    ports: Ports, scope: Scope, prepared: Prepared, reply: AskReply, sources: Sequence[Source]
) -> Session | None:
    """Record both in one transaction, unless the caller only has read access."""
    request, session = prepared.request, prepared.session
    should_record = request.record and (session is not None or ports.records_sessions)
    if not should_record or Right.WRITE not in scope.rights:
        return session
    async with ports.db.transaction(scope) as tx:
        session = session or await _open_session(tx, request)
        await add_in(tx, session.id, _turns(reply, sources))
    return session


async def _open_session(tx: Tx, request: AskRequest) -> Session:
    """Open a session, in the project of the question if it has exactly one."""
    projects = await resolve_all(tx, request.project)
    project = projects[0] if projects and len(projects) == 1 else None
    new = NewSession(project, request.agent or AGENT, is_recorded=True)
    return (await open_in(tx, new))[0]


def _turns(reply: AskReply, sources: Sequence[Source]) -> list[NewTurn]:
    recalled = tuple(dict.fromkeys(source.id for source in sources))
    used = [
        id
        for quote in reply.quotes
        for id in (quote.source_id, quote.document_id)
        if id is not None
    ]
    details: dict[str, Any] = {"answer": summary_of(reply)}
    return [
        NewTurn("user", reply.asked, recalled),
        NewTurn("assistant", reply.text, (), tuple(dict.fromkeys(used)), details=details),
    ]


def summary_of(reply: AskReply) -> dict[str, Any]:
    """What a page needs to show the answer again; quotes are loaded again by their ids."""
    return {
        "kind": reply.kind,
        "known": reply.is_known,
        "value": reply.value,
        "claims": [{"text": claim.text, "quotes": list(claim.quotes)} for claim in reply.claims],
        "quotes": [
            {
                "number": quote.number,
                "kind": quote.kind,
                "id": str(quote.source_id),
                "documentId": str(quote.document_id) if quote.document_id else None,
                "memoryId": str(quote.memory_id) if quote.memory_id else None,
                "title": quote.title,
                "sentence": quote.sentence,
                "start": quote.start,
                "end": quote.end,
            }
            for quote in reply.quotes
        ],
    }
