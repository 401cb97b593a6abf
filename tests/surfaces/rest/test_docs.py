"""The API's documentation: complete, valid, and served without external resources."""

from html.parser import HTMLParser
from typing import Any

import httpx2
import pytest


class Addresses(HTMLParser):
    """Collects the addresses of everything a page loads."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for name, value in attrs if name in ("src", "href") and value]


def test_the_page_loads_nothing_from_elsewhere(anonymous: httpx2.Client) -> None:
    page = anonymous.get("/docs")
    assert page.headers["Content-Type"].startswith("text/html")
    assert "default-src 'self'" in page.headers["Content-Security-Policy"]
    loaded = [address for address in Addresses(page.text).found if address != "data:,"]
    assert len(loaded) == 3
    for address in loaded:
        assert address.startswith("docs/"), address
        reply = anonymous.get(f"/{address}")
        assert reply.status_code == 200, address
        assert reply.headers["Content-Type"].startswith(("text/javascript", "text/css")), address


def test_the_page_opens_our_own_description(anonymous: httpx2.Client) -> None:
    script = anonymous.get("/docs/start.js").text
    assert "'openapi.json'" in script
    assert "validatorUrl: null" in script


@pytest.mark.parametrize("name", ["index.html", "..%2f..%2fetc%2fpasswd", "swagger-ui.css.map"])
def test_the_page_serves_no_other_file(name: str, anonymous: httpx2.Client) -> None:
    assert anonymous.get(f"/docs/{name}").status_code == 404


@pytest.fixture
def description(anonymous: httpx2.Client) -> dict[str, Any]:
    return anonymous.get("/openapi.json").json()


def test_the_description_is_valid_openapi(description: dict[str, Any]) -> None:
    # Imported here: the import is slow and would also run when tests are only collected.
    import schemathesis

    schemathesis.openapi.from_dict(description).validate()
    assert description["openapi"].startswith("3.1")


def test_every_operation_has_a_description_and_tags(description: dict[str, Any]) -> None:
    for path, item in description["paths"].items():
        for method, operation in item.items():
            assert operation.get("description"), f"{method} {path} has no docstring"
            assert operation["tags"], f"{method} {path}"


def test_every_operation_has_the_common_error_format(description: dict[str, Any]) -> None:
    for path, item in description["paths"].items():
        for method, operation in item.items():
            responses = operation["responses"]
            assert "422" not in responses, f"{method} {path}"
            schema = responses["4XX"]["content"]["application/json"]["schema"]
            assert schema == {"$ref": "#/components/schemas/Problem"}, f"{method} {path}"


def test_the_description_has_the_security_schemes(description: dict[str, Any]) -> None:
    schemes = description["components"]["securitySchemes"]
    assert set(schemes) == {"key", "operator"}
    for scheme in schemes.values():
        assert (scheme["type"], scheme["scheme"]) == ("http", "bearer")
