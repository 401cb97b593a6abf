"""Front matter: its fields are those of the document, and nothing of it is in the text."""

import pytest

from remem.core.chunking.front_matter import body_start, read_front_matter
from remem.core.chunking.split import split
from remem.core.documents.ingest import ingest
from remem.core.documents.model import Draft
from remem.core.documents.read import get_document
from remem.core.enrich.rules import enrich
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.search.model import Query
from remem.core.search.recall import recall

BODY = "The heron stood on one leg by the mill pond for an hour."
FORMS = {
    "yaml list": "---\ntitle: Heron\ntags:\n  - birds\n  - mill pond\ndate: 2026-03-04\n---\n",
    "yaml flow": "---\ntitle: 'Heron'\ntags: [birds, \"mill pond\"]\ncreated: 2026-03-04\n---\n",
    "yaml over lines": "---\nTitle: Heron\nTags: [birds,\n  mill pond]\nDate: 2026-03-04\n...\n",
    "toml": '+++\ntitle = "Heron"\ntags = ["birds", "mill pond"]\ndate = 2026-03-04\n+++\n',
    "toml tables": '+++\ntitle = "Heron"\ndate = 2026-03-04T08:00:00Z\n[taxonomies]\n'
    'tags = ["birds", "mill pond"]\n+++\n',
    "toml in dashes": '---toml\ntitle = "Heron"\ntags = ["birds", "mill pond"]\n'
    "date = 2026-03-04\n---\n",
    "json": '{\n "title": "Heron",\n "tags": ["birds", "mill pond"],\n "date": "2026-03-04"\n}\n',
    "org": "#+TITLE: Heron\n#+FILETAGS: birds, mill pond\n#+DATE: 2026-03-04\n",
    "properties": "title:: Heron\ntags:: birds, mill pond\ndate:: 2026-03-04\n",
    "comment": "<!--\ntitle: Heron\ntags: birds, mill pond\ndate: 2026-03-04\n-->\n",
    "german": "---\nTitel: Heron\nSchlagwörter: birds, mill pond\nDatum: 4.3.2026\n---\n",
    "byte order": "\ufeff---\ntitle: Heron\ntags: birds; mill pond\ndate: 2026-03-04\n---\n",
}


@pytest.mark.parametrize("form", FORMS)
def test_front_matter_in_any_form(form: str) -> None:
    text = f"{FORMS[form]}\n{BODY}"
    found = enrich(text, "markdown", None, {})
    assert (found.title, found.own_tags) == ("Heron", ("birds", "mill pond"))
    assert (found.published_at or "")[:10] == "2026-03-04"
    assert found.summary == BODY
    [piece] = split(text, "markdown")
    assert (piece.content, piece.heading_path) == (BODY, ())
    assert text[piece.start : piece.end] == BODY


@pytest.mark.parametrize(
    "text",
    [
        "---\nThe storm came.\n\nIt was loud.\n---\nThen it went.",
        "---\n---\nTwo rules.",
        "Milk: two litres\nBread: one loaf\n\nBring a bag.",
        '{"a": 1}\n{"b": 2}',
        '{"title": "only data"}',
        "<!-- a remark -->\nText.",
        "note:: of nothing known\nText.",
        "---\ntitle: nothing below\n---\n",
    ],
)
def test_what_is_no_front_matter_stays_text(text: str) -> None:
    assert body_start(text) == 0


def test_front_matter_is_read_in_time() -> None:
    for text in ("---\n" + "a: b\n" * 40_000, "title:: x\n" * 40_000, "{" * 100_000):
        read_front_matter(text)


@pytest.mark.anyio
async def test_front_matter_is_in_no_chunk_and_its_tags_are_the_documents(
    ports: Ports, scope: Scope
) -> None:
    text = f"---\ntitle: Heron\ntags: [birds, Mill Pond]\nstatus: zebrafinch\n---\n# Pond\n\n{BODY}"
    saved = await ingest(ports, scope, Draft(text, content_type="markdown", tags=["diary"]))
    full = await get_document(ports, scope, saved.document.id)
    assert full.document.tags == ["diary", "birds", "Mill Pond"]
    assert full.document.title == "Heron"
    assert [chunk.content for chunk in full.chunks] == [f"# Pond\n\n{BODY}"]
    assert [chunk.heading_path for chunk in full.chunks] == [["Pond"]]
    assert not (await recall(ports, scope, Query("zebrafinch", mode="fast"))).results
