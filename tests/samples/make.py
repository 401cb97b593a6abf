"""Write one small file of each kind, with a sentence that a test can search for."""

import json
import mailbox
import math
import struct
import wave
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path
from typing import Any

SENTENCE = "The harbour master counted seven ships before the storm arrived."

PAGE = """<!doctype html>
<html lang="en-GB"><head><title>Seven ships | The Quay</title>
<meta property="og:title" content="Seven ships">
<meta property="og:site_name" content="The Quay">
<meta name="author" content="Ada Lovelace">
<meta property="article:published_time" content="2024-03-05T09:30:00Z">
<link rel="canonical" href="https://quay.example/seven-ships"></head>
<body><header><a href="/">Home</a></header><nav><ul><li><a href="/a">News</a></li></ul></nav>
<main><article><h1>Seven ships</h1>
<p>SAID He wrote their <b>names</b> into a <em>green</em> book, as he had done on every
evening since he came to the <a href="/town?id=1">town</a>.</p>
<h2>What he saw</h2>
<ol><li>A grey sail in the north, close to the rocks
<ul><li>It carried no flag that anybody knew</li></ul></li><li>Two boats at anchor</li></ol>
<blockquote><p>Nobody had expected so many of them at that time of the year.</p></blockquote>
<pre><code class="language-python">def count(ships):
    return len(ships)

print(count(["Erebus"]))</code></pre>
<table><tr><th>Ship</th><th>Tons</th></tr><tr><td>Erebus</td><td>372</td></tr>
<tr><td>Terror</td><td>325</td></tr></table>
<p>When the wind turned he closed the book, put out the lamp and went down to the water to see
whether the ropes would hold until the morning, as they had held in every other year.</p>
</article></main>
<aside><p>Subscribe to our newsletter</p></aside>
<footer><p>Copyright 2024 The Quay. All rights reserved.</p></footer>
<script>var secret = "not text";</script></body></html>"""


def text(path: Path, sentence: str = SENTENCE) -> None:
    path.write_text(f"A walk along the quay.\r\n\r\n\r\n\r\n{sentence}   \r\nThen it rained.\r\n")


def markdown(path: Path, sentence: str = SENTENCE) -> None:
    path.write_text(
        f"---\ntitle: Seven ships\nauthor: Ada\n---\n\n# Ships\n\n- one\n- two\n\n{sentence}\n"
    )


def html(path: Path, sentence: str = SENTENCE) -> None:
    path.write_text(PAGE.replace("SAID", sentence))


def code(path: Path, sentence: str = SENTENCE) -> None:
    path.write_text(
        f'def count(ships):\r\n    """{sentence}"""\r\n\r\n\r\n\r\n    return len(ships)\r\n'
    )


def csv(path: Path, sentence: str = SENTENCE) -> None:
    path.write_text(f'ship;tons;note\nErebus;372;"{sentence}"\nTerror;325;Lost in the ice\n')


def json_(path: Path, sentence: str = SENTENCE) -> None:
    path.write_text(
        json.dumps({"title": "Log", "day": {"note": sentence, "ships": [7, 8]}, "no": None})
    )


def talk(path: Path, sentence: str = SENTENCE) -> None:
    turns = [
        {"role": "user", "content": "How many ships?"},
        {"role": "assistant", "content": sentence},
    ]
    path.write_text(json.dumps({"title": "Ships", "messages": turns}))


def tweet(path: Path, sentence: str = SENTENCE) -> None:
    user = {"name": "Ada Lovelace", "screen_name": "ada"}
    post = {"created_at": "Wed Oct 10 20:19:24 +0000 2018", "full_text": sentence, "user": user}
    path.write_text(json.dumps({**post, "favorite_count": 12, "retweet_count": 3}))


def subtitles(path: Path, sentence: str = SENTENCE) -> None:
    path.write_text(
        "WEBVTT\n\n00:01.000 --> 00:04.000\n<v Anna>How many <i>ships</i>?\n\n"
        f"00:05.500 --> 00:09.000\n<v Bob>{sentence}\n\n"
        "00:10.000 --> 00:12.250\nAnd then it rained.\n"
    )


def srt(path: Path, sentence: str = SENTENCE) -> None:
    path.write_text(
        f"1\n00:00:01,000 --> 00:00:04,500\nANNA: {sentence}\n\n"
        "2\n00:01:03,000 --> 00:01:04,000\nBOB: So it was.\n"
    )


def thread(path: Path, sentence: str = SENTENCE) -> None:
    posts = [
        {"text": part, "author": "@ada", "likes": 3, "date": "2024-03-05"}
        for part in ("What I learned today, in two parts.", sentence)
    ]
    path.write_text(json.dumps({"thread": posts}))


def notebook(path: Path, sentence: str = SENTENCE) -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Notes\n", sentence]},
        {"cell_type": "code", "source": ["print(7)"], "outputs": []},
    ]
    path.write_text(json.dumps({"nbformat": 4, "metadata": {}, "cells": cells}))


def letter(sentence: str = SENTENCE) -> EmailMessage:
    message = EmailMessage()
    message["From"] = "Ada Lovelace <ada@example.org>"
    message["To"] = "Bob <bob@example.org>"
    message["Subject"] = "Sieben Schiffe für Bob"
    message["Date"] = "Tue, 05 Mar 2024 09:30:00 +0000"
    message.set_content("See the other part.")
    message.add_alternative(
        f"<html><body><p>{sentence}</p><p>Yours, <b>Ada</b></p></body></html>", "html"
    )
    message.add_attachment(b"%PDF-1.4", "application", "pdf", filename="ships.pdf")
    return message


def email(path: Path, sentence: str = SENTENCE) -> None:
    path.write_bytes(letter(sentence).as_bytes())


def mbox(path: Path, sentence: str = SENTENCE) -> None:
    box = mailbox.mbox(path)
    for name in ("ada", "bob"):
        message = EmailMessage()
        message["From"], message["Subject"] = f"{name}@example.org", f"From {name}"
        message["Date"] = "Tue, 05 Mar 2024 09:30:00 +0000"
        message.set_content(f"{sentence}\n\nFrom the pier, {name}.\n")
        box.add(message)
    box.close()


def docx(path: Path, sentence: str = SENTENCE) -> None:
    import docx as writer

    document = writer.Document()
    document.core_properties.title = "Seven ships"
    document.core_properties.author = "Ada Lovelace"
    document.add_heading("What he saw", 1)
    paragraph = document.add_paragraph(f"{sentence} He wrote their ")
    paragraph.add_run("names").bold = True
    document.add_paragraph("A grey sail", style="List Bullet")
    table = document.add_table(rows=2, cols=2)
    for number, words in enumerate(("Ship", "Tons", "Erebus", "372")):
        table.cell(number // 2, number % 2).text = words
    document.save(str(path))


def xlsx(path: Path, sentence: str = SENTENCE) -> None:
    import openpyxl

    book = openpyxl.Workbook()
    book.properties.title = "Fleet"
    sheet = book.active
    assert sheet is not None
    sheet.title = "Ships"
    for row in (("Ship", "Tons", "Note"), ("Erebus", 372, sentence), ("Terror", 325.5, "Lost")):
        sheet.append(row)
    book.create_sheet("Crew").append(("Who", "Age"))
    book.save(path)


def pptx(path: Path, sentence: str = SENTENCE) -> None:
    import pptx as writer

    show = writer.Presentation()
    show.core_properties.title = "Seven ships"
    for title, body in (("Dawn", "The sea was calm."), ("Noon", sentence)):
        slide = show.slides.add_slide(show.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = body
        slide.notes_slide.notes_text_frame.text = f"Speak slowly about {title}."
    show.save(str(path))


def epub(path: Path, sentence: str = SENTENCE) -> None:
    container = (
        '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0">'
        '<rootfiles><rootfile full-path="OEBPS/book.opf" '
        'media-type="application/oebps-package+xml"/>'
        "</rootfiles></container>"
    )
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata '
        'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>The Quay</dc:title>'
        "<dc:creator>Ada Lovelace</dc:creator><dc:language>en-GB</dc:language>"
        "<dc:date>2001-02-03</dc:date></metadata><manifest>"
        '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>'
        '<item id="b" href="two.xhtml" media-type="application/xhtml+xml"/>'
        '<item id="a" href="one%20.xhtml" media-type="application/xhtml+xml"/></manifest>'
        '<spine><itemref idref="nav"/><itemref idref="a"/><itemref idref="b"/></spine></package>'
    )
    chapter = '<html xmlns="http://www.w3.org/1999/xhtml"><body><h1>{}</h1><p>{}</p></body></html>'
    with zipfile.ZipFile(path, "w") as book:
        book.writestr("mimetype", "application/epub+zip")
        book.writestr("META-INF/container.xml", container)
        book.writestr("OEBPS/book.opf", package)
        book.writestr("OEBPS/nav.xhtml", chapter.format("Contents", "One, two"))
        book.writestr("OEBPS/two.xhtml", chapter.format("Two", "The storm passed."))
        book.writestr("OEBPS/one .xhtml", chapter.format("One", sentence))


def pdf(path: Path, sentence: str = SENTENCE) -> None:
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import PageBreak, Paragraph, SimpleDocTemplate

    style = getSampleStyleSheet()
    document = SimpleDocTemplate(str(path), title="Seven ships", author="Ada Lovelace")
    document.build(
        [
            Paragraph("Dawn", style["Title"]),
            Paragraph("The sea was calm, and nobody was awake yet. " * 4, style["BodyText"]),
            PageBreak(),
            Paragraph("Noon", style["Heading1"]),
            Paragraph(sentence, style["BodyText"]),
        ]
    )


def picture(path: Path, *lines: str) -> None:
    from PIL import Image, ImageDraw, ImageFont

    page = Image.new("RGB", (1400, 120 + 80 * max(1, len(lines))), "white")
    draw, font = ImageDraw.Draw(page), ImageFont.load_default(36)
    for number, line in enumerate(lines or (SENTENCE,)):
        draw.text((60, 60 + 80 * number), line, fill="black", font=font)
    page.save(path)


def scan(path: Path, *lines: str) -> None:
    """Write a PDF that contains only an image of a page."""
    from PIL import Image

    image_path = path.with_suffix(".scan.png")
    picture(image_path, *lines)
    with Image.open(image_path) as page:
        page.save(path)


def svg(path: Path, sentence: str = SENTENCE) -> None:
    path.write_text(
        '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><title>Quay</title>'
        f"<text>The harbour</text><text><tspan>{sentence}</tspan></text></svg>"
    )


def tone(path: Path, seconds: float = 1.0) -> None:
    """Write a recording without speech."""
    rate = 16_000
    samples = (int(8_000 * math.sin(i / 20)) for i in range(int(rate * seconds)))
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(b"".join(struct.pack("<h", sample) for sample in samples))


@dataclass(frozen=True)
class Sample:
    """A file of one kind: how it is made, the metadata that is found in it, and in another file of
    this kind a text of its own with two queries that find it."""

    make: Callable[..., None]
    kind: str
    found: dict[str, Any]
    text: str
    question: str
    words: str


SAMPLES = {
    "note.txt": Sample(
        text,
        "text",
        {},
        "Grandmother kept her sourdough starter alive with rye flour for forty years.",
        "Who fed a starter with rye flour?",
        "sourdough forty years",
    ),
    "note.md": Sample(
        markdown,
        "markdown",
        {},
        "The thermostat in the attic must never be set above nineteen degrees.",
        "How warm may the attic be?",
        "thermostat attic nineteen",
    ),
    "page.html": Sample(
        html,
        "html",
        {
            "title": "Seven ships",
            "author": "Ada Lovelace",
            "published_at": "2024-03-05T09:30:00+00:00",
            "language": "en",
            "site_name": "The Quay",
            "url": "https://quay.example/seven-ships",
        },
        "Volcanic soil gives the wine of that island its taste of smoke and salt.",
        "Why does the island's wine taste smoky?",
        "volcanic soil wine",
    ),
    "ships.py": Sample(
        code,
        "code",
        {"code_language": "python"},
        "Returns the number of parcels that the courier has not delivered yet.",
        "Which function tells how many parcels are undelivered?",
        "parcels courier delivered",
    ),
    "ships.csv": Sample(
        csv,
        "csv",
        {"columns": ["ship", "tons", "note"], "row_count": 2},
        "Refused customs inspection in Valparaiso because of missing stamps",
        "Where was a customs inspection refused?",
        "customs Valparaiso stamps",
    ),
    "log.json": Sample(
        json_,
        "json",
        {"title": "Log"},
        "The cooling pump of reactor two vibrates at every start.",
        "What is wrong with the pump of the reactor?",
        "cooling pump vibrates",
    ),
    "talk.json": Sample(
        talk,
        "json",
        {"title": "Ships"},
        "You should prune apple trees in late winter, before the buds swell.",
        "When is the time to prune apple trees?",
        "prune apple buds",
    ),
    "tweet.json": Sample(
        tweet,
        "tweet",
        {
            "author": "Ada Lovelace",
            "published_at": "2018-10-10T20:19:24+00:00",
            "likes": 12,
            "reposts": 3,
        },
        "My telescope finally showed me the rings of Saturn from the balcony!",
        "Who saw Saturn's rings from a balcony?",
        "telescope rings Saturn",
    ),
    "thread.json": Sample(
        thread,
        "tweet",
        {"author": "ada"},
        "Octopuses taste with their arms, which carry most of their neurons.",
        "How do octopuses taste?",
        "octopuses arms neurons",
    ),
    "notes.ipynb": Sample(
        notebook,
        "markdown",
        {"code_language": "python"},
        "The gradient exploded until we clipped its norm at one.",
        "What did we do against an exploding gradient?",
        "gradient clipped norm",
    ),
    "film.vtt": Sample(
        subtitles,
        "subtitles",
        {"duration_s": 12.25},
        "The detective found the forged passport behind the piano.",
        "Where was the forged passport hidden?",
        "detective passport piano",
    ),
    "film.srt": Sample(
        srt,
        "subtitles",
        {"duration_s": 64.0},
        "We buried the treasure map under the third olive tree.",
        "Under which tree is the treasure map?",
        "buried treasure olive",
    ),
    "letter.eml": Sample(
        email,
        "email",
        {
            "title": "Sieben Schiffe für Bob",
            "author": "Ada Lovelace",
            "recipients": "Bob <bob@example.org>",
            "published_at": "2024-03-05T09:30:00+00:00",
            "attachments": ["ships.pdf"],
        },
        "The landlord agrees to replace the kitchen boiler before Easter.",
        "When will the boiler in the kitchen be replaced?",
        "landlord boiler Easter",
    ),
    "box.mbox": Sample(
        mbox,
        "email",
        {"message_count": 2},
        "The choir rehearsal moves to the gymnasium while the church roof is mended.",
        "Where does the choir rehearse for now?",
        "choir rehearsal gymnasium",
    ),
    "report.docx": Sample(
        docx,
        "docx",
        {"title": "Seven ships", "author": "Ada Lovelace"},
        "The audit found three invoices that had been paid twice to the same supplier.",
        "What did the audit find about invoices?",
        "invoices paid twice supplier",
    ),
    "fleet.xlsx": Sample(
        xlsx,
        "xlsx",
        {"title": "Fleet"},
        "Needs a new gearbox before the next marathon season",
        "What needs a new gearbox?",
        "gearbox marathon season",
    ),
    "show.pptx": Sample(
        pptx,
        "pptx",
        {"title": "Seven ships", "page_count": 2},
        "Our subscribers leave because the onboarding emails arrive too late.",
        "Why do subscribers leave us?",
        "subscribers onboarding emails",
    ),
    "book.epub": Sample(
        epub,
        "epub",
        {
            "title": "The Quay",
            "author": "Ada Lovelace",
            "language": "en",
            "published_at": "2001-02-03",
        },
        "The beekeeper's daughter learned Latin from the monks of the valley.",
        "Who taught the beekeeper's daughter Latin?",
        "beekeeper Latin monks",
    ),
    "paper.pdf": Sample(
        pdf,
        "pdf",
        {"title": "Seven ships", "author": "Ada Lovelace", "page_count": 2},
        "Mycelium insulation burned more slowly than polystyrene in every trial.",
        "Which insulation burned more slowly?",
        "mycelium polystyrene trial",
    ),
    "drawing.svg": Sample(
        svg,
        "image",
        {"title": "Quay"},
        "Emergency valve of the hydraulic elevator",
        "Where is the valve for an emergency with the elevator?",
        "hydraulic elevator valve",
    ),
}


def sample(folder: Path, name: str, sentence: str = SENTENCE) -> Path:
    path = folder / name
    SAMPLES[name].make(path, sentence)
    return path
