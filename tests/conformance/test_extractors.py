"""Every kind of file: its text is extracted, marks are exact, and its content tells the kind."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from textwrap import wrap
from typing import Any

import docx
import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from remem.adapters.extractors import languages
from remem.adapters.extractors.charset import charset_of, decode
from remem.adapters.extractors.engines import Engines
from remem.adapters.extractors.kinds import extract, reader_of
from remem.adapters.extractors.sniff import sniff
from remem.core.chunking.model import Joint
from remem.core.content_kinds import KINDS
from remem.core.errors import Unreadable
from remem.core.extraction_ports import PictureText
from remem.core.ports import Extracted, Original
from remem.core.text import clean
from tests.samples import make
from tests.samples.engines import FixedAsr, FixedOcr, SilentAsr
from tests.samples.make import SAMPLES, SENTENCE, sample
from tests.tools.speech import speak

ENGINES = Engines(ocr=FixedOcr(), asr=FixedAsr())

Read = Callable[..., Extracted]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Write bytes or text into a file and extract it."""

    def write_and_extract(
        content: bytes | str, name: str | None = None, **claims: Any
    ) -> Extracted:
        path = tmp_path / "original"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return extract(Original(path, name, **claims), ENGINES)

    return write_and_extract


def read_sample(folder: Path, name: str) -> Extracted:
    return extract(Original(sample(folder, name), name), ENGINES)


def marks_of(extracted: Extracted, joint: Joint) -> list[tuple[str, float | None, str]]:
    """Label, number and first line of the text of each mark of one kind."""
    content = extracted.content
    return [
        (mark.label, mark.number, content[mark.start :].split("\n")[0])
        for mark in extracted.marks
        if mark.joint is joint
    ]


@pytest.mark.parametrize("name", SAMPLES)
def test_text_and_metadata_of_every_kind(tmp_path: Path, name: str) -> None:
    extracted = read_sample(tmp_path, name)
    assert SENTENCE in extracted.content
    assert extracted.content_type == SAMPLES[name].kind
    assert SAMPLES[name].found.items() <= dict(extracted.found).items()
    assert extracted.cut is None


@pytest.mark.parametrize("name", sorted(set(SAMPLES) - {"ships.py"}))
def test_extracted_text_is_already_clean(tmp_path: Path, name: str) -> None:
    """Cleaning the text later would shift the marks."""
    content = read_sample(tmp_path, name).content
    assert clean(content) == content


def test_code_keeps_its_blank_lines(tmp_path: Path) -> None:
    source = sample(tmp_path, "ships.py").read_bytes().decode()
    assert read_sample(tmp_path, "ships.py").content == source.replace("\r\n", "\n")


def test_a_page_becomes_its_article_as_markdown(tmp_path: Path) -> None:
    path = sample(tmp_path, "page.html")
    url = "https://quay.example/seven-ships"
    content = extract(Original(path, url=url), ENGINES).content
    assert "He wrote their **names** into a *green* book" in content
    assert "[town](https://quay.example/town?id=1)" in content
    assert "\n## What he saw\n" in content
    assert "1. A grey sail in the north, close to the rocks\n   - It carried no flag" in content
    assert "\n2. Two boats at anchor" in content
    assert "\n> Nobody had expected" in content
    assert "```python\ndef count(ships):\n    return len(ships)\n\nprint(" in content
    assert "| Ship | Tons |\n| --- | --- |\n| Erebus | 372 |" in content
    for noise in ("Home", "News", "newsletter", "Copyright", "secret"):
        assert noise not in content


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p>One short line.</p>", "One short line."),
        ("<html><body>Bare words</body></html>", "Bare words"),
        (
            "<html><body><div>First part.<br><br>Second <i>part</i>.<br>Same.</div></body></html>",
            "First part.\n\nSecond *part*.\nSame.",
        ),
        ("<html><body><p>Signs ䷀䷁䷂ of change</p></body></html>", "Signs ䷀䷁䷂ of change"),
        ("<html><body><pre>a  b\n\n\tc</pre></body></html>", "```\na  b\n\n\tc\n```"),
        (
            '<html><body><p># no <a href="javascript:x()">heading</a></p></body></html>',
            "\\# no heading",
        ),
    ],
)
def test_small_and_odd_pages(read: Read, markup: str, expected: str) -> None:
    assert read(markup, "page.html").content == expected


def test_a_page_of_documentation_keeps_its_code_and_lists(read: Read) -> None:
    steps = "".join(f"<li>Step {n}: run the <code>make</code> program again</li>" for n in range(5))
    markup = (
        "<html><head><title>Guide</title></head><body><nav><a href='/'>Index</a></nav><main>"
        f"<h1>Guide</h1><p>How the tool is installed on a new machine.</p><ul>{steps}</ul>"
        '<div class="highlight-source-shell"><pre>pip install remem\nremem serve</pre></div>'
        '<h2><a href="#run">Running it</a> <a href="#run">¶</a></h2>'
        "<p>It runs until told to stop.</p>"
        "</main></body></html>"
    )
    content = read(markup, "guide.html").content
    assert "\n## Running it\n\nIt runs until told to stop." in content
    assert content.count("run the `make` program") == 5
    assert "```shell\npip install remem\nremem serve\n```" in content
    assert "Index" not in content


def test_a_page_is_trimmed_at_its_own_limit(tmp_path: Path) -> None:
    path = tmp_path / "long.html"
    path.write_text(f"<html><body>{'<p>' + SENTENCE * 5 + '</p>' * 1}" * 700 + "</body></html>")
    extracted = extract(Original(path), Engines(FixedOcr(), FixedAsr(), html_chars=10_000))
    assert len(extracted.content) <= 10_000
    assert extracted.cut == "Only the first 10,000 characters were kept."


def test_pages_of_a_pdf_are_marked(tmp_path: Path) -> None:
    extracted = read_sample(tmp_path, "paper.pdf")
    assert marks_of(extracted, Joint.PAGE) == [("", 1, "# Dawn"), ("", 2, "# Noon")]


def test_columns_hyphens_and_running_heads_of_a_pdf(tmp_path: Path) -> None:
    from reportlab.pdfgen import canvas

    path = tmp_path / "paper.pdf"
    paper = canvas.Canvas(str(path))
    for page in range(4):
        paper.drawString(60, 810, "The Journal of Quays, volume 3")
        paper.drawString(280, 20, f"Page {page + 1}")
        for row in range(20):
            end = "extraordi-" if row == 0 else f"left row {row} of it"
            paper.drawString(60, 760 - 16 * row, "nary ships came" if row == 1 else end)
            paper.drawString(330, 760 - 16 * row, f"right row {row} of it")
        paper.showPage()
    paper.save()
    content = extract(Original(path), ENGINES).content
    assert content.count("extraordinary ships came left row 2") == 4
    assert content.index("left row 19") < content.index("right row 0")
    assert content.count("Journal") == 1
    assert "Page 2" not in content


def text_of_pages(path: Path, pages: list[list[tuple[int, str]]]) -> str:
    """Extract a PDF whose pages have these lines at these heights."""
    from reportlab.pdfgen import canvas

    paper = canvas.Canvas(str(path))
    for number, lines in enumerate(pages):
        text = [(700 - 16 * row, f"{word} ships of fleet {number}, row") for row, word in LINES]
        for height, line in sorted([*lines, *text], reverse=True):
            paper.drawString(60, height, line)
        paper.showPage()
    paper.save()
    return extract(Original(path), ENGINES).content


LINES = list(enumerate(["The", "swift", "and sturdy", "old", "grey"]))
DATA: dict[str, list[str]] = {
    "balances": [f"Balance carried forward: {n},20{n}.50" for n in range(1, 6)],
    "balances without decimals": [f"Balance {n * 731}" for n in range(1, 6)],
    "equal amounts": ["Coffee 3.00"] * 5,
    "rows of a list": [f"Row {5 * n} of the list" for n in range(1, 6)],
    "rows that count": [f"Question {n}" for n in range(1, 6)],
    "dates": [f"{n} March 2024" for n in range(1, 6)],
    "dates in digits": [f"2024-03-0{n}" for n in range(1, 6)],
    "times": [f"Departure 07:2{n}" for n in range(1, 6)],
    "years": [f"{2019 + n * n}" for n in range(1, 6)],
    "bare totals": ["1204", "88", "1310", "7", "950"],
    "headings": [f"Chapter {n}" for n in range(1, 6)],
    "scores": [f"Anna {n} : {5 - n} Ben" for n in range(1, 6)],
}


@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize("height", [810, 30], ids=["top", "bottom"])
def test_lines_of_data_at_the_edge_of_pages_are_kept(
    tmp_path: Path, name: str, height: int
) -> None:
    content = text_of_pages(tmp_path / "a.pdf", [[(height, line)] for line in DATA[name]])
    lines = content.replace("# ", "").split("\n")
    assert [line for line in lines if line in DATA[name]] == DATA[name], content


def test_every_row_of_a_long_list_is_kept(tmp_path: Path) -> None:
    rows = [f"Entry {n}: paid {n} crowns" for n in range(1, 41)]
    pages = [
        [(780 - 24 * index, row) for index, row in enumerate(rows[start : start + 5])]
        for start in range(0, 40, 5)
    ]
    content = text_of_pages(tmp_path / "a.pdf", pages)
    assert [row for row in rows if row not in content] == []


@pytest.mark.parametrize(
    "line",
    [
        "{n}", "- {n} -", "Page {n}", "Page {n} of 5", "{n} / 5", "The Quay | {n}", "Seite {n}",
        "{n} · The Quay 2024", "{roman}",
    ],
)  # fmt: skip
def test_page_numbers_are_dropped(tmp_path: Path, line: str) -> None:
    romans = ["i", "ii", "iii", "iv", "v"]
    footers = [line.format(n=n + 1, roman=romans[n]) for n in range(5)]
    content = text_of_pages(tmp_path / "a.pdf", [[(30, footer)] for footer in footers])
    assert [line for line in content.split("\n") if line and "ships" not in line] == []


@pytest.mark.parametrize("height", [716, 620], ids=["top", "bottom"])
@pytest.mark.parametrize("label", ["Page {n} of 2", "Seite {n} von 2", "Page {n}/2", "- {n} -"])
def test_a_page_label_close_to_the_text_is_dropped(tmp_path: Path, label: str, height: int) -> None:
    pages = [[(height, label.format(n=n))] for n in (1, 2)]
    content = text_of_pages(tmp_path / "a.pdf", pages)
    assert [line for line in content.split("\n") if line and "ships" not in line] == []


def test_a_running_head_is_kept_once(tmp_path: Path) -> None:
    head = (810, "Account 4711 of Ines Duarte")
    content = text_of_pages(tmp_path / "a.pdf", [[head]] * 4)
    assert content.count("Account 4711") == 1
    assert content.count("The ships") == 4


def test_pages_without_text_are_read_by_ocr(tmp_path: Path) -> None:
    make.scan(tmp_path / "scan.pdf")
    extracted = extract(Original(tmp_path / "scan.pdf"), ENGINES)
    assert extracted.content == "The lighthouse keeper wrote every evening."
    assert marks_of(extracted, Joint.PAGE) == [("", 1, extracted.content)]


def test_rows_of_a_table_are_marked(tmp_path: Path) -> None:
    extracted = read_sample(tmp_path, "ships.csv")
    assert marks_of(extracted, Joint.ROW) == [
        ("", None, "ship: Erebus"),
        ("", None, "ship: Terror"),
    ]
    assert extracted.content.startswith(f"ship: Erebus\ntons: 372\nnote: {SENTENCE}\n\nship:")


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_tables_without_a_header_or_with_another_delimiter(read: Read, delimiter: str) -> None:
    rows = [("1826", "Erebus", "372"), ("1813", "Terror", "325"), ("1850", "Fox", "177")]
    extracted = read("\n".join(delimiter.join(row) for row in rows), "ships.csv")
    assert extracted.content.split("\n\n")[0] == "1826 | Erebus | 372"
    assert len(marks_of(extracted, Joint.ROW)) == 3


def test_a_table_that_is_too_long_with_its_column_names_keeps_every_row(read: Read) -> None:
    names = [f"{letter} {'long name ' * 5}".strip() for letter in "abcdefghij"]
    rows = [",".join([f"row{number}", *["-"] * 9]) for number in range(9_000)]
    extracted = read("\n".join([",".join(names), *rows]), "ships.csv")
    assert extracted.cut is None
    heading, first, *_, last = extracted.content.splitlines()
    assert (heading, first.split(" | ")[0]) == (" | ".join(names), "row0")
    assert last.split(" | ")[0] == "row8999"
    assert len(marks_of(extracted, Joint.ROW)) == 9_000
    assert marks_of(extracted, Joint.HEADING) == [(heading[:500].strip(), 1, heading)]


def test_turns_of_a_conversation_are_marked(tmp_path: Path) -> None:
    turns = marks_of(read_sample(tmp_path, "talk.json"), Joint.TURN)
    assert turns == [
        ("user", None, "user: How many ships?"),
        ("assistant", None, f"assistant: {SENTENCE}"),
    ]


def test_json_becomes_fields_and_ndjson_becomes_rows(read: Read, tmp_path: Path) -> None:
    content = read_sample(tmp_path, "log.json").content
    assert content == f"title: Log\nday.note: {SENTENCE}\nday.ships: 7, 8"
    lines = read('{"ship": "Erebus"}\n{"ship": "Terror"}\n{"ship": "Fo', "ships.ndjson")
    assert marks_of(lines, Joint.ROW) == [("", None, "ship: Erebus"), ("", None, "ship: Terror")]


def test_a_thread_becomes_posts_in_order(read: Read) -> None:
    posts = [
        {"text": f"Part {n} &amp; more", "author": "@ada", "likes": n, "date": "2024-03-05"}
        for n in (1, 2)
    ]
    import json

    extracted = read(json.dumps({"thread": posts}), "thread.json")
    assert extracted.content_type == "tweet"
    assert marks_of(extracted, Joint.TURN) == [("ada", None, "@ada, 2024-03-05:")] * 2
    assert "Part 1 & more\n1 likes" in extracted.content


def test_cues_have_times_and_speakers_have_turns(tmp_path: Path) -> None:
    extracted = read_sample(tmp_path, "film.vtt")
    assert marks_of(extracted, Joint.TIME) == [
        ("", 1.0, "Anna: How many ships?"),
        ("", 5.5, f"Bob: {SENTENCE}"),
        ("", 10.0, "And then it rained."),
    ]
    assert [label for label, _, _ in marks_of(extracted, Joint.TURN)] == ["Anna", "Bob"]


def test_srt_with_names_in_capitals(read: Read) -> None:
    srt = (
        f"1\n00:00:01,000 --> 00:00:02,500\nANNA: {SENTENCE}\n\n"
        "2\n00:01:03,000 --> 00:01:04,000\nYes.\n"
    )
    extracted = read(srt, "film.srt")
    assert marks_of(extracted, Joint.TIME) == [("", 1.0, f"ANNA: {SENTENCE}"), ("", 63.0, "Yes.")]


def test_speech_has_times(tmp_path: Path) -> None:
    make.tone(tmp_path / "talk.wav", 2.0)
    extracted = extract(Original(tmp_path / "talk.wav"), ENGINES)
    assert extracted.content_type == "audio"
    assert extracted.found["duration_s"] == 2.0
    assert marks_of(extracted, Joint.TIME) == [
        ("", 0.0, "How many ships?"),
        ("", 2.5, "The harbour master counted seven."),
    ]


def test_a_recording_without_speech_says_so(tmp_path: Path) -> None:
    make.tone(tmp_path / "tone.wav")
    with pytest.raises(Unreadable, match="No speech was found"):
        extract(Original(tmp_path / "tone.wav"), Engines(FixedOcr(), SilentAsr()))


def test_messages_of_a_mailbox_are_turns(tmp_path: Path) -> None:
    extracted = read_sample(tmp_path, "box.mbox")
    assert marks_of(extracted, Joint.TURN) == [
        ("ada@example.org", None, "## From ada"),
        ("bob@example.org", None, "## From bob"),
    ]
    assert "\nFrom the pier, ada." in extracted.content


def test_an_email_has_people_body_and_attachments(tmp_path: Path) -> None:
    content = read_sample(tmp_path, "letter.eml").content
    assert content.startswith(
        "# Sieben Schiffe für Bob\n\nFrom: Ada Lovelace <ada@example.org>\nTo:"
    )
    assert f"{SENTENCE}\n\nYours, **Ada**\n\nAttachments: ships.pdf" in content


@pytest.mark.parametrize("encoding", ["utf-8", "iso-8859-1"])
def test_headers_of_an_email_may_have_unencoded_letters(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "raw.eml"
    head = 'From: "Dr. Klaus-Peter Möhring" <k@example.org>\nSubject: Grüße'
    path.write_bytes(f"{head}\nDate: Mon, 5 Jan 2026 10:00:00 +0000\n\nHi.".encode(encoding))
    extracted = extract(Original(path), Engines(FixedOcr(), SilentAsr()))
    assert extracted.content.startswith("# Grüße\n\nFrom: Dr. Klaus-Peter Möhring <k@example.org>")
    assert extracted.found["author"] == "Dr. Klaus-Peter Möhring"


def test_an_encoded_name_may_contain_a_line_break(tmp_path: Path) -> None:
    path = tmp_path / "break.eml"
    path.write_text("From: =?utf-8?B?VXNlcgo=?= <x@example.org>\nSubject: a\nDate: x\n\nHi.")
    extracted = extract(Original(path), Engines(FixedOcr(), SilentAsr()))
    assert "From: User <x@example.org>\n" in extracted.content


def test_office_files_keep_headings_tables_slides_and_notes(tmp_path: Path) -> None:
    report = read_sample(tmp_path, "report.docx").content
    assert report.startswith("# What he saw\n")
    assert "**names**" in report
    assert "| Ship | Tons |\n| --- | --- |\n| Erebus | 372 |" in report
    fleet = read_sample(tmp_path, "fleet.xlsx")
    assert "## Ships\n\n| Ship | Tons | Note |" in fleet.content
    assert [line[:10] for _, _, line in marks_of(fleet, Joint.ROW)] == ["| Erebus |", "| Terror |"]
    show = read_sample(tmp_path, "show.pptx")
    assert marks_of(show, Joint.PAGE) == [("", 1, "## Dawn"), ("", 2, "## Noon")]
    assert "Notes: Speak slowly about Noon." in show.content


def test_chapters_of_a_book_are_in_reading_order(tmp_path: Path) -> None:
    content = read_sample(tmp_path, "book.epub").content
    assert content == f"# One\n\n{SENTENCE}\n\n# Two\n\nThe storm passed."


@pytest.mark.parametrize("ending", ["png", "jpg", "gif", "bmp", "webp", "tiff"])
def test_pictures_of_every_format_reach_ocr(tmp_path: Path, ending: str) -> None:
    make.picture(tmp_path / f"scan.{ending}")
    extracted = extract(Original(tmp_path / f"scan.{ending}"), ENGINES)
    assert extracted.content == "The lighthouse keeper wrote every evening."
    assert extracted.found["width"] == 1400


def test_the_local_ocr_reads_a_picture(tmp_path: Path) -> None:
    make.picture(tmp_path / "scan.png")
    assert (
        SENTENCE.split()[2:8]
        == extract(Original(tmp_path / "scan.png"), Engines()).content.split()[2:8]
    )


def test_the_local_asr_transcribes_a_voice(tmp_path: Path) -> None:
    path = speak(SENTENCE, tmp_path / "voice.wav", words_a_minute=175)
    extracted = extract(Original(path), Engines())
    assert "counted seven ships" in extracted.content
    assert marks_of(extracted, Joint.TIME)[0][1] == pytest.approx(0, abs=0.5)


@pytest.mark.parametrize("name", sorted(set(SAMPLES) - {"note.txt", "note.md", "ships.py"}))
def test_the_bytes_override_a_wrong_name_and_media_type(tmp_path: Path, name: str) -> None:
    """Only kinds that their bytes prove; the kind of plain text depends on its name."""
    path = sample(tmp_path, name)
    kind = "json" if name.endswith(("json", "ipynb")) else SAMPLES[name].kind
    assert sniff(Original(path, "holiday.txt", "text/plain")) == kind


@pytest.mark.parametrize(
    ("content", "name", "claim", "kind"),
    [
        ("Just a thought about ships, and one more.", None, None, "text"),
        ("Just a thought about ships.", None, "note", "note"),
        ("Just a thought about ships.", None, "tweet", "tweet"),
        ("# Ships\n\nSome **bold** words.", None, None, "markdown"),
        ("Only #one sign of it.", None, None, "text"),
        ("<p>Hello</p>", None, "text/html", "html"),
        ("<div><p>Hello</p></div>", None, None, "html"),
        ("I like the <b> tag", None, None, "text"),
        ("<!-- a --><!DOCTYPE html><p>x", "page.txt", None, "html"),
        ("<div align=center>\n\n# Title\n</div>", "README.md", None, "markdown"),
        ("<?php echo '<html><body>'; ?>", "index.php", None, "code"),
        ('{"a": 1}', None, None, "json"),
        ("{not json}", None, None, "text"),
        ("a,b\n1,2\n3,4\n", None, None, "csv"),
        ("Dear Bob, hello\nI came, I saw\nYours, Ada\n", None, None, "text"),
        ("From: a@b.c\nTo: d@e.f\nSubject: x\n\nHello", None, None, "email"),
        ("From: the beginning\nwe knew", None, None, "text"),
        ("import os\n\n\ndef main():\n    print(os.name)\n", None, None, "code"),
        (
            "```python\nimport os\n\n\ndef main():\n    print(os.name)\n```\nIt ran.",
            None,
            None,
            "markdown",
        ),
        ("    def main():\n        pass\n\n~~~\nx\n~~~\n", None, None, "markdown"),
        ("We import goods and define terms:\nlike this one.\n", None, None, "text"),
        ("#!/usr/bin/env python3\nx = 1\n", None, None, "code"),
        ("<?xml version='1.0'?><feed><title>x</title></feed>", "feed.xml", None, "code"),
    ],
)
def test_kinds_of_text_are_recognized(
    tmp_path: Path, content: str, name: str | None, claim: str | None, kind: str
) -> None:
    path = tmp_path / "original"
    path.write_text(content)
    assert sniff(Original(path, name, claim)) == kind


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_a_reader(kind: str) -> None:
    assert callable(reader_of(kind))


@pytest.mark.parametrize(
    ("charset", "text"),
    [
        ("utf-8-sig", "Ölfarbe für den Kutter"),
        ("utf-16", "Ölfarbe für den Kutter"),
        ("utf-16-le", "Plain words without a mark"),
        ("cp1252", "El niño comió piñas en España; ¿qué más? “Olé”"),
        ("cp1251", "Сегодня хорошая погода в Москве, и мы гуляем"),
        ("koi8_r", "Сегодня хорошая погода в Москве, и мы гуляем"),
        ("shift_jis", "今日は天気がいいですね。東京は晴れです。"),
        ("euc_jp", "今日は天気がいいですね。東京は晴れです。"),
        ("gb18030", "今天天气很好，北京是晴天。我们去公园散步吧。"),
        ("cp949", "오늘 날씨가 좋습니다. 서울은 맑음입니다."),
        ("cp1250", "Zażółć gęślą jaźń. Dziękuję, że przyszedłeś na kolację"),
    ],
)
def test_charsets_are_detected(read: Read, charset: str, text: str) -> None:
    assert read(text.encode(charset), "note.txt").content == text


def test_a_declared_charset_is_used_unless_it_is_wrong() -> None:
    page = '<meta charset="windows-1251"><p>Привет</p>'
    assert "Привет" in decode(page.encode("cp1251"))
    assert charset_of('<meta charset="windows-1251"><p>Größe</p>'.encode()) == "utf-8"
    assert charset_of(b'<meta charset="zlib"><p>Gr\xf6\xdfe') == "cp1252"


SNIPPETS = {
    "python": "from x import y\n\nclass A:\n    def f(self):\n        return self.x\n",
    "javascript": "const a = require('fs');\nfunction f() {\n  console.log(a);\n}\n",
    "typescript": "interface A {\n  name: string;\n}\nexport type B = A | null;\n",
    "java": "package a.b;\n\npublic class A {\n  public static void main(String[] a) {\n  }\n}\n",
    "c": '#include <stdio.h>\n\nint main(void) {\n  printf("x");\n}\n',
    "cpp": "#include <vector>\nusing namespace std;\nint main() {\n  std::cout << 1;\n}\n",
    "csharp": "using System;\nnamespace A {\n  public class B { public int C { get; set; } }\n}\n",
    "go": 'package main\n\nimport "fmt"\n\nfunc main() {\n\tx := 1\n\tfmt.Println(x)\n}\n',
    "rust": 'use std::fs;\n\nfn main() {\n    let mut x = 1;\n    println!("{}", x);\n}\n',
    "ruby": "require 'json'\n\nclass A\n  def b\n    puts 1\n  end\nend\n",
    "php": "<?php\n$x = 1;\necho $x;\n",
    "kotlin": "data class A(val b: Int)\n\nfun main() {\n    val x = 1\n    println(x)\n}\n",
    "swift": "import Foundation\n\nfunc f() -> String {\n    guard let x = y else { return }\n}\n",
    "bash": 'set -e\nif [ -f a ]; then\n  echo "${a}"\nfi\n',
    "sql": "CREATE TABLE a (\n  id integer PRIMARY KEY\n);\nINSERT INTO a VALUES (1);\n",
    "haskell": "module A where\n\nimport Data.List\n\nf :: Int -> Int\nf x = x\n",
    "css": ".a {\n  color: red;\n  margin: 2px;\n}\n",
    "diff": "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n",
}


@pytest.mark.parametrize("language", SNIPPETS)
def test_a_language_is_recognized_by_its_code(language: str) -> None:
    assert languages.by_content(SNIPPETS[language]) == language


def test_more_than_thirty_languages_are_recognized_by_name() -> None:
    assert len(set(languages.BY_EXTENSION.values())) > 30
    assert languages.by_name("src/Main.KT") == "kotlin"
    assert languages.by_name("Dockerfile.dev") == "dockerfile"
    assert languages.by_name("notes.txt") is None


def test_a_notebook_becomes_prose_and_code(read: Read) -> None:
    notebook = (
        '{"nbformat": 4, "metadata": {"language_info": {"name": "python"}}, "cells": ['
        '{"cell_type": "markdown", "source": ["# Ships\\n", "Seven of them."]},'
        '{"cell_type": "code", "source": ["print(7)"], "outputs": []}]}'
    )
    assert (
        read(notebook, "a.ipynb").content == "# Ships\nSeven of them.\n\n```python\nprint(7)\n```"
    )


@pytest.mark.parametrize(
    ("sender", "name"),
    [
        ('"Klein, Mara" <mara@example.org>', "Klein, Mara"),
        ("'Mara Klein' via Garden <g@example.org>", "Mara Klein via Garden"),
        ("=?utf-8?q?=22M=C3=BCller=22?= <m@example.org>", "Müller"),
        ('"O\'Brien" <o@example.org>', "O'Brien"),
        ("<mara@example.org>", "mara@example.org"),
    ],
)
def test_a_sender_has_no_quotation_marks(tmp_path: Path, sender: str, name: str) -> None:
    path = tmp_path / "letter.eml"
    date = "Mon, 2 Nov 2026 10:00:00 +0100"
    path.write_text(f"From: {sender}\nTo: t@example.org\nDate: {date}\n\nHi.")
    extracted = extract(Original(path, path.name), ENGINES)
    assert extracted.found["author"] == name
    assert '"' not in extracted.content


def test_the_date_of_a_template_is_not_that_of_a_document(tmp_path: Path) -> None:
    def saved(created: datetime, modified: datetime) -> str | None:
        document = docx.Document()
        document.add_paragraph("The mill is for sale.")
        document.core_properties.created = created
        document.core_properties.modified = modified
        document.save(str(tmp_path / "letter.docx"))
        extracted = extract(Original(tmp_path / "letter.docx", "letter.docx"), ENGINES)
        return extracted.found.get("published_at")

    today = datetime.now(UTC).replace(microsecond=0, tzinfo=None)
    long_ago = datetime(2013, 12, 23, 23, 15)
    assert saved(long_ago, long_ago + timedelta(days=1)) is None
    assert (saved(today, today) or "")[:19] == today.isoformat()
    assert (saved(long_ago, today) or "")[:19] == today.isoformat()
    assert (saved(today - timedelta(days=40), today) or "") < today.isoformat()


def printed(tmp_path: Path, *pages: tuple[Sequence[str], str]) -> str:
    """The text of a PDF; each page has lines and, at its foot, a label."""
    sheet = Canvas(str(tmp_path / "sheet.pdf"))
    for lines, label in pages:
        for number, line in enumerate(lines):
            sheet.drawString(72, 720 - 14 * number, line)
        sheet.drawCentredString(300, 40, label)
        sheet.showPage()
    sheet.save()
    return extract(Original(tmp_path / "sheet.pdf"), ENGINES).content


@pytest.mark.parametrize("label", ["Page {} of 2", "Seite {}", "- {} -", "p. {}", "{}", "{} / 2"])
def test_a_page_label_is_no_text(tmp_path: Path, label: str) -> None:
    content = printed(
        tmp_path,
        (["The mill was built in 1890.", "It burnt down."], label.format(1)),
        (["The heron lives by the pond."], label.format(2)),
    )
    assert content.endswith("The heron lives by the pond.")
    assert "burnt down.\n\nThe heron" in content


def test_lines_keep_the_breaks_that_a_person_made(tmp_path: Path) -> None:
    address = ["Mara Klein", "Mill Lane 5", "8010 Graz"]
    assert printed(tmp_path, (address, "")) == "\n".join(address)
    sentence = "The heron stood on one leg by the mill pond for an hour and then it flew away. "
    wrapped = wrap(sentence * 8, 80)
    assert printed(tmp_path, (wrapped, "")) == " ".join(wrapped)
    narrow = wrap(sentence * 8, 40)
    assert printed(tmp_path, (narrow, "")) == " ".join(narrow)


class UnsureOcr:
    """Read what a model makes of a script that it does not know."""

    def __init__(self, text: str) -> None:
        self._text = text

    def read(self, image: bytes) -> PictureText:
        return PictureText(self._text, is_sure=False)


@pytest.mark.parametrize("name", ["picture.png", "scan.pdf"])
def test_text_that_may_be_wrong_is_marked(tmp_path: Path, name: str) -> None:
    Image.new("RGB", (900, 300), "white").save(tmp_path / name)
    read = extract(Original(tmp_path / name), Engines(UnsureOcr("Tα κλειδι"), SilentAsr()))
    assert "Tα κλειδι" in read.content
    assert "may be wrong" in str(read.cut)


def test_a_picture_in_an_unknown_script_says_so(tmp_path: Path) -> None:
    Image.new("RGB", (300, 300), "white").save(tmp_path / "picture.png")
    with pytest.raises(Unreadable, match="REMEM_OCR_LANGUAGES") as caught:
        extract(Original(tmp_path / "picture.png"), Engines(UnsureOcr(""), SilentAsr()))
    assert caught.value.code == "picture_not_understood"
