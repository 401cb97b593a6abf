"""Every service has a page that says how to check it and what it was tested against."""

import re
from pathlib import Path

import pytest

from remem.adapters.connectors import ADAPTERS

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("name", ADAPTERS)
def test_a_page_says_how_to_check_it_and_what_was_tested(name: str) -> None:
    page = (DOCS / "connectors" / f"{name}.md").read_text()
    assert re.search(rf"`remem connections check {name}\b", page)
    assert "\n**Tested**" in page
    assert re.search(
        rf"\| `{name}` \|.*connectors/{name}\.md", (DOCS / "connections.md").read_text()
    )


def test_every_page_belongs_to_a_service() -> None:
    assert {path.stem for path in (DOCS / "connectors").glob("*.md")} == set(ADAPTERS)
