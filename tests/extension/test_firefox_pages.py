"""In Firefox: large pages, and pages that change or hide their content."""

import json

import pytest

from tests.conftest import Person
from tests.extension.fox import Fox
from tests.extension.sites import Sites
from tests.extension.test_attacks import CLOBBERED
from tests.extension.test_firefox import save_by_popup
from tests.extension.test_garbage import FORM, RESTLESS
from tests.extension.test_large_pages import LAST, WHOLE
from tests.extension.test_saving import saved


@pytest.mark.parametrize(
    ("title", "body", "words"),
    [
        ("A form around it", FORM, "salmon return every June"),
        ("Restless", RESTLESS, "salmon return every June"),
        ("A page that hides its document", CLOBBERED, "no corn since the spring of 1961"),
    ],
)
def test_pages_that_resist_in_firefox(
    fox: Fox, fox_owner: Person, sites: Sites, title: str, body: str, words: str
) -> None:
    fox.show(sites.put(f"news.example/fox{len(body)}", body))
    assert save_by_popup(fox).startswith("Saved")
    assert words in saved(fox_owner, title)["content"]


@pytest.mark.parametrize("title", ["Deep", "Hidden", "Data"])
def test_large_pages_in_firefox(fox: Fox, fox_owner: Person, sites: Sites, title: str) -> None:
    fox.firefox.open(sites.put(f"news.example/fox-{title}", WHOLE[title]))
    assert save_by_popup(fox).startswith("Saved")
    document = saved(fox_owner, title)
    assert LAST in document["content"] and "Nobody sees" not in json.dumps(document)
