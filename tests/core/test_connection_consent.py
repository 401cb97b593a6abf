"""Accounts connected by OAuth consent: who may finish it, and how tokens are refreshed."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import pytest

from remem.core.connections.access import access_of
from remem.core.connections.consent.consent import ConsentAnswer, ConsentRequest, authorize, finish
from remem.core.connections.consent.refresh import fresh_access
from remem.core.connections.disconnect import disconnect
from remem.core.connections.manage import get_connection
from remem.core.connections.model import Connection
from remem.core.connections.sync import sync_connection
from remem.core.connectors.errors import NeedsAuth
from remem.core.connectors.model import Access, Account
from remem.core.connectors.provider import Field
from remem.core.errors import Forbidden, Invalid, NotFound, Unavailable
from remem.core.oauth_client import GrantRefused
from remem.core.ports import Ports
from remem.core.scope import Scope
from tests.conftest import new_scope
from tests.surfaces.rest.rows import rows_of
from tests.tools.consent import ConsentService, serve_consent
from tests.tools.idle_queue import IdleQueue
from tests.tools.vendor import Vendor

pytestmark = pytest.mark.anyio

CALLBACK_URL = "http://127.0.0.1:8080/v3/connections/vendor/callback"


@dataclass
class OAuthVendor(Vendor):
    """A vendor that accepts only the latest token."""

    service: ConsentService = field(default_factory=ConsentService)

    @property
    def provider(self):  # type: ignore[no-untyped-def,override]
        return replace(Vendor.provider, fields=(), selected=None, oauth=self.service.app)

    async def account(self, access: Access) -> Account:
        self._check(access)
        return Account("me", "me")

    async def walk(self, access, at):  # type: ignore[no-untyped-def,override]
        self._check(access)
        return await super().walk(access, at)

    async def begin(self, access):  # type: ignore[no-untyped-def,override]
        self._check(access)
        return await super().begin(access)

    def _check(self, access: Access) -> None:
        if access.credential.get("token") != self.service.access:
            raise NeedsAuth("The token is not taken; connect again.")


@pytest.fixture
def service() -> Iterator[ConsentService]:
    with serve_consent(ConsentService()) as running:
        yield running


@pytest.fixture
def vendor(service: ConsentService) -> OAuthVendor:
    return OAuthVendor(service=service)


@pytest.fixture
def store(ports: Ports, vendor: OAuthVendor) -> Ports:
    return replace(ports, connectors={"vendor": vendor}, queue=IdleQueue())  # type: ignore[arg-type]


async def begin_consent(store: Ports, scope: Scope, service: ConsentService) -> ConsentAnswer:
    url, _ = await authorize(store, scope, ConsentRequest("vendor", chosen=("all",)), CALLBACK_URL)
    return ConsentAnswer(**service.consent(url))


async def connect_by_consent(store: Ports, scope: Scope, service: ConsentService) -> Connection:
    return await finish(store, scope, "vendor", await begin_consent(store, scope, service))


async def test_a_consent_connects_once_and_only_for_the_user_who_started_it(
    store: Ports, scope: Scope, service: ConsentService
) -> None:
    answer = await begin_consent(store, scope, service)
    with pytest.raises(Forbidden):
        await finish(store, await new_scope(store), "vendor", answer)
    with pytest.raises(NotFound, match="start again"):
        await finish(store, scope, "vendor", replace(answer, state="made up"))
    new_connection = await finish(store, scope, "vendor", answer)
    assert new_connection.status == "active" and new_connection.account == "me"
    with pytest.raises(NotFound, match="start again"):
        await finish(store, scope, "vendor", answer)
    assert service.grants == 1


async def test_a_refused_or_foreign_answer_connects_nothing(
    store: Ports, scope: Scope, service: ConsentService
) -> None:
    answer = await begin_consent(store, scope, service)
    with pytest.raises(GrantRefused, match="allow it"):
        await finish(store, scope, "vendor", replace(answer, code=None, error="access_denied"))
    answer = await begin_consent(store, scope, service)
    with pytest.raises(GrantRefused, match="A different service"):
        await finish(store, scope, "vendor", replace(answer, issuer="https://evil.example"))
    answer = await begin_consent(store, scope, service)
    with pytest.raises(GrantRefused):
        await finish(store, scope, "vendor", replace(answer, code="guessed"))
    assert service.grants == 0


async def test_a_token_is_refreshed_by_one_of_many_and_stored_before_it_is_used(
    store: Ports, scope: Scope, service: ConsentService, vendor: OAuthVendor
) -> None:
    service.expires_in_s = 60
    new_connection = await connect_by_consent(store, scope, service)
    service.expires_in_s = 3_600
    results = await asyncio.gather(
        *(fresh_access(store, scope, vendor, new_connection) for _ in range(5)),
        return_exceptions=True,
    )
    assert [result.credential["token"] for result in results if isinstance(result, Access)] == [
        service.access
    ] * 5
    assert service.refused == 0 and service.grants == 2
    current, _ = await get_connection(store, scope, new_connection.id)
    assert access_of(store, scope, current).credential["refresh_token"] == service.refresh


async def test_a_token_that_expires_early_is_refreshed_in_the_middle_of_a_sync(
    store: Ports, scope: Scope, service: ConsentService, vendor: OAuthVendor
) -> None:
    vendor.write("a", "A text.")
    new_connection = await connect_by_consent(store, scope, service)
    service.access = "ended early"
    await sync_connection(store, scope, new_connection.id)
    connection, runs = await get_connection(store, scope, new_connection.id)
    assert runs[0].outcome == "done" and connection.item_count == 1


async def test_a_withdrawn_consent_needs_the_user_and_a_failure_does_not(
    store: Ports, scope: Scope, service: ConsentService
) -> None:
    service.expires_in_s = 60
    new_connection = await connect_by_consent(store, scope, service)
    service.is_down = True
    await sync_connection(store, scope, new_connection.id)
    connection, runs = await get_connection(store, scope, new_connection.id)
    assert runs[0].outcome == "failed" and connection.status == "active"
    service.is_down, service.refresh = False, "withdrawn"
    await sync_connection(store, scope, new_connection.id)
    connection, _ = await get_connection(store, scope, new_connection.id)
    assert connection.status == "needs_auth"
    assert connection.error and "connect the account again" in connection.error


async def test_the_token_of_a_removed_connection_is_revoked_if_possible(
    store: Ports, scope: Scope, service: ConsentService
) -> None:
    new_connection = await connect_by_consent(store, scope, service)
    await disconnect(store, scope, new_connection.id, erase=False)
    assert service.revoked == [service.refresh]
    new_connection = await connect_by_consent(store, scope, service)
    service.is_down = True
    await disconnect(store, scope, new_connection.id, erase=False)


async def test_no_row_has_a_token_a_verifier_or_a_secret(
    store: Ports, scope: Scope, service: ConsentService
) -> None:
    request = ConsentRequest("vendor", client_id="client-1", client_secret="secret-xyzzy-client")
    url, _ = await authorize(store, scope, request, CALLBACK_URL)
    await begin_consent(store, scope, service)
    await finish(store, scope, "vendor", ConsentAnswer(**service.consent(url)))
    rows = str(await rows_of(store, str(scope.tenant_id)))
    assert "xyzzy" not in rows and b"xyzzy".hex() not in rows


async def test_without_a_client_the_error_says_what_is_missing(
    store: Ports, scope: Scope, vendor: OAuthVendor, service: ConsentService, ports: Ports
) -> None:
    with pytest.raises(Invalid, match="REMEM_GITHUB_CLIENT_ID"):
        await authorize(ports, scope, ConsentRequest("github"), CALLBACK_URL)
    with pytest.raises(Unavailable):
        service.is_down = True
        await connect_by_consent(store, scope, service)


async def test_a_consent_accepts_options_but_no_secrets(
    store: Ports, scope: Scope, service: ConsentService, vendor: OAuthVendor
) -> None:
    class Optional(OAuthVendor):
        @property
        def provider(self):  # type: ignore[no-untyped-def,override]
            fields = (
                Field("code", "yes, to read code", is_required=False),
                Field("token", "a token", is_secret=True, is_required=False),
                Field("user", "your address"),
            )
            return replace(super().provider, fields=fields)

    store = replace(store, connectors={"vendor": Optional(service=service)})  # type: ignore[dict-item]
    request = ConsentRequest("vendor", chosen=("all",), fields={"code": "yes"})
    url, _ = await authorize(store, scope, request, CALLBACK_URL)
    answer = ConsentAnswer(**service.consent(url))
    new_connection = await finish(store, scope, "vendor", answer)
    assert new_connection.settings == {"code": "yes"}
    for name in ("token", "user", "other"):
        with pytest.raises(Invalid, match="not asked for"):
            await authorize(store, scope, replace(request, fields={name: "x"}), CALLBACK_URL)
