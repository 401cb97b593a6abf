"""Run axe, the accessibility checker, in a page. The browser's protocol injects it.

A page uses few colours many times, and axe parses each occurrence again, which is a third of its
work. It stores private fields in weak maps, seven for every colour object: storing them under a
symbol on the object itself is far less work."""

from pathlib import Path
from typing import Any, Protocol

_AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
_READ_EACH_COLOUR_ONCE = """
(() => {
  const { Color } = axe.commons.color;
  const { parseString } = Color.prototype;
  const known = new Map();
  Color.prototype.parseString = function (text) {
    if (!known.has(text)) known.set(text, parseString.call(new Color(0, 0, 0), text));
    const { r, g, b, alpha } = known.get(text);
    return Object.assign(this, { r, g, b, alpha });
  };
})()
"""
_WITHOUT_WEAK_MAPS = """
(() => {
  class Stored {
    name = Symbol();
    has(key) { return this.name in key; }
    get(key) { return key[this.name]; }
    set(key, value) { key[this.name] = value; return this; }
    add(key) { return this.set(key, true); }
    delete(key) { return delete key[this.name]; }
  }
  ((WeakMap, WeakSet) => { %s })(Stored, Stored);
})()
"""
_VIOLATIONS = """
axe.run(document, { resultTypes: ['violations'], %s }).then(({ violations }) => violations
  .map(({ id, impact, nodes }) =>
    [impact, id + ': ' + nodes.map((node) => node.html.slice(0, 160)).join(' | ')]))
"""


class Tab(Protocol):
    def run(self, script: str) -> Any: ...
    def send(self, method: str, **params: Any) -> dict[str, Any]: ...


def violations(page: Tab, options: str = "") -> list[tuple[str, str]]:
    """The impact and the description of each violation on the page as it is shown now. `options`
    are added to axe's options."""
    if not page.run("!!window.axe"):
        page.send("Runtime.evaluate", expression=_WITHOUT_WEAK_MAPS % _AXE.read_text())
        page.run(_READ_EACH_COLOUR_ONCE)
    reply = page.send(
        "Runtime.evaluate", expression=_VIOLATIONS % options, awaitPromise=True, returnByValue=True
    )
    assert "exceptionDetails" not in reply, reply
    return [(impact, description) for impact, description in reply["result"]["value"]]
