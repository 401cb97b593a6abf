"""What agents learn about the server: its public card, and a diagnosis for who has a credential."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from remem.surfaces.address import AGENT_CARDS
from tests.conftest import ADMIN_KEY, Person, Server, start_server, stop_server
from tests.surfaces.rest.people import call
from tests.surfaces.rest.problems import assert_problem
from tests.tools.waiting import until

PATH = "/api/agent/diagnostics"
SECRET = "sk-sw0rdfish"
PARTS = {
    "database", "queue", "disk", "embedder", "reader", "languageModel", "speech", "ocr",
    "vectorIndex", "cache",
}  # fmt: skip


def addresses(value: Any) -> Iterator[str]:
    """Every URL in a JSON value."""
    if isinstance(value, dict | list):
        for child in value.values() if isinstance(value, dict) else value:
            yield from addresses(child)
    elif isinstance(value, str) and value.startswith("http"):
        yield value


def diagnose(http: httpx2.Client) -> dict[str, Any]:
    reply = http.get(PATH)
    assert reply.status_code == 200, reply.text
    return reply.json()


def part(diagnosis: dict[str, Any], name: str) -> dict[str, Any]:
    return next(check for check in diagnosis["checks"] if check["name"] == name)


# The card


@pytest.mark.parametrize("path", AGENT_CARDS)
def test_every_address_on_the_card_exists(
    path: str, server: Server, anonymous: httpx2.Client
) -> None:
    reply = anonymous.get(path, headers={"Origin": "https://elsewhere.example"})
    assert reply.status_code == 200, reply.text
    assert reply.headers["Cache-Control"] == "public, max-age=3600"
    assert reply.headers["Access-Control-Allow-Origin"] == "*"
    card = reply.json()
    assert card["version"] == anonymous.get("/health").json()["version"]
    assert {toolset["name"] for toolset in card["mcp"]["toolsets"]} == {
        "default",
        "assistant",
        "coding",
        "platform",
        "files",
    }
    prefixes = card.pop("apiUrls")
    documented = anonymous.get(card["openapiUrl"]).json()["paths"]
    for prefix in prefixes:
        assert any((server.url + route).startswith(f"{prefix}/") for route in documented)
    for address in {*addresses(card)} - {card["url"]}:
        # 401: it exists, and needs a credential.
        assert anonymous.get(address).status_code in (200, 401), address
    metadata = anonymous.get(card["authentication"]["authorizationServerUrl"]).json()
    assert metadata["issuer"] == card["url"] == server.url


def test_both_cards_are_the_same_and_name_no_secret(
    server: Server, anonymous: httpx2.Client
) -> None:
    first, second = (anonymous.get(path).text for path in AGENT_CARDS)
    assert first == second
    for secret in (server.owner_key, ADMIN_KEY, str(server.data_dir)):
        assert secret not in first


# The diagnosis


def test_a_diagnosis_needs_a_credential_that_can_read(
    user: Person, server: Server, anonymous: httpx2.Client
) -> None:
    assert_problem(anonymous.get(PATH), 401, "unauthenticated")
    key = user.post("/v3/api-keys", {"name": "writes", "scopes": ["write"]}).json()
    with call(server.url, key["key"]) as http:
        assert_problem(http.get(PATH), 403, "scope_missing")


def test_every_part_is_described_and_only_the_operator_gets_details(
    person: Person, server: Server
) -> None:
    diagnosis = diagnose(person.http)
    states = {check["name"]: check["status"] for check in diagnosis["checks"]}
    assert set(states) == PARTS
    assert states.pop("languageModel") == "off"
    assert set(states.values()) == {"ok"}
    assert (diagnosis["status"], diagnosis["isOperator"]) == ("ok", False)
    assert all(check["says"].endswith(".") for check in diagnosis["checks"])
    says = {check["name"]: check["says"] for check in diagnosis["checks"]}
    assert "reads Latin script" in says["ocr"] and "reads English" in says["speech"]
    assert not any(check["details"] for check in diagnosis["checks"])
    with call(server.url, server.owner_key) as owner:
        detailed = diagnose(owner)
        key = owner.post("/v3/api-keys", json={"name": "reads", "scopes": ["read"]}).json()
    assert detailed["isOperator"] is True
    assert part(detailed, "embedder")["details"]["model"]
    assert part(detailed, "disk")["details"]["freeBytes"] > 0
    assert isinstance(part(detailed, "queue")["details"]["waiting"], dict)
    for secret in (server.owner_key, ADMIN_KEY, str(server.data_dir)):
        assert secret not in json.dumps(detailed)
    with call(server.url, key["key"]) as reads:
        assert diagnose(reads)["isOperator"] is False


def test_the_operator_has_no_details_in_an_organization(user: Person) -> None:
    """`user` is the owner with a key of an organization, which its members may have made."""
    assert diagnose(user.http)["isOperator"] is False


def test_the_jobs_of_others_are_not_counted(person: Person, stranger: Person) -> None:
    reply = person.http.post(
        "/v3/documents/upload", files={"file": ("broken.pdf", b"%PDF-1.7 nothing follows")}
    )
    assert reply.status_code in (201, 202), reply.text
    until(lambda: diagnose(person.http)["jobs"].get("failed"))
    assert diagnose(stranger.http)["jobs"] == {}


def test_a_provider_that_fails_says_when_it_is_called_again(data_dir: Path) -> None:
    """Nothing listens at the addresses."""
    server = start_server(
        data_dir,
        REMEM_EMBEDDING_PROVIDER="openai",
        REMEM_EMBEDDING_URL="http://127.0.0.1:9/v1",
        REMEM_EMBEDDING_KEY=SECRET,
        REMEM_READER="false",
        REMEM_LOG_LEVEL="error",
    )
    try:
        with call(server.url, server.owner_key) as owner:
            assert part(diagnose(owner), "reader")["status"] == "off"
            assert part(diagnose(owner), "embedder")["status"] == "ok"

            def is_paused() -> dict[str, Any] | None:
                owner.post("/v3/recall", json={"query": "when does the ferry leave?"})
                provider = diagnose(owner)["providers"][0]
                return provider if provider["state"] == "paused" else None

            provider = until(is_paused)
            assert provider["name"] == "embedding"
            assert provider["status"] == "degraded"
            assert 1 <= provider["retryInS"] <= 60
            assert str(provider["retryInS"]) in provider["says"]
            assert provider["reason"]
            diagnosis = diagnose(owner)
            assert diagnosis["status"] == "degraded"
            assert part(diagnosis, "embedder")["status"] == "degraded"
            assert SECRET not in json.dumps(diagnosis)
            assert "127.0.0.1" not in json.dumps(diagnosis)
            key = owner.post("/v3/api-keys", json={"name": "reads", "scopes": ["read"]}).json()
        with call(server.url, key["key"]) as reads:
            assert diagnose(reads)["providers"][0]["reason"] is None
    finally:
        stop_server(server)
