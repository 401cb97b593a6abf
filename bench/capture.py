"""How much the browser extension captures of 208 saved pages: words, misses, and requests sent."""

import argparse
import importlib
import json
import re
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
# Imported by name: the type checker covers bench/ and src/, but not tests/.
CHROMIUM = importlib.import_module("tests.tools.chromium")
SITES = importlib.import_module("tests.extension.sites")

DATA = ROOT.parent / "shared" / "data" / "pages"
SCRIPT = ROOT / "extension" / "dist" / "chrome-mv3" / "capture.js"
WORD = re.compile(r"\w+")
URL_COMMENT = re.compile(r'<!--\s*(\{"url".*?\})\s*-->')
# A page is missed when the capture has less than this share of its visible words.
MIN_SHARE = 0.1
# Requests that the browser sends on its own, whether a page is captured or not.
BROWSERS_OWN = re.compile(r"favicon|^content-autofill\.googleapis\.com/")
MIN_WORDS = 5


@dataclass(frozen=True)
class Result:
    name: str
    words: int
    shown: int
    ms: float
    asked: int
    cut: bool
    problem: str

    @property
    def missed(self) -> bool:
        few = self.words < min(MIN_WORDS, self.shown)
        part = self.words < MIN_SHARE * self.shown and not self.cut
        return bool(self.problem) or few or part


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="pages whose name contains this")
    parser.add_argument("--data", type=Path, default=DATA.parent)
    args = parser.parse_args()
    all_paths = sorted((args.data / "pages").glob("*.html"))
    paths = [path for path in all_paths if args.only in path.name]
    if not paths or not SCRIPT.is_file():
        sys.exit("Run `make extension` first, and put the saved pages into ../shared/data/pages.")
    with tempfile.TemporaryDirectory() as folder, SITES.serve_sites(Path(folder)) as sites:
        # Every host name resolves to the server with the saved page, which has nothing else.
        everywhere = f"--host-resolver-rules=MAP * 127.0.0.1:{sites.port}"
        with CHROMIUM.open_browser("--ignore-certificate-errors", everywhere) as browser:
            page = browser.new_page()
            # Scripts of the page must not change it during the capture or leave it.
            page.send("Emulation.setScriptExecutionDisabled", value=True)
            results = [measure(page, sites, path) for path in paths]
    report(results)


def measure(page: Any, sites: Any, path: Path) -> Result:
    body = path.read_text(errors="replace")
    url = url_of(path, body)
    parts = urlsplit(url)
    address = f"{parts.hostname}{parts.path or '/'}" + (f"?{parts.query}" if parts.query else "")
    sites.replies.clear()
    sites.put(address, body)
    page.send("Page.navigate", url="about:blank")
    page.open(url)
    shown = count(str(evaluate(page, "document.body?.innerText ?? ''").get("value", "")))
    sites.requests.clear()
    started = time.perf_counter()
    # The value of the script is the promise of the draft.
    outcome = evaluate(page, SCRIPT.read_text())
    ms = (time.perf_counter() - started) * 1_000
    draft = outcome.get("value") or {}
    problem = "" if draft.get("content") else str(outcome.get("description", "nothing came"))[:100]
    words = count(draft.get("content", ""))
    requests = sum(not BROWSERS_OWN.search(address) for address in sites.requests)
    return Result(path.stem, words, shown, ms, requests, "cutFrom" in draft, problem)


def url_of(path: Path, body: str) -> str:
    match = URL_COMMENT.search(body[:2_000])
    url = str(json.loads(match[1])["url"]) if match else f"https://saved.example/{path.stem}"
    return re.sub("^http:", "https:", url)


def evaluate(page: Any, script: str) -> dict[str, Any]:
    reply = page.send(
        "Runtime.evaluate",
        expression=script,
        awaitPromise=True,
        returnByValue=True,
        # Scripts of the page are off; this one still runs.
        disableBreaks=True,
    )
    return reply.get("exceptionDetails", {}).get("exception") or reply.get("result", {})


def count(text: str) -> int:
    return len(WORD.findall(text))


def report(results: list[Result]) -> None:
    missed = [result for result in results if result.missed]
    for result in results:
        share = f"{result.words:>7} of {result.shown:>7} words"
        print(f"{share} {result.ms:>6.0f} ms  {result.name}{'  MISS' if result.missed else ''}")
    print(f"\n{len(missed)} misses of {len(results)}:")
    for result in missed:
        print(f"  {result.name}: {result.words} of {result.shown} words {result.problem}")
    figures = {
        "bench": "capture",
        "pages": len(results),
        "words": sum(result.words for result in results),
        "shown": sum(result.shown for result in results),
        "missed": len(missed),
        "median_ms": round(statistics.median(result.ms for result in results)),
        "worst_ms": round(max(result.ms for result in results)),
        "requests": sum(result.asked for result in results),
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
