"""What the extension can do, and what a page cannot make it do."""

import json
import re

from tests.conftest import Person, Server
from tests.extension import pages
from tests.extension.chrome import BUILT, ID, Chrome, check_accessible, click, evaluate, fill, see
from tests.extension.sites import Sites

WRITES_HTML = re.compile(
    r"innerHTML|outerHTML\W{0,4}=(?!=)|insertAdjacentHTML|setHTMLUnsafe|dangerously|eval\("
)


def test_the_manifest_asks_for_this_machine_alone() -> None:
    manifest = json.loads((BUILT / "manifest.json").read_text())
    assert manifest["host_permissions"] == ["http://127.0.0.1/*", "http://localhost/*"]
    assert sorted(manifest["permissions"]) == [
        "activeTab", "alarms", "contextMenus", "identity", "scripting", "storage",
    ]  # fmt: skip
    for absent in ("content_scripts", "externally_connectable", "web_accessible_resources"):
        assert absent not in manifest
    policy = manifest["content_security_policy"]["extension_pages"]
    assert "unsafe" not in policy and "script-src 'self'" in policy


def test_our_own_code_writes_no_html() -> None:
    """It may read it: the copy of a page is made of it."""
    sources = BUILT.parents[1]
    for path in [*(sources / "lib").rglob("*.ts*"), *(sources / "entrypoints").rglob("*.ts*")]:
        assert not WRITES_HTML.search(path.read_text()), path


def test_a_tab_cannot_be_read_before_a_click(chrome: Chrome, owner: Person, sites: Sites) -> None:
    url = sites.put("grok.com/private", pages.article("Private"))
    page, _ = chrome.visit(url)
    options = chrome.own_page("options.html")
    tabs = evaluate(options, "chrome.tabs.query({})")
    assert all(url not in json.dumps(tab) for tab in tabs)
    newest = max(tab["id"] for tab in tabs if "url" not in tab)
    answer = chrome.send_message(options, type="capture", tab=newest)
    assert answer["problem"]["code"] == "unreadable"
    chrome.close(options)
    chrome.close(page)


def test_a_page_has_no_way_to_the_background(chrome: Chrome, owner: Person, sites: Sites) -> None:
    url = sites.put("news.example/spy", pages.article("Spies"))
    page, _ = chrome.visit(url)
    assert page.run("typeof chrome.runtime?.sendMessage") == "undefined"
    # Files of the extension cannot even be fetched.
    fetched = evaluate(
        page, f"fetch('chrome-extension://{ID}/capture.js').then(() => 'read', () => 'refused')"
    )
    assert fetched == "refused"
    chrome.close(page)


def test_a_script_in_a_page_gets_no_credential(chrome: Chrome, owner: Person, sites: Sites) -> None:
    """Not even a script of ours, in the isolated world of a tab with access granted."""
    url = sites.put("news.example/inside", pages.article("Insides"))
    page, _ = chrome.visit(url)
    chrome.grant(url)
    script = """async () => {
        const ask = (request) => new Promise((resolve) =>
            chrome.runtime.sendMessage(request, resolve));
        const stored = await chrome.storage.local.get(null).catch(String);
        const session = await chrome.storage.session.get(null).catch(String);
        const answers = [];
        for (const type of ['status', 'sign-out', 'save', 'capture', 'recall', 'queue'])
            answers.push(await ask({type, query: 'heron', limit: 3, action: 'drop'}));
        return JSON.stringify({stored, session, answers, databases: await indexedDB.databases()});
    }"""
    worker = chrome.worker()
    result = evaluate(
        worker,
        f"""(async () => {{
            const tabs = await chrome.tabs.query({{}});
            const tab = tabs.find(tab => (tab.url ?? '').startsWith({json.dumps(url)}));
            const [done] = await chrome.scripting.executeScript(
                {{target: {{tabId: tab.id}}, func: {script}}});
            return done.result }})()""",
    )
    exposed = json.loads(result)
    assert not re.search(r"mct?_|refresh|Bearer|token", json.dumps(exposed["stored"]))
    assert "mct" not in json.dumps(exposed["session"])
    assert exposed["databases"] == []
    # Not even a recall is allowed: the person did not open the panel here.
    assert {answer["problem"]["code"] for answer in exposed["answers"]} == {"foreign"}
    chrome.close(page)


def test_bearer_calls_of_the_extension_pass_the_origin_check(server: Server, owner: Person) -> None:
    origin = {"Origin": f"chrome-extension://{ID}"}
    assert owner.http.get("/v3/whoami", headers=origin).status_code == 200
    body = {"content": "The extension may save from its own origin."}
    assert owner.http.post("/v3/memory", json=body, headers=origin).status_code == 201


def test_popup_options_and_welcome_are_accessible(
    chrome: Chrome, owner: Person, sites: Sites
) -> None:
    url = sites.put("news.example/axe", pages.article("Axes"))
    page, _ = chrome.visit(url)
    popup = chrome.click_icon(url)
    popup.wait("document.querySelector('#title')?.value")
    fill(popup, "#query", "treasure")
    popup.wait("document.querySelector('.results, .search .hint')")
    check_accessible(popup)
    click(popup, "Save to Memory")
    see(popup, "Saved")
    check_accessible(popup)
    for name in ("options.html", "welcome.html"):
        extension_page = chrome.own_page(name)
        extension_page.wait("document.querySelector('h1')")
        check_accessible(extension_page)
        chrome.close(extension_page)
    chrome.close(page)


def test_every_message_exists_in_every_language() -> None:
    folders = [BUILT / "_locales" / language / "messages.json" for language in ("en", "de")]
    english, german = (json.loads(path.read_text()) for path in folders)
    assert english.keys() == german.keys()
    for name, entry in english.items():
        places = re.findall(r"\$\d", entry["message"])
        assert sorted(places) == sorted(re.findall(r"\$\d", german[name]["message"])), name


def test_nothing_else_was_requested(chrome: Chrome, owner: Person, sites: Sites) -> None:
    """All requests were for pages that the tests opened. No other host can be resolved."""
    for request in sites.requests:
        path = request.partition("/")[2]
        known = any(request.startswith(address) for address in sites.replies)
        assert known or path.startswith(("favicon.ico", "media/", "e.svg", "youtubei/")), request
