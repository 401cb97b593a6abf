"""The Python client on a real server: methods, resources, replies, threads and event loops."""

import asyncio
import inspect
import json
import pickle
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from io import BytesIO
from pathlib import Path

import pytest

import remem as package
from remem import AsyncRemem, Invalid, NotFound, Refused, Remem
from remem.client.answers import Recalled, Saved
from remem.client.nouns import AsyncDocuments, AsyncJobs, AsyncMemories, AsyncProjects
from tests.conftest import Person, Server


@pytest.fixture
def remem(server: Server, person: Person) -> Iterator[Remem]:
    with Remem(server.url, person.key) as client:
        yield client


def test_save_recall_context_and_forget(remem: Remem) -> None:
    saved = remem.save(
        "The ferry to Naxos leaves at 07:25.", title="Ferry", tags=["travel"], metadata={"seats": 2}
    )
    assert (saved.title, saved.status, saved.duplicate) == ("Ferry", "done", False)
    assert isinstance(saved.created_at, datetime)
    assert remem.save("The ferry to Naxos leaves at 07:25.").duplicate
    recalled = remem.recall("when does the boat leave?", limit=1)
    assert recalled.results[0].document_id == saved.id
    assert recalled.results[0].text == "The ferry to Naxos leaves at 07:25."
    assert recalled.results[0].metadata["seats"] == 2
    assert "07:25" in remem.context("when does the boat leave?", max_tokens=100)
    remem.forget(saved.id)
    assert remem.context("when does the boat leave?") == ""


def test_the_life_of_a_memory(remem: Remem) -> None:
    memories = remem.memories
    first = memories.save("Ines lives in Lisbon.", project="people", category="fact")
    assert (first.status, first.memory.project) == ("saved", "people")
    changed = memories.change(first.id, content="Ines lives in Porto.")
    assert changed.version == 2
    assert [version.content for version in memories.history(changed.id).versions] == [
        "Ines lives in Lisbon.",
        "Ines lives in Porto.",
    ]
    assert memories.search("where does Ines live?")[0].content == "Ines lives in Porto."
    remem.forget(changed.id)
    with pytest.raises(NotFound):
        memories.get(changed.id)
    assert memories.restore(changed.id).content == "Ines lives in Porto."
    other = memories.save("Ines rows on Sundays.", project="people")
    merged = memories.merge(
        [changed.id, other.id], content="Ines lives in Porto and rows on Sundays."
    )
    assert (merged.content, merged.version) == ("Ines lives in Porto and rows on Sundays.", 2)
    profile = remem.profile("Ines", project="people")
    assert merged.content in [memory.content for memory in profile.relevant_memories]


def test_lists_read_every_page_and_can_be_stopped_early(remem: Remem) -> None:
    texts = ["Olaf keeps bees.", "The roof is slate.", "Mila plays chess.", "Tea grows in Assam."]
    ids = [remem.memories.save(text, project="pages").id for text in texts]
    listed = [memory.id for memory in remem.memories.list(project="pages", page_size=2)]
    assert listed == ids[::-1]
    assert next(remem.memories.timeline(project="pages", page_size=1)).id == ids[-1]
    saved = [remem.save(text).id for text in texts]
    assert [document.id for document in remem.documents.list(page_size=3)] == saved[::-1]


def test_documents_are_uploaded_awaited_changed_and_downloaded(
    remem: Remem, tmp_path: Path
) -> None:
    path = tmp_path / "boiler.md"
    path.write_text("# Boiler\n\nIt is bled with the square key.")
    by_path = remem.upload(path, metadata={"floor": 1}, tags=["house"], index_only=True)
    assert remem.documents.wait(by_path.id, timeout_s=60).status == "done"
    by_stream = remem.upload(BytesIO(b"The cellar is dry."), "cellar.txt", project="default")
    assert remem.finished(by_stream.id).status == "done"
    assert b"".join(remem.documents.original(by_path.id)) == path.read_bytes()
    assert remem.documents.get(by_path.id).metadata["floor"] == 1
    changed = remem.documents.change(by_path.id, content="It is bled with the round key.")
    versions = remem.documents.get(changed.id, versions=True).versions
    assert versions is not None
    assert [version.version for version in versions] == [2, 1]
    assert by_path.id not in [document.id for document in remem.documents.related(changed.id)]


def test_projects_identity_and_statistics(remem: Remem, person: Person) -> None:
    created = remem.projects.create("Notes", slug="work.notes")
    assert remem.projects.get("work.notes").id == created.id
    assert remem.projects.change(created.id, description="Mine.").description == "Mine."
    assert {"work", "work.notes"} <= {project.slug for project in remem.projects()}
    remem.projects.delete("work.notes")
    assert "work.notes" not in {project.slug for project in remem.projects.list()}
    assert remem.whoami().email == person.email
    assert remem.stats().total_documents == 0
    assert remem.health().status == "ok"


def test_an_export_can_be_imported(remem: Remem, server: Server, stranger: Person) -> None:
    remem.save("The spare key lies under the blue pot.")
    lines = list(remem.export())
    assert all(json.loads(line) for line in lines)
    with Remem(server.url, stranger.key) as other:
        started = other.bring_in(BytesIO(b"".join(lines)))
        job = other.jobs.wait(started.job_id, timeout_s=120)
        assert job.status == "completed", job.error
        assert "blue pot" in other.context("where is the key?")


def test_each_failure_has_its_own_error(remem: Remem, server: Server) -> None:
    with pytest.raises(Invalid) as invalid:
        remem.save("")
    assert (invalid.value.status, invalid.value.details["field"]) == (400, "content")
    with pytest.raises(NotFound) as missing:
        remem.document("01900000-0000-7000-8000-000000000000")
    assert missing.value.code == "not_found"
    with Remem(server.url, "mc_00000000000000000000000000000000") as unauthorized:
        with pytest.raises(Refused) as refused:
            unauthorized.whoami()
        assert refused.value.status == 401


@pytest.mark.anyio
async def test_it_works_in_and_beside_a_running_event_loop(remem: Remem) -> None:
    assert remem.save("Said while a loop was running.").status == "done"
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0)

    ticking = asyncio.create_task(tick())
    recalled = await remem.aside(lambda client: client.recall("loop"))
    ticking.cancel()
    assert recalled.total == 1
    assert ticks > 1


def test_threads_share_a_client(remem: Remem) -> None:
    texts = [f"Thread {n} was here with the number {n * 17}." for n in range(12)]
    with ThreadPoolExecutor(6) as pool:
        saved = list(pool.map(remem.save, texts))
    assert {document.status for document in saved} == {"done"}
    assert len({document.id for document in saved}) == 12


def test_closing_twice_and_calling_again(remem: Remem) -> None:
    remem.close()
    remem.close()
    assert remem.whoami().role == "owner"


@pytest.mark.anyio
async def test_the_async_client_has_the_same_methods(server: Server, person: Person) -> None:
    async with AsyncRemem(server.url, person.key) as client:
        saved = await client.save("Awaited.")
        assert [document.id async for document in client.documents.list()] == [saved.id]
        assert [project.slug for project in await client.projects()] == ["default"]


def test_the_sync_classes_have_every_method_of_the_async_ones() -> None:
    pairs = [(AsyncRemem, Remem), *_resource_classes()]
    for async_class, sync_class in pairs:
        methods = {name for name, _ in inspect.getmembers(async_class, inspect.isfunction)}
        public_methods = {name for name in methods if not name.startswith("_")}
        assert public_methods <= set(dir(sync_class)), async_class


def _resource_classes() -> list[tuple[type, type]]:
    from remem.client.blocking import Documents, Jobs, Memories, Projects

    return [
        (AsyncMemories, Memories),
        (AsyncDocuments, Documents),
        (AsyncProjects, Projects),
        (AsyncJobs, Jobs),
    ]


def test_a_method_keeps_its_signature_and_docstring(remem: Remem) -> None:
    assert list(inspect.signature(remem.context).parameters) == ["question", "max_tokens", "fields"]
    assert "packed into a text" in (remem.context.__doc__ or "")


def test_a_reply_is_a_dict_with_every_field_that_was_sent() -> None:
    reply = {"id": "1", "created_at": "2026-11-15T09:00:00Z", "brand_new": {"x": 1}}
    saved = Saved(reply)
    assert saved == reply
    assert json.loads(json.dumps(saved)) == reply
    assert saved.created_at.year == 2026
    assert saved.brand_new == {"x": 1}
    assert saved.summary is None
    assert pickle.loads(pickle.dumps(saved)).id == "1"
    with pytest.raises(AttributeError, match="it has: id"):
        saved.titel  # noqa: B018
    recalled = Recalled({"results": [{"chunks": [{"content": "a", "score": 1}]}], "context": None})
    assert recalled.results[0].chunks[0].content == "a"


def test_importing_remem_loads_no_client() -> None:
    heavy = "{'httpx2', 'pydantic', 'fastapi', 'remem.client'} & set(sys.modules)"
    code = f"import remem, sys; print({heavy}); remem.Remem; print('remem.embedded' in sys.modules)"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout.split("\n")[:2] == ["set()", "False"]


def test_the_package_has_everything_in_its_all() -> None:
    for name in package.__all__:
        assert getattr(package, name).__name__ == name
    with pytest.raises(AttributeError, match="nothing_such"):
        package.nothing_such  # noqa: B018
