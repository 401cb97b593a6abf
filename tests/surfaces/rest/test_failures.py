"""Failures are reported on the document, on the job and by the command; saving again retries.
Only loopback addresses are contacted."""

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from tests.conftest import Server, start_server, stop_server
from tests.tools.folders import new_folder
from tests.tools.preloaded import run_remem
from tests.tools.site import Site, hang_up, page, redirect, serving
from tests.tools.waiting import until

PAGE = b"<html><body><article><p>The lighthouse keeper counts gulls.</p></article></body></html>"


@pytest.fixture(scope="module")
def fetching_server() -> Iterator[Server]:
    """A server that may fetch from this machine."""
    folder = new_folder()
    server = start_server(
        folder, module="tests.tools.quick_retries", REMEM_FETCH_PRIVATE='["127.0.0.1"]'
    )
    yield server
    stop_server(server)
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def http(fetching_server: Server) -> Iterator[httpx2.Client]:
    headers = {"Authorization": f"Bearer {fetching_server.owner_key}"}
    with httpx2.Client(base_url=fetching_server.url, headers=headers, timeout=60) as client:
        yield client


@pytest.fixture
def site() -> Iterator[Site]:
    with serving(Site()) as site:
        yield site


def save(http: httpx2.Client, url: str) -> dict[str, Any]:
    reply = http.post("/v1/documents", json={"url": url})
    assert reply.status_code == 202, reply.text
    return reply.json()


def job_of(http: httpx2.Client, saved: dict[str, Any]) -> dict[str, Any]:
    def finished() -> dict[str, Any] | None:
        job = http.get(f"/v3/jobs/{saved['job_id']}").json()
        return job if job["status"] in ("completed", "failed") else None

    return until(finished)


def document_of(http: httpx2.Client, saved: dict[str, Any]) -> dict[str, Any]:
    return http.get(f"/v1/documents/{saved['id']}").json()


REASONS = {
    "/gone": (page(b"", 404), "has no such page (status 404)"),
    "/shut": (page(b"", 403), "does not show this page to everyone (status 403)"),
    "/down": (page(b"", 500), "cannot answer now (status 500)"),
    "/inside": (redirect("http://10.0.0.1/"), "not on the public internet"),
    "/loop": (redirect("/loop"), "redirects more than 5 times"),
    "/large": (page(Content_Length="30000000"), "larger than 20 MB"),
    "/cut": (hang_up, "closed the connection early"),
    "/program": (page(b"\x7fELF\x02\x01\x01" + b"\x00\xff" * 500), "file"),
}


def test_every_page_that_cannot_be_fetched_reports_why(http: httpx2.Client, site: Site) -> None:
    for path, (answer, _) in REASONS.items():
        site.pages[path] = answer
    saved = {path: save(http, f"{site.url}{path}") for path in REASONS}
    for path, (_, reason) in REASONS.items():
        job, document = job_of(http, saved[path]), document_of(http, saved[path])
        assert (job["status"], job["stage"]) == ("failed", "failed"), path
        assert document["status"] == "failed", path
        assert reason in job["error"] and job["error"] == document["error_message"]
        assert job["attempts"] == 1 and job["finished_at"]


def test_a_failed_page_is_retried_when_it_is_saved_again(http: httpx2.Client, site: Site) -> None:
    """First nothing answers, then the answer is not a page, then it is one."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/page"
        first = save(http, url)
        assert "refused the connection" in job_of(http, first)["error"]
        again = save(http, url)
    assert again["id"] == first["id"] and again["job_id"] != first["job_id"]
    assert job_of(http, again)["status"] == "failed"
    url = f"{site.url}/page"
    site.pages["/page"] = page(b"\x7fELF\x02\x01\x01" + b"\x00\xff" * 500)
    unreadable = save(http, url)
    assert job_of(http, unreadable)["status"] == "failed"
    site.pages["/page"] = page(PAGE, Content_Type="text/html")
    readable = save(http, url)
    assert readable["id"] == unreadable["id"]
    assert job_of(http, readable)["status"] == "completed"
    assert document_of(http, readable)["error_message"] is None
    results = http.post("/v3/recall", json={"query": "lighthouse keeper"}).json()["results"]
    assert [result["document_id"] for result in results] == [readable["id"]]


def test_a_failed_file_is_retried_when_it_is_uploaded_again(http: httpx2.Client) -> None:
    file = {"file": ("broken.pdf", b"%PDF-1.7\nthis is not one\x00")}
    first = http.post("/v3/documents/upload", files=file).json()
    assert job_of(http, first)["status"] == "failed"
    again = http.post("/v3/documents/upload", files=file)
    assert again.status_code == 202
    assert again.json()["id"] == first["id"] and again.json()["job_id"] != first["job_id"]
    assert job_of(http, again.json())["status"] == "failed"


def test_the_command_reports_the_failure_and_exits_with_1(fetching_server: Server) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        completed = remem(fetching_server, "save", f"http://127.0.0.1:{free.getsockname()[1]}/")
    assert completed.returncode == 1
    assert "refused the connection" in completed.stderr
    assert completed.stdout == ""


def remem(server: Server, *words: str) -> subprocess.CompletedProcess[str]:
    access = ("--url", server.url, "--key", server.owner_key)
    return run_remem(*words, *access, env=dict(os.environ), timeout=120)
