"""Read later: flags in the library, the reader with highlights and notes, the page of a tag."""

import json

from tests.conftest import Person
from tests.web.app import App

SHIFT = 8
KILN = (
    "# Firing a kiln 😀\n\nRaise the heat *slowly*: the **glaze melts** at 1,240 degrees.\n\n"
    "Then wait. The **glaze melts** again, says [a potter](https://example.org/p).\n\n"
    "![The kiln](https://example.org/kiln.png) 最後に十二時間待ちます。"
)
LONG = "\n\n".join(f"Paragraph {n} of a long story about the sea." for n in range(80))
MARKED = "[...CSS.highlights.get('kept') ?? []].map(r => r.toString())"


def flags(person: Person, id: str) -> set[str]:
    document = person.http.get(f"/v3/documents/{id}").json()
    return {flag for flag in ("unread", "favourite", "archived") if document[flag]}


def highlights(person: Person, id: str) -> list[dict]:
    return person.http.get(f"/v3/documents/{id}/highlights").json()["highlights"]


def select(app: App, words: str, nth: int = 0) -> None:
    """Select words of the text that may span several elements."""
    app.page.run(f"""
      (() => {{
        const root = document.querySelector('.reading');
        const nodes = [];
        const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) nodes.push(walker.currentNode);
        const text = nodes.map(n => n.data).join('');
        let at = text.indexOf({json.dumps(words)});
        for (let n = 0; n < {nth}; n++) at = text.indexOf({json.dumps(words)}, at + 1);
        const place = (offset, last) => {{
          for (const node of nodes) {{
            if (last ? offset <= node.length : offset < node.length) return [node, offset];
            offset -= node.length;
          }}
        }};
        const range = document.createRange();
        range.setStart(...place(at, false));
        range.setEnd(...place(at + {len(words.encode("utf-16-le")) // 2}, true));
        getSelection().removeAllRanges();
        getSelection().addRange(range);
      }})()""")


def test_documents_are_marked_by_keys_and_filtered(app: App, signed_in: Person) -> None:
    kiln = signed_in.save(KILN, title="Kiln", unread=True)["id"]
    bread = signed_in.save("Bread needs a night.", title="Bread")["id"]
    app.go("/library?is=unread")
    app.see("Kiln")
    app.see_no_more("Bread")
    app.go("/library?view=table")
    app.see("Bread")
    app.press("j")
    app.press("f")
    app.wait("document.querySelector('[aria-label=Favourite]')")
    assert flags(signed_in, bread) == {"favourite"}
    app.press("a")
    app.see("1 document archived")
    app.wait("document.querySelectorAll('main a[href^=\"/memory/\"]').length === 1")
    app.check_accessible()
    app.click("Undo")
    app.wait("document.querySelectorAll('main a[href^=\"/memory/\"]').length === 2")
    assert flags(signed_in, bread) == {"favourite"}
    app.click("Select Kiln", "input")
    app.click("Mark as read")
    app.click("Unread")
    app.see("Nothing to read")
    assert flags(signed_in, kiln) == set()


def test_words_are_highlighted_with_a_note(app: App, signed_in: Person) -> None:
    id = signed_in.save(KILN, title="Kiln", content_type="markdown", tags=["clay"])["id"]
    app.go(f"/memory/{id}/read")
    app.see("Raise the heat")
    select(app, "glaze melts", nth=1)
    app.click("Note")
    app.fill("Note", "Cone 6")
    app.press("Enter", 2)
    app.see("Cone 6")
    app.wait(f"{MARKED}.length === 1")
    [first] = highlights(signed_in, id)
    content = signed_in.http.get(f"/v3/documents/{id}").json()["content"]
    assert content[first["start"] : first["end"]] == "glaze melts"
    assert content[: first["start"]].count("glaze melts") == 1, "the second one"
    assert first["note"] == "Cone 6"
    # By the keyboard, a whole paragraph; and across an image that is not shown.
    app.press("j")
    app.press("j")
    app.press("h")
    app.wait(f"{MARKED}.length === 2")
    select(app, "最後に十二時間待ちます。")
    app.press("h")
    app.wait(f"{MARKED}.length === 3")
    app.check_accessible()
    app.go(f"/memory/{id}/read")
    app.wait(f"{MARKED}.length === 3")
    assert "glaze melts" in app.evaluate(MARKED)
    app.go("/tags/clay")
    for words in ("Documents", "Kiln", "Highlights", "Cone 6", "最後に"):
        app.see(words)
    app.check_accessible()


def test_a_highlight_is_removed_and_restored(app: App, signed_in: Person) -> None:
    id = signed_in.save(KILN, title="Kiln", content_type="markdown")["id"]
    signed_in.post(f"/v3/documents/{id}/highlights", {"quote": "Raise the heat"})
    app.go(f"/memory/{id}/read")
    app.wait(f"{MARKED}.length === 1")
    app.click("Remove the highlight: Raise the heat")
    app.wait(f"{MARKED}.length === 0")
    app.click("Undo")
    app.wait(f"{MARKED}.length === 1")


def test_a_text_that_was_read_to_its_end_is_read(app: App, signed_in: Person) -> None:
    other = signed_in.save(KILN, title="Kiln", unread=True)["id"]
    id = signed_in.save(LONG, title="The sea", unread=True)["id"]
    app.resize(390, 844)
    app.go(f"/memory/{id}/read")
    app.see("Paragraph 79")
    app.check_accessible()
    app.page.run("document.getElementById('content').scrollTo(0, 1e6)")
    app.wait("document.querySelector('[aria-label=\"Mark as unread\"]')")
    assert flags(signed_in, id) == set()
    assert app.evaluate("document.querySelector('[role=progressbar]').ariaValueNow") == "100"
    app.press("J", SHIFT)
    app.wait(f"location.pathname === '/memory/{other}/read'")


def test_the_copy_of_a_page_runs_and_requests_nothing(app: App, signed_in: Person) -> None:
    id = signed_in.save(KILN, source_url="https://example.org/kiln", title="Kiln")["id"]
    page = (
        "<!doctype html><meta charset=utf-8><style>@import url(https://example.org/a.css);"
        " p { background: url(https://example.org/b.png) }</style><p>As it looked.</p>"
        "<img src='https://example.org/pixel.gif'><script>top.document.title = 'ran'</script>"
        "<meta http-equiv=refresh content='0;url=https://example.org/'>"
    )
    files = {"file": ("page.html", page.encode())}
    assert signed_in.http.post(f"/v3/documents/{id}/copy", files=files).status_code == 200
    app.go(f"/memory/{id}/read")
    app.click("Page as saved")
    app.wait("document.querySelector('iframe[sandbox=\"\"]')")
    app.page.wait_until_loaded()
    app.settle()
    assert "ran" not in app.evaluate("document.title")
    assert not [problem for problem in app.problems() if problem.startswith("a request to")]
    app.click("Text")
    app.see("Raise the heat")
    # What the browser refused, it says.
    for words in ("Content Security Policy", "sandboxed"):
        app.ignore_problems(words)
