"""Bookmarks of X: read from the open page while it is scrolled, and saved once."""

from tests.conftest import Person
from tests.extension.chrome import Chrome, click
from tests.extension.pages import post
from tests.extension.sites import Sites
from tests.tools.waiting import until

# Like the site, the page shows ten posts at a time and drops those that were scrolled past.
PAGE = """<!doctype html><html><head><title>Bookmarks / X</title></head><body>
<main style="height: calc(%dpx + 100vh)">
<div id="posts" style="position: sticky; top: 0"></div></main>
<script>const posts = %s; const show = () => { const from = Math.floor(scrollY / 80);
document.getElementById('posts').innerHTML = posts.slice(from, from + 10).join(''); };
addEventListener('scroll', show); show();</script></body></html>"""
COUNT = 22


def bookmarks_page(sites: Sites, start: int, count: int) -> str:
    """A page of posts with consecutive ids."""
    numbers = range(start, start + count)
    posts = [post(n, "ada", "Ada", f"Bookmark number {n} is about boats.") for n in numbers]
    return sites.put("x.com/i/bookmarks", PAGE % (80 * count - 780, posts))


def test_bookmarks_are_saved_once(chrome: Chrome, owner: Person, sites: Sites) -> None:
    url = bookmarks_page(sites, 900, COUNT)
    page, _ = chrome.visit(url)
    popup = chrome.click_icon(url)
    click(popup, "Save all my bookmarks")
    until(lambda: len(bookmarked(owner)) == COUNT)
    page.wait("!document.querySelector('remem-bookmarks')?.dataset.busy")
    sources = {document["source_url"] for document in bookmarked(owner)}
    assert sources == {f"https://x.com/ada/status/{900 + n}" for n in range(COUNT)}
    # The only request is the page itself.
    assert {path for path in sites.requests if path.startswith("x.com/i/")} == {"x.com/i/bookmarks"}
    chrome.close(page)


def bookmarked(owner: Person) -> list[dict[str, str]]:
    listed = owner.http.get("/v3/documents", params={"tags": "x-bookmark", "limit": 100}).json()
    return [document for document in listed["documents"] if "x-bookmark" in document["tags"]]
