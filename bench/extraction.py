"""Text extraction from web pages, scans and speech, compared with trafilatura and readability."""

import argparse
import gzip
import json
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from remem.adapters.extractors.engines import Engines
from remem.adapters.extractors.kinds import extract
from remem.core.ports import Original

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
TOKEN = re.compile(r"\w+")
LINK = re.compile(r"\[([^\]]*)\]\([^)\s]*\)")
SHINGLE = 4
SPOKEN_TEXT = (
    "The harbour master counted seven ships before the storm arrived, and wrote their names into "
    "a heavy green book that nobody else was allowed to open."
)
SCANNED_LINES = (
    "The keeper of the lighthouse wrote one line every evening at nine.",
    "On the fourth of March he noted a grey sail in the north,",
    "and underlined the words twice with a blunt pencil.",
)

Reader = Callable[[bytes, str], str]


@dataclass(frozen=True)
class Score:
    f1: float
    precision: float
    recall: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="where the data sets are")
    figures: dict[str, Any] = {}
    figures |= pages(parser.parse_args().data / "article-extraction")
    figures |= spoken_and_scanned()
    print(json.dumps(figures))


def pages(folder: Path) -> dict[str, Any]:
    if not (folder / "ground-truth.json").is_file():
        print(f"Skipped the web pages: there is no article-extraction data in {folder}.")
        return {}
    truth = json.loads((folder / "ground-truth.json").read_text())
    markup = {
        key: gzip.decompress((folder / "html" / f"{key}.html.gz").read_bytes()) for key in truth
    }
    print(
        f"{len(truth)} pages; token F1: multiset of lower-case words a page, averaged over pages;"
    )
    print(f"shingle F1: the benchmark's own {SHINGLE}-word shingles, counted likewise.\n")
    print(f"{'':24}{'token F1':>10}{'precision':>11}{'recall':>8}{'shingle F1':>12}{'ms/page':>9}")
    figures: dict[str, Any] = {"pages": len(truth)}
    for name, read in readers().items():
        started = time.perf_counter()
        texts = {key: read(markup[key], truth[key].get("url", "")) for key in truth}
        took_ms = 1000 * (time.perf_counter() - started) / len(truth)
        tokens = average([score(truth[key]["articleBody"], texts[key], 1) for key in truth])
        shingles = average([score(truth[key]["articleBody"], texts[key], SHINGLE) for key in truth])
        print(
            f"{name:24}{tokens.f1:10.4f}{tokens.precision:11.4f}{tokens.recall:8.4f}"
            f"{shingles.f1:12.4f}{took_ms:9.0f}"
        )
        figures[f"{name.split(' ')[0]}_f1"] = round(tokens.f1, 4)
        figures[f"{name.split(' ')[0]}_shingle_f1"] = round(shingles.f1, 4)
    return figures


def readers() -> dict[str, Reader]:
    readers_by_name: dict[str, Reader] = {
        "remem": remem_text,
        "remem_raw (with links)": remem_markdown,
    }
    readers_by_name["trafilatura"] = plain_trafilatura
    try:
        import readability  # noqa: F401
    except ImportError:
        print("Skipped readability: install readability-lxml to compare with it.")
    else:
        readers_by_name["readability"] = readability_lxml
    return readers_by_name


def remem_text(markup: bytes, url: str) -> str:
    """The visible words, without the URLs of links."""
    return LINK.sub(r"\1", remem_markdown(markup, url))


def remem_markdown(markup: bytes, url: str) -> str:
    with tempfile.NamedTemporaryFile(suffix=".html") as file:
        file.write(markup)
        file.flush()
        return extract(Original(Path(file.name), "page.html", "text/html", url), Engines()).content


def plain_trafilatura(markup: bytes, url: str) -> str:
    import trafilatura

    return trafilatura.extract(markup, url=url) or ""


def readability_lxml(markup: bytes, url: str) -> str:
    from lxml.html import fromstring
    from readability import Document

    return fromstring(Document(markup.decode("utf-8", "replace")).summary()).text_content()


def score(truth: str, text: str, width: int) -> Score:
    wanted, got = grams(truth, width), grams(text, width)
    shared = (wanted & got).total()
    precision, recall = shared / max(1, got.total()), shared / max(1, wanted.total())
    return Score(2 * precision * recall / max(1e-9, precision + recall), precision, recall)


def grams(text: str, width: int) -> Counter[tuple[str, ...]]:
    words = TOKEN.findall(text.lower())
    return Counter(tuple(words[i : i + width]) for i in range(max(1, len(words) - width + 1)))


def average(scores: list[Score]) -> Score:
    count = max(1, len(scores))
    return Score(
        sum(score.f1 for score in scores) / count,
        sum(score.precision for score in scores) / count,
        sum(score.recall for score in scores) / count,
    )


def spoken_and_scanned() -> dict[str, Any]:
    figures: dict[str, Any] = {}
    print()
    with tempfile.TemporaryDirectory(prefix="remem-bench-") as folder:
        for name, make, truth in (
            ("speech", make_speech, SPOKEN_TEXT),
            ("scan", make_scan, " ".join(SCANNED_LINES)),
            ("scanned_pdf", make_scanned_pdf, " ".join(SCANNED_LINES)),
        ):
            try:
                path = make(Path(folder))
                started = time.perf_counter()
                text = extract(Original(path, path.name), Engines()).content
            except Exception as error:  # Measure the rest without a missing program or package.
                print(f"Skipped {name}: {error}")
                continue
            errors = word_errors(truth, text)
            print(f"{name:14}word error {errors:6.1%}   {time.perf_counter() - started:5.1f} s")
            figures[f"{name}_word_error"] = round(errors, 4)
    return figures


def make_speech(folder: Path) -> Path:
    path = folder / "speech.wav"
    subprocess.run(["espeak-ng", "-s", "150", "-w", str(path), SPOKEN_TEXT], check=True)
    return path


def make_scan(folder: Path) -> Path:
    from PIL import Image, ImageDraw, ImageFont

    path = folder / "scan.png"
    page = Image.new("L", (1400, 500), 245)
    draw, font = ImageDraw.Draw(page), ImageFont.load_default(36)
    for number, line in enumerate(SCANNED_LINES):
        draw.text((60, 80 + 90 * number), line, fill=30, font=font)
    page.rotate(0.6, fillcolor=245, resample=Image.Resampling.BICUBIC).save(path)
    return path


def make_scanned_pdf(folder: Path) -> Path:
    from PIL import Image

    path = folder / "scan.pdf"
    with Image.open(make_scan(folder)) as page:
        page.save(path, resolution=150)
    return path


def word_errors(truth: str, text: str) -> float:
    """Word error rate: substitutions, insertions and deletions per word of the truth."""
    wanted, got = TOKEN.findall(truth.lower()), TOKEN.findall(text.lower())
    row = [*range(len(got) + 1)]
    for i, word in enumerate(wanted, 1):
        diagonal, row[0] = row[0], i
        for j, other in enumerate(got, 1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (word != other))
    return row[-1] / len(wanted)


if __name__ == "__main__":
    sys.exit(main())
