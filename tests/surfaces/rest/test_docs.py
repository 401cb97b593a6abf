"""The API's documentation: whole, valid, and served from this machine alone."""

from html.parser import HTMLParser
from typing import Any

import httpx2
import pytest


class Addresses(HTMLParser):
    """Everything a page loads."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for name, value in attrs if name in ("src", "href") and value]


def test_the_page_loads_nothing_from_elsewhere(nobody: httpx2.Client) -> None:
    page = nobody.get("/docs")
    assert page.headers["Content-Type"].startswith("text/html")
    assert "default-src 'self'" in page.headers["Content-Security-Policy"]
    loaded = [one for one in Addresses(page.text).found if one != "data:,"]
    assert len(loaded) == 3
    for address in loaded:
        assert address.startswith("/docs/"), address
        reply = nobody.get(address)
        assert reply.status_code == 200, address
        assert reply.headers["Content-Type"].startswith(("text/javascript", "text/css")), address


def test_the_page_starts_on_our_own_description(nobody: httpx2.Client) -> None:
    script = nobody.get("/docs/start.js").text
    assert "'/openapi.json'" in script
    assert "validatorUrl: null" in script


@pytest.mark.parametrize("name", ["index.html", "..%2f..%2fetc%2fpasswd", "swagger-ui.css.map"])
def test_the_page_serves_no_other_file(name: str, nobody: httpx2.Client) -> None:
    assert nobody.get(f"/docs/{name}").status_code == 404


@pytest.fixture
def described(nobody: httpx2.Client) -> dict[str, Any]:
    return nobody.get("/openapi.json").json()


def test_the_description_is_valid_openapi(described: dict[str, Any]) -> None:
    # Imported here: it takes longer than this whole file, also where it is only collected.
    import schemathesis

    schemathesis.openapi.from_dict(described).validate()
    assert described["openapi"].startswith("3.1")


def test_the_description_says_what_each_operation_does(described: dict[str, Any]) -> None:
    for path, item in described["paths"].items():
        for method, operation in item.items():
            assert operation.get("description"), f"{method} {path} has no docstring"
            assert operation["tags"], f"{method} {path}"


def test_the_description_has_the_one_shape_of_error(described: dict[str, Any]) -> None:
    for path, item in described["paths"].items():
        for method, operation in item.items():
            responses = operation["responses"]
            assert "422" not in responses, f"{method} {path}"
            schema = responses["4XX"]["content"]["application/json"]["schema"]
            assert schema == {"$ref": "#/components/schemas/Problem"}, f"{method} {path}"


def test_the_description_says_how_to_send_a_key(described: dict[str, Any]) -> None:
    schemes = described["components"]["securitySchemes"]
    assert set(schemes) == {"key", "operator"}
    for scheme in schemes.values():
        assert (scheme["type"], scheme["scheme"]) == ("http", "bearer")
