"""Notes of a few lines are shown themselves, once: most have no title but their first words."""

from tests.conftest import Person
from tests.web.app import App

NOTE = "Spind Station 212, Code 0907. Kasack Gr 38 nachbestellen bis Freitag, sonst wird es eng"
JAPANESE = "歯医者は来週の木曜日、午後三時から。保険証を忘れないこと。駐車場は裏にある。"
RECIPE = "Linsenbolo (Lotte isst es!)\n200 g rote Linsen, 2 Möhren\nMöhren reiben"
MAIL = (
    "From: Lettings <office@lets.example>\nTo: Nikhil <n@example.org>\nSubject: Inventory\n"
    "Date: Tue, 17 Nov 2026 09:12:00 +0000\n\nDear Nikhil,\n\nthe check is on Friday at ten.\n"
)
FRONT_MATTER = "---\ntitle: Espresso\ntags: [coffee]\n---\n\n18 g in, 36 g out, 28 s.\n"


def test_a_note_is_shown_once(app: App, signed_in: Person) -> None:
    note, japanese, recipe = (
        signed_in.save(text, index_only=True)["id"] for text in (NOTE, JAPANESE, RECIPE)
    )
    for id, words in ((note, "Spind Station"), (japanese, "歯医者は")):
        app.go(f"/memory/{id}")
        app.see(words)
        assert app.evaluate("document.querySelector('main').innerText").count(words) == 1
        assert app.evaluate("document.querySelector('main h1').innerText") == "Note"
        assert not app.evaluate("document.querySelector('main aside')")
        assert app.evaluate("getComputedStyle(document.querySelector('.reading')).fontSize") > "18"
    app.go(f"/memory/{recipe}")
    app.see("200 g rote Linsen")
    assert app.evaluate("document.querySelector('main').innerText").count("Linsenbolo") == 1
    assert app.evaluate("document.querySelector('main h1').innerText") == RECIPE.split("\n")[0]
    app.check_accessible()
    app.go("/library")
    app.see("3 documents")
    shown = app.evaluate("document.querySelector('main').innerText")
    assert [shown.count(words) for words in ("Spind", "歯医者", "Linsenbolo")] == [1, 1, 1]
    assert "sonst wird es eng" in shown, "the whole note, not a title that is cut"
    fields = "[...document.querySelectorAll('input[type=search], header button')]"
    assert "Find anything" in app.evaluate(f"{fields}.map(f => f.innerText).join()")
    app.go("/search?q=Kasack")
    app.see("Kasack")
    assert app.evaluate("document.querySelector('main article').innerText").count("Kasack") == 1
    assert "Find anything" not in app.evaluate(f"{fields}.map(f => f.innerText).join()")


def test_the_fields_above_a_text_are_not_its_text(app: App, signed_in: Person) -> None:
    mail = signed_in.post("/v3/memory", {"content": MAIL, "content_type": "email"}).json()["id"]
    front = signed_in.save(FRONT_MATTER, content_type="markdown")["id"]
    for path in (f"/memory/{mail}", f"/memory/{front}", "/library", "/search?q=check+Friday"):
        app.go(path)
        app.see("18 g in" if front in path else "the check is on Friday")
        shown = app.evaluate("document.querySelector('main').innerText")
        assert "office@lets" not in shown and "tags:" not in shown, path


def test_notes_of_both_kinds_are_found_by_their_type(app: App, signed_in: Person) -> None:
    signed_in.save("Milk and bread.", index_only=True)
    signed_in.save("- eggs\n- flour", content_type="markdown", index_only=True)
    app.go("/library?type=text")
    app.see("2 documents")
