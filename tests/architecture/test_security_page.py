"""The limits in SECURITY.md are those of the code."""

import inspect
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from remem.adapters.analysis import processes as analysis
from remem.adapters.analysis.deadline import MOST_S, Deadline
from remem.adapters.extractors.sandbox import QUICK_S, SandboxedExtractor
from remem.adapters.fetch import dial, guarded
from remem.core import queued
from remem.core.documents import model as documents
from remem.core.identity import attempts, passwords
from remem.core.identity.register import EMAIL_LIMIT
from remem.core.jobs.run import HOUR_S
from remem.core.memories import model as memories
from remem.core.text import TITLE_LIMIT
from remem.core.transfer import export_limits, spool
from remem.core.validate import NEW, TAG_LIMIT, TAGS_LIMIT, URL_LIMIT
from remem.settings import BROWSER_KEYS, USER_KEYS, Settings
from remem.surfaces.cli.serving.bounds import ConnectionLimits
from remem.surfaces.rest import limits, live, readiness
from remem.surfaces.worker.jobs import JOBS

PAGE = Path(__file__).parents[2] / "SECURITY.md"


def default(name: str) -> Any:
    return Settings.model_fields[name].default


def hours(job: str) -> str:
    return f"{JOBS[job].deadline_s / HOUR_S:g} h"


def expected_limits() -> Mapping[str, str]:
    """The rows of the table by what they limit, with the limits that the code has."""
    bounds, sandbox = ConnectionLimits(), inspect.signature(SandboxedExtractor).parameters
    rate = default("rate_limit")
    file_bytes = sandbox["memory_bytes"].default
    tries = attempts
    return {
        "connections at once": f"{default('max_connections'):,} (`REMEM_MAX_CONNECTIONS`)",
        "headers of a request": f"{default('header_timeout_s'):g} s, {bounds.head_bytes:,} bytes",
        "pause between two requests": f"{default('idle_timeout_s'):g} s",
        "body that stops arriving": f"{default('stall_timeout_s'):g} s",
        "body without a credential": f"{limits.PUBLIC_BODY_BYTES:,} bytes",
        "body": f"{default('max_body_bytes'):,} bytes (`REMEM_MAX_BODY_BYTES`)",
        "file": f"{default('max_upload_bytes'):,} bytes (`REMEM_MAX_UPLOAD_BYTES`)",
        "import": f"{default('max_import_bytes'):,} bytes (`REMEM_MAX_IMPORT_BYTES`)",
        "requests a minute": f"{rate} a key (`REMEM_RATE_LIMIT`), {USER_KEYS * rate} a user,"
        f" {BROWSER_KEYS * rate} a user's browsers",
        "exports under way": f"{export_limits.EXPORTS_PER_USER} a user,"
        f" {export_limits.EXPORTS_IN_TOTAL} in all,"
        f" {spool.SPOOL_BYTES:,} bytes of temporary file each",
        "event streams at once": f"{live.MAX_READERS_PER_USER} a user, then {live.MAX_READERS} a"
        " server",
        "passwords a minute": f"{default('sign_in_limit')} an address,"
        f" {tries.ACCOUNT_TRIES_OF_ADDRESS} an account from one address,"
        f" {tries.ACCOUNT_TRIES} an account from new addresses",
        "accounts a minute": f"{default('registration_limit')} an address",
        "OAuth clients a minute": f"{default('client_registrations')} an address",
        "passwords waiting to be hashed": f"{passwords.MAX_WAITING}",
        "a readiness check": f"{readiness.DEADLINE_S:g} s",
        "text of a document, of a memory": f"{documents.CONTENT_LIMIT:,} and"
        f" {memories.CONTENT_LIMIT:,} characters",
        "`metadata`, `context`": f"{NEW.size:,} bytes, {NEW.keys:,} keys, {NEW.depth} levels",
        "tags": f"{TAGS_LIMIT} of {TAG_LIMIT} characters",
        "title, address, e-mail": f"{TITLE_LIMIT}, {URL_LIMIT:,} and {EMAIL_LIMIT} characters",
        "password": f"{passwords.PASSWORD_MIN} to {passwords.PASSWORD_MAX:,} characters",
        "a page: in all, one connection": f"{guarded.TIMEOUT_S:g} s, {dial.CONNECT_TIMEOUT_S:g} s",
        "a page: size, redirects": f"{guarded.MAX_BYTES:,} bytes, {guarded.MAX_REDIRECTS}",
        "reading a file": f"{sandbox['timeout_s'].default:g} s and {file_bytes:,} bytes of memory",
        "reading a text before the reply": f"{QUICK_S:g} s of processor time and more for a long"
        " one",
        "files read at once": f"{default('extract_processes')} (`REMEM_EXTRACT_PROCESSES`), and one"
        " more for an organization that has none",
        "analysis of a text": f"{Deadline().base_s:g} s and more for a long one,"
        f" at most {MOST_S:g} s,"
        f" {analysis.MEMORY_BYTES:,} bytes of memory",
        "an attempt at a job": f"{hours('distil_document')}; a document"
        f" {hours('process_document')}; an import or re-embedding {hours('import_store')}",
        "attempts at a job": f"{queued.ATTEMPTS}; {queued.ATTEMPTS_WHEN_DOWN:,} while something is"
        f" down; {queued.MAX_LOSSES} crashes",
    }


def table() -> dict[str, str]:
    section = PAGE.read_text(encoding="utf-8").partition("## Limits\n")[2].partition("\n## ")[0]
    rows = [line.split(" | ") for line in section.splitlines() if line.startswith("| ")]
    return {row[0].removeprefix("| "): row[1] for row in rows if row[0] != "| what"}


@pytest.mark.parametrize(("what", "limit"), expected_limits().items())
def test_a_limit_is_as_the_page_says(what: str, limit: str) -> None:
    assert table().get(what) == limit


def test_the_page_promises_no_other_limit() -> None:
    assert set(table()) == set(expected_limits())
    assert JOBS["reembed"].deadline_s == JOBS["import_store"].deadline_s
