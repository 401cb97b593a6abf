"""What a chunk repeats of the section before it helps to find it, and is not shown or read as part
of its own section."""

import pytest

from remem.core.answers.answer_question import _to_source
from remem.core.documents.ingest import ingest
from remem.core.documents.model import Draft
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.search.model import Hit, Query
from remem.core.search.recall import recall
from remem.surfaces.rest.agent.search_shapes import index_hit

pytestmark = pytest.mark.anyio


def section(name: str, last: str) -> str:
    walks = " ".join(f"{name} walked {n} kilometres along the canal that week." for n in range(30))
    return f"## {name}\n\n{walks} {last}"


async def hits_of(ports: Ports, scope: Scope) -> dict[str, Hit]:
    lena = section("Lena", "She must never eat hazelnuts.")
    text = f"# Family\n\n{lena}\n\n{section('Tom', 'He sings in a choir.')}"
    await ingest(ports, scope, Draft(text, content_type="markdown"))
    query = Query("who must never eat hazelnuts?", limit=10)
    found = await recall(ports, scope, query)
    hits = [hit for result in found.results for hit in result.hits if hit.chunk]
    return {hit.chunk.heading_path[-1]: hit for hit in hits if hit.chunk}


async def test_a_sentence_before_a_heading_is_found_with_what_follows_it(
    ports: Ports, scope: Scope
) -> None:
    tom = (await hits_of(ports, scope))["Tom"]
    assert tom.chunk
    assert "She must never eat hazelnuts." in tom.chunk.content
    assert tom.chunk.content[tom.chunk.repeated :].lstrip().startswith("## Tom")


async def test_what_is_repeated_is_not_read_or_shown_below_another_heading(
    ports: Ports, scope: Scope
) -> None:
    tom = (await hits_of(ports, scope))["Tom"]
    assert tom.chunk
    source = _to_source(tom)
    assert "hazelnuts" not in source.content
    end = source.start_offset + len(source.content)
    assert end == tom.chunk.end_offset
    assert "hazelnuts" not in index_hit(tom).snippet
