"""All of remem with a real language model, the smallest there is.

The answers of such a model are nonsense, which makes this the hard case: every answer has its
shape, nothing false is stored as true, and everything is still stored and found."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from remem.bootstrap import open_ports
from remem.settings import Settings
from tests.conftest import Server, start_server, stop_server
from tests.tools.external import store_settings
from tests.tools.tiny_model import NAME, tiny_model
from tests.transfer.stores import wait_for_jobs

pytestmark = [pytest.mark.timeout(600), pytest.mark.anyio]
NOTE = "Marta keeps the spare key of the boathouse under the blue pot"
LETTER = (
    "I moved to Lindau in May 2024 and I work at the boatyard there. My sister Elsa lives in"
    " Bregenz and comes over on Sundays. We decided to sell the old dinghy before the winter. "
    "The yard closes on 20 December. I prefer the early ferry, because the late one is crowded."
    " The slipway was repaired with larch planks, and the crane lifts nine tons. "
)


@pytest.fixture
def server_with_model(data_dir: Path) -> Iterator[Server]:
    with tiny_model() as address:
        server = start_server(
            data_dir,
            REMEM_LLM_PROVIDER="openai",
            REMEM_LLM_URL=address,
            REMEM_LLM_MODEL=NAME,
            REMEM_DISTIL="true",
        )
        yield server
        stop_server(server)


async def test_a_note_and_a_document_are_stored_and_found(server_with_model: Server) -> None:
    headers = {"Authorization": f"Bearer {server_with_model.owner_key}"}
    with httpx2.Client(base_url=server_with_model.url, headers=headers, timeout=300) as http:
        note = http.post("/api/memories", json={"content": NOTE})
        # A save leaves the comparison with other memories to a job if the model is slow.
        assert note.status_code in (201, 202), note.text
        letter = http.post("/v3/memory", json={"content": LETTER, "metadata": {"role": "user"}})
        assert letter.status_code in (201, 202), letter.text
        derived = http.post(f"/api/memories/{note.json()['id']}/derive")
        assert derived.status_code in (200, 201), derived.text
        async with open_ports(Settings(**store_settings(server_with_model.data_dir))) as ports:
            await wait_for_jobs(ports, http.get("/v3/whoami").json()["organization_id"])
        results = http.get("/api/memories/search", params={"query": "spare key of the boathouse"})
        assert NOTE in results.text
        recalled = http.post("/v3/recall", json={"query": "crane tons slipway", "variants": True})
        assert "nine tons" in str(recalled.json()["results"][0])
        check_shapes(http, http.get(f"/v3/documents/{letter.json()['id']}").json())


def check_shapes(http: httpx2.Client, document: dict[str, Any]) -> None:
    assert document["content"].strip() == LETTER.strip()
    assert document["summary"]
    for topic in document["metadata"].get("topics", []):
        assert topic.casefold() in LETTER.casefold()
    exported = http.get("/v3/export").text
    assert NOTE in exported
