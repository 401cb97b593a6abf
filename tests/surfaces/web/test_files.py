"""The built app over HTTP: caching, compression, and what a page may load."""

import re
from pathlib import Path

import httpx2
import pytest

from remem.surfaces.web.router import PAGES
from tests.conftest import Person, Server

ROUTES = Path(__file__).parents[3] / "web" / "src" / "routes.tsx"
ADDRESSES = [
    re.sub(r"\{(\w+)\}", lambda part: {"slug": "work.plans"}.get(part[1], "anything"), path)
    for path in PAGES
]


@pytest.fixture
def browser(server: Server) -> httpx2.Client:
    return httpx2.Client(base_url=server.url)


@pytest.fixture
def assets(browser: httpx2.Client) -> list[str]:
    addresses = re.findall(r'(?:src|href)="(/assets/[^"]+)"', browser.get("/").text)
    assert any(name.endswith(".js") for name in addresses)
    assert any(name.endswith(".css") for name in addresses)
    return addresses


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_page_is_the_app_and_is_never_cached(browser: httpx2.Client, address: str) -> None:
    reply = browser.get(address)
    assert reply.status_code == 200
    assert reply.headers["Content-Type"] == "text/html; charset=utf-8"
    assert reply.headers["Cache-Control"] == "no-store"
    assert '<div id="root">' in reply.text
    assert_strict(reply)


def test_every_page_of_the_app_can_be_loaded_by_its_address(browser: httpx2.Client) -> None:
    paths = re.findall(r'\bpage\(\s*"(/[^"]*)"', ROUTES.read_text())
    assert len(paths) > 20
    for path in paths:
        assert browser.get(re.sub(r":\w+", "anything", path)).status_code == 200, path


def assert_strict(reply: httpx2.Response) -> None:
    policy = dict(
        part.split(" ", 1) for part in reply.headers["Content-Security-Policy"].split("; ")
    )
    assert policy["default-src"] == policy["script-src"] == policy["style-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["object-src"] == "'none'"
    assert "unsafe" not in str(policy) and "http" not in str(policy) and "*" not in str(policy)
    assert reply.headers["X-Frame-Options"] == "DENY"
    assert reply.headers["X-Content-Type-Options"] == "nosniff"


def test_a_page_has_no_inline_script_or_style_or_external_resource(browser: httpx2.Client) -> None:
    page = browser.get("/dashboard").text
    assert not re.search(r"<script(?![^>]*\bsrc=)", page)
    assert not re.search(r"<style|\sstyle=|\son\w+=|https?://", page)
    assert page == browser.get("/login").text


def test_files_with_a_hash_in_their_name_are_cached_for_a_year(
    browser: httpx2.Client, assets: list[str]
) -> None:
    for name in assets:
        reply = browser.get(name)
        assert reply.status_code == 200
        assert reply.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert reply.headers["Content-Type"].startswith(("text/javascript", "text/css"))
        assert_strict(reply)


def test_files_are_compressed_on_request(browser: httpx2.Client, assets: list[str]) -> None:
    plain = browser.get(assets[0], headers={"Accept-Encoding": "identity"})
    compressed = browser.get(assets[0], headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in plain.headers
    assert compressed.headers["Content-Encoding"] == "gzip"
    assert compressed.headers["Vary"] == "Accept-Encoding"
    assert int(compressed.headers["Content-Length"]) < int(plain.headers["Content-Length"])
    assert compressed.content == plain.content


@pytest.mark.parametrize(
    "address",
    [
        "/nothing",
        "/dashboard/more",
        "/projects/a/b/c",
        "/assets/none.js",
        "/assets/..%2findex.html",
        "/assets/%2e%2e/%2e%2e/app.py",
        "/assets/.sources",
        "/.sources",
        "/index.html",
        "/v3/nothing",
        "/api/v3/nothing",
    ],
)
def test_other_addresses_are_not_the_app(browser: httpx2.Client, address: str) -> None:
    reply = browser.get(address)
    assert reply.status_code in (401, 404), address
    assert "root" not in reply.text
    assert reply.json()["code"] in ("not_found", "unauthenticated")


def test_a_page_accepts_only_get(browser: httpx2.Client) -> None:
    assert browser.head("/dashboard").status_code == 200
    assert browser.post("/dashboard").status_code == 405


def test_v3_has_a_second_prefix(person: Person, browser: httpx2.Client) -> None:
    saved = person.post("/api/v3/memory", {"content": "The ferry leaves at noon."})
    assert saved.status_code in (200, 201, 202)
    recalled = person.post("/api/v3/recall", {"query": "when does the ferry leave?"}).json()
    assert recalled["results"][0]["chunks"][0]["content"] == "The ferry leaves at noon."
    assert person.http.get("/api/v3/whoami").json() == person.http.get("/v3/whoami").json()
    assert browser.get("/api/v3/whoami").status_code == 401
    credentials = {"email": "a@b.example", "password": "x" * 30_000}
    assert browser.post("/api/v3/auth/login", json=credentials).status_code == 413
