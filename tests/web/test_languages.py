"""The interface, its dates and numbers are in the browser's language, or in a chosen one."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import Person
from tests.tools.pinned import NODE
from tests.web.app import App

WEB = Path(__file__).parents[2] / "web"
CATALOGUES = (
    "performance.getEntriesByType('resource').map(e => e.name).filter(n => /\\.json$/.test(n))"
)
SIGN_IN = {
    "en": "Sign in",
    "de": "Anmelden",
    "fr": "Se connecter",
    "es": "Iniciar sesión",
    "ja": "ログイン",
    "zh": "登录",
}
# What each language calls the pages that a person opens first, in the order of the sidebar.
PAGES = {
    "de": ["Start", "Suche", "Fragen", "Bibliothek", "Erinnerungen", "Graph", "Zeitachse"],
    "fr": [
        "Accueil",
        "Recherche",
        "Demander",
        "Bibliothèque",
        "Souvenirs",
        "Graphe",
        "Chronologie",
    ],
    "es": ["Inicio", "Buscar", "Preguntar", "Biblioteca", "Recuerdos", "Grafo", "Cronología"],
    "ja": ["ホーム", "検索", "質問", "ライブラリ", "記憶", "グラフ", "タイムライン"],
    "zh": ["主页", "搜索", "提问", "资料库", "记忆", "图谱", "时间线"],
}
ADDRESSES = [
    *["/dashboard", "/search", "/ask", "/library", "/memories", "/memories?tab=review", "/today"],
    *["/graph", "/timeline", "/timeline?view=month", "/projects", "/connect", "/activity"],
    *["/trash", "/people", "/settings", "/settings/checkup", "/settings/reminders", "/evolution"],
    "/nowhere",
]
# Names and examples that are the same in every language, and what the server says.
SAME = re.compile(
    r"remem|test|Connect[”」]|iOS shortcut|Latin script.*|alt\+T|MCP|ChatGPT|Claude|Cursor|Gemini"
    r"|Markdown|Python|TypeScript|Code|Desktop|Android|Chrome|iPhone|iPad|iOS|Safari|Mac|Slack|ZIP"
    r"|Default|Ctrl|API|URL|PDF|JSON|Word|default|https?:\S+|\S+@\S+|~?/?\.\S+|curl|English"
    r"|Deutsch|Français|Español|shortcuts sign \S.*|claude mcp .*|\S*[{}:_/]\S*|\bK\b"
)


SWITCH = "document.querySelector('#language select')"


def choose(app: App, code: str) -> None:
    change = "dispatchEvent(new Event('change', {bubbles: true}))"
    app.page.run(f"(e => {{ e.value = {json.dumps(code)}; e.{change} }})({SWITCH})")


def options(app: App) -> list[str]:
    return app.evaluate("[...document.querySelectorAll('#language option')].map(o => o.innerText)")


@pytest.mark.parametrize(
    ("browser", "language", "html"),
    [
        ("de-AT,de,en", "de", "de"),
        ("fr-CA", "fr", "fr"),
        ("es-419,en", "es", "es"),
        ("ja", "ja", "ja"),
        ("zh-CN,en", "zh", "zh-Hans"),
        # Traditional Chinese is another script; a person reads their next language rather.
        ("zh-TW,ja", "ja", "ja"),
        ("it-IT,fr", "fr", "fr"),
        ("it-IT", "en", "en"),
        ("en-GB,de", "en", "en"),
    ],
)
def test_the_language_of_the_browser_is_used(
    app: App, browser: str, language: str, html: str
) -> None:
    app.set_language(browser)
    with app.recording_requests():
        app.go("/login")
        app.see(SIGN_IN[language])
    assert app.evaluate("document.documentElement.lang") == html
    loaded = [name.rsplit("/", 1)[-1].split("-")[0] for name in app.evaluate(CATALOGUES)]
    assert loaded == ([] if language == "en" else [language]), "only the catalogue in use"


@pytest.mark.parametrize("language", list(PAGES))
def test_every_page_is_in_the_language(app: App, signed_in: Person, language: str) -> None:
    app.set_language({"zh": "zh-CN"}.get(language, language))
    app.go("/dashboard")
    app.see(PAGES[language][0])
    menu = app.evaluate(
        "[...document.querySelectorAll('nav ul:first-child a')].map(a => a.innerText)"
    )
    assert menu[: len(PAGES[language])] == PAGES[language]
    if language not in ("ja", "zh"):
        return
    # Latin words stand out in these scripts: none is left over.
    sent = set(signed_in.http.get("/v3/pasted-profile").json()["prompt"].split("\n"))
    left: list[tuple[str, str]] = []
    for address in ADDRESSES:
        app.go(address)
        app.wait("!document.querySelector('main .animate-pulse')")
        app.settle()
        app.ignore_problems("404")
        shown = app.evaluate(
            "(document.querySelectorAll('pre, code').forEach(e => e.remove()),"
            " [document.title, document.body.innerText, ...[...document.querySelectorAll("
            "'[title], [aria-label], [placeholder]')].flatMap(e => "
            "[e.title, e.ariaLabel, e.placeholder].filter(Boolean))].join('\\n'))"
        )
        shown = shown.replace(signed_in.email.split("@")[0], "")
        for line in set(shown.split("\n")) - sent:
            if re.search(r"[A-Za-z]{3}", SAME.sub("", line)):
                left.append((address, line))
    assert not left


def test_a_language_is_chosen_in_settings(app: App, signed_in: Person) -> None:
    signed_in.save("Milk and bread.", index_only=True)
    with app.recording_requests():
        app.go("/settings")
        app.see("Language of the app")
        assert options(app) == [
            "As in the browser (English)",
            *["English", "Deutsch", "Français", "Español", "日本語", "简体中文"],
        ]
        for code, words in (("de", "Sprache der App"), ("ja", "アプリの言語")):
            choose(app, code)
            app.see(words)
            assert app.evaluate("document.documentElement.lang") == code
            assert app.evaluate(f"{SWITCH}.value") == code
        # It stays, on other pages and after a reload.
        app.go("/library")
        app.see("1件の文書")
        app.check_accessible()
        app.go("/settings")
        app.see("アプリの言語")
        choose(app, "")
        app.see("Language of the app")
    assert app.evaluate("localStorage.getItem('remem.language')") is None


def test_dates_weekdays_and_numbers_follow_the_language(app: App, signed_in: Person) -> None:
    app.set_language("de-DE")
    for number in range(2):
        signed_in.save(f"Note number {number}.", index_only=True)
    app.go("/library")
    app.see("2 Dokumente")
    app.see("gerade eben")
    app.go("/timeline?view=month&month=2026-03-01")
    app.see("März 2026")
    assert app.evaluate("document.querySelector('main th').innerText") == "Mo"
    app.set_language("en-US")
    app.go("/timeline?view=month&month=2026-03-01")
    app.see("March 2026")
    assert app.evaluate("document.querySelector('main th').innerText") == "Sun"
    app.set_language("ja-JP")
    app.go("/timeline?view=month&month=2026-03-01")
    app.see("2026年3月")
    app.set_language("fr-FR")
    app.go("/settings#storage")
    app.wait(r"/\d\s%/.test(document.querySelector('#storage').innerText)")
    assert re.search(r"\d,\d (?:k|M)B", app.page.text.replace("\xa0", " ")), "a decimal comma"
    # A German-speaking person who reads the app in English still gets the dates of their country.
    app.set_language("en-GB,de-DE")
    app.go("/today")
    app.wait("/[A-Z][a-z]+,? \\d+ [A-Z][a-z]+ \\d{4}/.test(document.querySelector('h1').innerText)")


def test_a_missing_catalogue_leaves_the_app_in_english(app: App, signed_in: Person) -> None:
    app.set_language("de")
    app.page.send("Network.enable")
    app.page.send("Network.setBlockedURLs", urls=["*/assets/de-*.json"])
    try:
        app.go("/dashboard")
        app.see("Save your first note")
    finally:
        app.page.send("Network.setBlockedURLs", urls=[])
        app.page.send("Network.disable")
    app.ignore_problems("ERR_BLOCKED_BY_CLIENT")


def test_nothing_is_cut_on_a_phone_in_german(app: App, signed_in: Person) -> None:
    signed_in.save("Spind Station 212, Code 0907.", index_only=True)
    app.set_language("de")
    app.resize(360, 780)
    for address in ADDRESSES:
        app.go(address)
        app.wait("!document.querySelector('main .animate-pulse')")
        app.settle()
        app.ignore_problems("404")
        wide = app.evaluate(
            "[...document.querySelectorAll('main :is(button, a, h1, h2, label, select, fieldset)')]"
            ".filter(e => e.checkVisibility() && !e.closest('.sr-only, .overflow-x-auto')"
            " && e.getBoundingClientRect().right > innerWidth + 1).map(e => e.innerText)"
        )
        assert not wide, (address, wide)
        assert app.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, address


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"Save": None}, "“Save” is missing"),
        ({"Safe": "Tresor"}, "“Safe” is not used"),
        ({"Due {date}": "Fällig {day}"}, "“Due {date}” has other places"),
        ({"{n} notes": {"other": "{n} Notizen"}}, "“{n} notes” needs the forms one,other"),
        ({"{n} notes": {"one": "eine", "other": "{n} Notizen"}}, "“{n} notes” (one) lacks {n}"),
        ({}, ""),
    ],
)
def test_an_incomplete_catalogue_fails_lint(
    tmp_path: Path, change: dict[str, object], problem: str
) -> None:
    shutil.copytree(WEB / "src" / "locales", tmp_path, dirs_exist_ok=True)
    german = json.loads((tmp_path / "de.json").read_text()) | change
    german = {text: words for text, words in german.items() if words is not None}
    (tmp_path / "de.json").write_text(json.dumps(german))
    check = [str(NODE), str(WEB / "tools" / "check-languages.mjs"), str(tmp_path)]
    reply = subprocess.run(check, capture_output=True, text=True, check=False, cwd=WEB)
    assert (reply.returncode == 0) == (not problem), reply.stderr
    assert problem in reply.stderr
