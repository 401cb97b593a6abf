"""Something else at the server's address, and pages that change or hide their content."""

import json
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.conftest import Person
from tests.extension import pages
from tests.extension.chrome import Chrome, click, fill, see
from tests.extension.sites import Sites
from tests.extension.test_saving import save
from tests.tools.http_server import QuietHandler, served

HEALTH = json.dumps({"status": "ok", "checks": {}, "version": "9.0.0"})
UNREADABLE = "The answer of your server cannot be read."
# A form exposes its fields as properties under their names.
FIELDS = (
    "nodeType nodeName attributes firstChild childNodes parentNode shadowRoot innerText tagName"
)
FORM = (
    "<!doctype html><title>A form around it</title><form>"
    + "".join(f'<input name="{name}">' for name in FIELDS.split())
    + pages.ARTICLE.partition("<main>")[2].partition("</main>")[0]
    + "</form>"
)
# A page that changes constantly and replaces methods of the browser.
RESTLESS = pages.article("Restless").replace(
    "</body>",
    """<script>for (const name of ['cloneNode', 'appendChild', 'insertBefore'])
Node.prototype[name] = () => { throw 'page' };
Element.prototype.querySelectorAll = Element.prototype.getAttribute = () => { throw 'page' };
Array.prototype.push = Array.prototype.slice = String.prototype.replace = () => { throw 'page' };
const grow = () => { const p = document.createElement('i'); p.textContent = 'grown ';
  document.body.append(p); if (document.body.children.length > 500) p.previousSibling.remove() };
setInterval(grow, 0)</script></body>""",
)


@contextmanager
def answering(body: str) -> Iterator[str]:
    """A server that is healthy, accepts every key, and gives the same answer to everything else."""

    class Handler(QuietHandler):
        def answer(self) -> None:
            known = {"/health": HEALTH, "/v3/whoami": json.dumps({"email": "ada@example.org"})}
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            data = known.get(self.path, body).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = answer

    with served(Handler) as url:
        yield url


@pytest.mark.parametrize("body", ["<html>Sign in to the hotel</html>", "{}", "[]", "null", '"x"'])
def test_an_unreadable_answer_leaves_the_save_in_the_queue(
    chrome: Chrome, owner: Person, sites: Sites, body: str
) -> None:
    url = sites.put("news.example/garbage", pages.article("Garbage"))
    options = chrome.own_page("options.html")
    chrome.visit(url)
    with answering(body) as base:
        assert chrome.send_message(options, type="sign-in", base=base, key="mc_any")["ok"]
        popup = chrome.click_icon(url)
        popup.wait("document.querySelector('#title')?.value")
        fill(popup, "#query", "heron")
        popup.wait("document.querySelector('.search .notice, .search .hint')")
        click(popup, "Save to Memory")
        see(popup, UNREADABLE)
        (waiting,) = chrome.send_message(options, type="status")["value"]["queue"]
    assert waiting["title"] == "Garbage" and waiting["state"] == "waiting"


@pytest.mark.parametrize(("title", "body"), [("A form around it", FORM), ("Restless", RESTLESS)])
def test_pages_that_resist(
    chrome: Chrome, owner: Person, sites: Sites, title: str, body: str
) -> None:
    document = save(chrome, owner, sites.put(f"news.example/resists{len(body)}", body))
    assert document["title"] == title
    assert "salmon return every June" in document["content"]
