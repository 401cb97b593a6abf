"""A title that is derived from a Markdown text is plain."""

import pytest

from tests.conftest import Person

TITLES = {
    "# **Boiler** `log`": "Boiler log",
    "# [Manual](https://b.example) of the ~~old~~ pump ##": "Manual of the old pump",
    "**Boiler** log\n===": "Boiler log",
    "## Learn *C#* and F#": "Learn C# and F#",
    "# C#": "C#",
    "# `__init__` and snake_case": "__init__ and snake_case",
}


@pytest.mark.parametrize(("heading", "title"), TITLES.items())
def test_a_title_shows_no_markdown(person: Person, heading: str, title: str) -> None:
    text = f"{heading}\n\nThe pump is serviced each May."
    assert person.save(text, content_type="markdown")["title"] == title
    files = {"file": ("notes.md", f"{text} By Otto.".encode())}
    assert person.http.post("/v3/documents/upload", files=files).json()["title"] == title


def test_a_title_of_markdown_is_derived_again_from_a_new_text(person: Person) -> None:
    saved = person.save("# **Boiler** `log`\n\nThe boiler is hot.", content_type="markdown")
    again = person.save("# Fan *list*\n\nThe fan is on.", updates_memory_id=saved["id"])
    assert again["title"] == "Fan list"
    document = person.http.get(f"/v3/documents/{again['id']}").json()
    assert (document["content_type"], document["version"]) == ("markdown", 2)


@pytest.mark.parametrize(
    ("text", "title"),
    [("It is cold.", "Boiler log"), ("# Pump log\n\nThe pump is loud.", "Pump log")],
)
def test_a_new_heading_is_the_new_title(person: Person, text: str, title: str) -> None:
    saved = person.save("# *Boiler* log\n\nThe boiler is hot.", content_type="markdown")
    reply = person.http.patch(f"/v3/documents/{saved['id']}", json={"content": text})
    assert reply.json()["title"] == title


def test_a_given_title_stays_as_it_was_sent(person: Person) -> None:
    saved = person.save("# Boiler\n\nThe boiler is hot.", title="2 * 3 * 4")
    assert saved["title"] == "2 * 3 * 4"
