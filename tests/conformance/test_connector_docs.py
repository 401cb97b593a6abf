"""Every service has a page that says how to try it, and against what it was tested."""

import re
from pathlib import Path

import pytest

from remem.adapters.connectors import ADAPTERS

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("name", ADAPTERS)
def test_a_page_says_how_to_try_it_and_what_was_tested(name: str) -> None:
    page = (DOCS / "connectors" / f"{name}.md").read_text()
    assert re.search(rf"`remem connections check {name}\b", page)
    assert "\n**Tested**" in page
    assert re.search(
        rf"\| `{name}` \|.*connectors/{name}\.md", (DOCS / "connections.md").read_text()
    )


def test_pages_are_those_of_services() -> None:
    assert {path.stem for path in (DOCS / "connectors").glob("*.md")} == set(ADAPTERS)
