"""The contract of OCR, tested for every adapter; then tests of single adapters."""

import base64
import io
import json
import struct
import sys
import time
import zlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw, ImageFont

from remem.adapters.ocr import ADAPTERS
from remem.adapters.ocr.layout import Line, reading_order
from remem.adapters.ocr.local import LocalOcr
from remem.adapters.ocr.picture import SIDE, split_into_strips
from remem.adapters.ocr.tesseract import TesseractOcr
from remem.adapters.ocr.vision import VisionOcr
from remem.core.errors import CannotStart, Unavailable, Unreadable
from remem.core.extraction_ports import PictureText
from remem.core.ports import Ocr
from tests.tools.site import Page, Site, hang_up, in_turn, page, serving

PICTURES = Path(__file__).parents[1] / "samples" / "pictures"
KEY = "key-that-must-stay-secret"
SENTENCE = "Ada moved to Lisbon in March."
LETTER = [
    "Ada moved to Lisbon in March and works on compilers.",
    "The invoice 20481 over 1,249.50 EUR is due on 2026-12-01.",
    "Write to ada@example.org before the end of the month.",
    # The model for upside-down lines, which is not used, would rotate this one.
    "6. Distil: from chunks come typed, scored, dated memories with their e",
]

connections: list[object] = []


def record_connection(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "socket.connect" and isinstance(arguments[1], tuple):
        connections.append(arguments[1][0])


sys.addaudithook(record_connection)


# --- pictures ---

Words = Sequence[tuple[int, int, str]]


def draw(words: Words, size: tuple[int, int] = (900, 240), points: int = 26) -> Image.Image:
    picture = Image.new("RGB", size, "white")
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(points)
    for left, top, text in words:
        pen.text((left, top), text, fill="black", font=font)
    return picture


def lines_below(texts: Sequence[str], left: int = 40, top: int = 40, step: int = 50) -> Words:
    return [(left, top + step * number, text) for number, text in enumerate(texts)]


def encode(picture: Image.Image, form: str = "PNG", **options: Any) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, form, **options)
    return buffer.getvalue()


SMALL = encode(draw([(10, 10, "small")], (90, 50)))


def character_error(expected: str, read: str) -> float:
    distance = list(range(len(read) + 1))
    for row, expected_char in enumerate(expected, 1):
        corner, distance[0] = distance[0], row
        for column, read_char in enumerate(read, 1):
            least = min(
                distance[column] + 1,
                distance[column - 1] + 1,
                corner + (expected_char != read_char),
            )
            corner, distance[column] = distance[column], least
    return distance[-1] / len(expected)


# --- the readers ---


class CachingOcr(LocalOcr):
    """Read each picture only once."""

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[bytes, PictureText] = {}

    def read(self, image: bytes) -> PictureText:
        if image not in self._known:
            self._known[image] = super().read(image)
        return self._known[image]


@pytest.fixture(scope="module")
def local() -> LocalOcr:
    return CachingOcr()


@pytest.fixture
def server() -> Iterator[Site]:
    with serving(Site()) as site:
        yield site


def completion(text: object) -> bytes:
    message = {"role": "assistant", "content": text}
    choices = [{"index": 0, "message": message, "finish_reason": "stop"}]
    return json.dumps({"object": "chat.completion", "choices": choices}).encode()


def sent_body(site: Site) -> dict[str, Any]:
    return json.loads(site.requests[-1].body)


def sent_image(site: Site) -> Image.Image:
    address = sent_body(site)["messages"][0]["content"][1]["image_url"]["url"]
    return Image.open(io.BytesIO(base64.b64decode(address.partition("base64,")[2])))


def vision_at(site: Site, **options: Any) -> VisionOcr:
    return VisionOcr(f"{site.url}/v1/", KEY, "seer", **{"waits_s": (0.0, 0.0, 0.0), **options})


@pytest.fixture(params=list(ADAPTERS))
def ocr(request: pytest.FixtureRequest, local: LocalOcr) -> Ocr:
    if request.param == "local":
        return local
    if request.param == "tesseract":
        return TesseractOcr()
    assert request.param == "vision"
    site = request.getfixturevalue("server")

    def look(handler: BaseHTTPRequestHandler) -> None:
        """Read the sent picture with the local model in place of a paid one."""
        page(completion(local.read(encode(sent_image(site))).text or "(no text)"))(handler)

    site.pages["/v1/chat/completions"] = look
    return vision_at(site)


# --- every adapter ---


def test_printed_text_is_read(ocr: Ocr, capfd: pytest.CaptureFixture[str]) -> None:
    picture, expected = encode(draw(lines_below(LETTER), (1_100, 290))), "\n".join(LETTER)
    started = time.process_time()
    read = ocr.read(picture).text
    cpu_s, error = time.process_time() - started, character_error(expected, read)
    with capfd.disabled():
        print(
            f"\n{type(ocr).__name__}: character error {error:.1%}, {cpu_s:.1f} s", file=sys.stderr
        )
    assert error < 0.03


def test_a_picture_without_text_gives_none(ocr: Ocr) -> None:
    picture = Image.new("RGB", (300, 200), "white")
    assert ocr.read(encode(picture)).text == ""
    ImageDraw.Draw(picture).rectangle((100, 50, 200, 150), fill="teal")
    assert ocr.read(encode(picture)).text == ""


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("german", "Die Wohnungsschlüssel liegen bei\nder Nachbarin, Tür 14, Größe 38."),
        ("polish", "Klucze leżą u sąsiadki, źródło\nżółtej łodzi, część 5."),
    ],
)
def test_every_latin_script_is_read(local: LocalOcr, name: str, text: str) -> None:
    assert local.read((PICTURES / f"{name}.png").read_bytes()) == PictureText(text, is_sure=True)


@pytest.mark.parametrize("name", ["russian", "greek"])
def test_text_in_an_unknown_script_is_marked(local: LocalOcr, name: str) -> None:
    assert not local.read((PICTURES / f"{name}.png").read_bytes()).is_sure


@pytest.mark.parametrize("mode", ["1", "L", "P", "RGBA", "LA", "CMYK", "I;16"])
def test_pictures_of_every_kind_are_read(local: LocalOcr, mode: str) -> None:
    drawn = draw([(30, 40, SENTENCE)], (480, 120))
    picture = sixteen_bits(drawn) if mode == "I;16" else drawn.convert(mode)
    assert local.read(encode(picture, "JPEG" if mode == "CMYK" else "PNG")).text == SENTENCE


def sixteen_bits(picture: Image.Image) -> Image.Image:
    return Image.fromarray(np.asarray(picture.convert("L")).astype(np.uint16) * 257)


@pytest.mark.parametrize("ink", ["black", "white"])
def test_text_on_a_transparent_background_is_read(local: LocalOcr, ink: str) -> None:
    picture = Image.new("RGBA", (480, 120), (0, 0, 0, 0))
    font = ImageFont.load_default(26)
    ImageDraw.Draw(picture).text((30, 40), SENTENCE, fill=ink, font=font)
    assert local.read(encode(picture)).text == SENTENCE


def test_a_photograph_taken_sideways_is_read_upright(local: LocalOcr) -> None:
    turned = draw([(30, 40, SENTENCE)], (480, 120)).transpose(Image.Transpose.ROTATE_90)
    exif = Image.Exif()
    exif[0x0112] = 6
    assert local.read(encode(turned, "JPEG", exif=exif)).text == SENTENCE


def png_claiming(width: int, height: int) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        sum_ = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + sum_

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(1_000)))
    return b"\x89PNG\r\n\x1a\n" + body + chunk(b"IEND", b"")


@pytest.mark.parametrize(
    "image",
    [
        b"",
        b"not a picture",
        b"%PDF-1.7",
        encode(draw([(30, 40, SENTENCE)]))[:-200],
        encode(draw([(30, 40, SENTENCE)]), "JPEG")[:400],
        png_claiming(50_000, 50_000),
        png_claiming(10_000, 8_500),
        png_claiming(0, 10),
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
    ],
    ids="empty text pdf cut-png cut-jpeg bomb too-large nothing svg".split(),
)
def test_a_file_that_is_not_a_picture_is_refused(ocr: Ocr, image: bytes) -> None:
    with pytest.raises(Unreadable):
        ocr.read(image)


def test_a_large_picture_is_scaled_down_first(local: LocalOcr) -> None:
    large = draw([(200, 100, SENTENCE)], (3_000, 300), 90)
    [strip] = split_into_strips(encode(large))
    assert max(strip.size) == SIDE
    assert local.read(encode(large)).text == SENTENCE


def test_a_long_screenshot_is_read_to_its_end(local: LocalOcr) -> None:
    messages = [f"Message {number} says hello." for number in range(13)]
    image = encode(draw(lines_below(messages, step=90), (420, 1_260)))
    assert len(list(split_into_strips(image))) > 1
    assert local.read(image).text.split("\n") == messages


@pytest.mark.parametrize("size", [(1, 1), (3_000, 4), (4, 3_000), (2_000, 30), (40, 100_000)])
def test_very_narrow_pictures_are_read(local: LocalOcr, size: tuple[int, int]) -> None:
    picture = Image.new("RGB", size, "white")
    picture.putpixel((0, 0), (0, 0, 0))
    assert local.read(encode(picture)).text == ""


# --- the order of lines ---


def test_columns_are_read_one_after_the_other(local: LocalOcr) -> None:
    left = ["The first column tells", "of a river that runs", "down to the old bridge."]
    right = ["The second column is", "about a baker and his", "bread of rye and honey."]
    title = "TWO STORIES THAT STAND BESIDE EACH OTHER"
    words = [(40, 20, title), *lines_below(left, 40, 100), *lines_below(right, 480, 100)]
    assert local.read(encode(draw(words, (840, 260)))).text.split("\n") == [
        title,
        "",
        *left,
        "",
        *right,
    ]


def test_a_receipt_is_read_row_by_row(local: LocalOcr) -> None:
    goods, prices = ["Rye bread", "Butter", "Coffee"], ["2.10", "3.40", "12.95"]
    picture = draw([*lines_below(goods), *lines_below(prices, 480)], (640, 220))
    assert local.read(encode(picture)).text.split("\n") == [
        f"{good} {price}" for good, price in zip(goods, prices, strict=True)
    ]


def line_at(left: float, top: float, text: str, width: float = 200, height: float = 20) -> Line:
    return Line(left, top, left + width, top + height, text)


def test_three_columns_and_a_line_between() -> None:
    def column(left: float, top: float, name: str) -> list[Line]:
        return [line_at(left, top + 30 * number, f"{name}{number}") for number in range(3)]

    upper_columns = [
        line for number, x in enumerate((0, 240, 480)) for line in column(x, 0, "abc"[number])
    ]
    lower_columns = [
        line for number, x in enumerate((0, 240)) for line in column(x, 200, "xy"[number])
    ]
    across = line_at(0, 120, "across", 680)
    read = reading_order([*lower_columns, across, *reversed(upper_columns)]).split()
    names = [f"{name}{number}" for name in "abc" for number in range(3)]
    assert read == [*names, "across", *(f"{name}{number}" for name in "xy" for number in range(3))]


def test_a_gap_starts_a_new_paragraph_and_a_slope_does_not() -> None:
    sloping = [line_at(0, 30 * number, f"one{number}") for number in range(3)]
    after_gap = [line_at(0, 160 + 30 * number, f"two{number}") for number in range(2)]
    beside = line_at(210, 4, "same-row")
    assert (
        reading_order([beside, *after_gap, *sloping]) == "one0 same-row\none1\none2\n\ntwo0\ntwo1"
    )


positions = st.floats(0, 1_000, allow_nan=False)


@given(st.lists(st.tuples(positions, positions, st.floats(1, 800), st.floats(1, 60)), max_size=25))
def test_no_line_is_lost_or_repeated(boxes: list[tuple[float, float, float, float]]) -> None:
    page_lines = [line_at(x, y, f"w{number}", w, h) for number, (x, y, w, h) in enumerate(boxes)]
    assert sorted(reading_order(page_lines).split()) == sorted(line.text for line in page_lines)


# --- the local adapter ---


def test_threads_can_share_it_and_nothing_is_downloaded() -> None:
    connections.clear()
    fresh = LocalOcr()
    image = encode(draw([(30, 40, SENTENCE)], (480, 120)))
    with ThreadPoolExecutor(4) as readers:
        assert set(readers.map(fresh.read, [image] * 4)) == {PictureText(SENTENCE)}
    assert connections == []


def test_missing_models_are_reported(tmp_path: Path) -> None:
    with pytest.raises(CannotStart, match="reinstall rapidocr"):
        LocalOcr(folder=tmp_path).read(SMALL)


# --- tesseract ---


def program(tmp_path: Path, script: str) -> str:
    path = tmp_path / "tesseract"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


def test_a_missing_program_is_reported() -> None:
    with pytest.raises(CannotStart, match="install tesseract-ocr"):
        TesseractOcr(program="no-such-tesseract")


def test_a_program_that_fails_or_hangs_is_reported(tmp_path: Path) -> None:
    picture = SMALL
    failing = TesseractOcr(program=program(tmp_path, "echo 'no language xyz' >&2; exit 1"))
    with pytest.raises(Unreadable, match="no language xyz"):
        failing.read(picture)
    hanging = TesseractOcr(program=program(tmp_path, "exec sleep 60"), timeout_s=0.2)
    with pytest.raises(Unreadable, match=r"in 0\.2 s"):
        hanging.read(picture)


# --- the vision model ---


def test_the_request_follows_the_openai_protocol(server: Site) -> None:
    server.pages["/v1/chat/completions"] = page(completion("Ada moved."))
    drawn = draw([(30, 40, SENTENCE)], (480, 120))
    assert vision_at(server).read(encode(drawn, "JPEG")).text == "Ada moved."
    [request] = server.requests
    assert (request.method, request.headers["Authorization"]) == ("POST", f"Bearer {KEY}")
    body = sent_body(server)
    assert body["model"] == "seer"
    [message] = body["messages"]
    assert message["role"] == "user"
    assert [part["type"] for part in message["content"]] == ["text", "image_url"]
    assert message["content"][1]["image_url"]["url"].startswith("data:image/png;base64,")
    assert sent_image(server).size == (480, 120)


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("(no text)", ""),
        ("(no text).", ""),
        ("", ""),
        ("```\ntwo\nlines\n```", "two\nlines"),
        ("```text\none\n```", "one"),
        ("  plain \n", "plain"),
        ("x" * 200_000, "x" * 100_000),
    ],
)
def test_only_the_transcribed_text_is_kept(server: Site, answer: str, text: str) -> None:
    server.pages["/v1/chat/completions"] = page(completion(answer))
    assert vision_at(server).read(SMALL).text == text


@pytest.mark.parametrize(
    ("reply", "error", "message"),
    [
        (page(b"{}", 401), Unavailable, "key was refused"),
        (page(b"{}", 403), Unavailable, "key was refused"),
        (page(b"{}", 404), Unavailable, "has the model seer"),
        (page(b"{}", 400), Unreadable, "cannot read this picture"),
        (page(b"{}", 413), Unreadable, "cannot read this picture"),
        (page(b"<html>"), Unavailable, "no text as an answer"),
        (page(b"[]"), Unavailable, "no text as an answer"),
        (page(b'{"choices": []}'), Unavailable, "no text as an answer"),
        (page(completion(None)), Unavailable, "no text as an answer"),
    ],
)
def test_a_permanent_failure_is_reported_at_once(
    server: Site, reply: Page, error: type[Exception], message: str
) -> None:
    server.pages["/v1/chat/completions"] = reply
    with pytest.raises(error, match=message) as caught:
        vision_at(server).read(SMALL)
    assert KEY not in str(caught.value)
    assert len(server.requests) == 1


@pytest.mark.parametrize("failure", [page(b"", 500), page(b"", 429), hang_up])
def test_a_temporary_failure_is_retried(server: Site, failure: Page) -> None:
    server.pages["/v1/chat/completions"] = in_turn(
        failure, failure, failure, page(completion("here"))
    )
    assert vision_at(server).read(SMALL).text == "here"
    server.pages["/v1/chat/completions"] = failure
    with pytest.raises(Unavailable, match="cannot answer now"):
        vision_at(server).read(SMALL)
    assert len(server.requests) == 8


def test_a_server_that_does_not_answer_times_out(server: Site) -> None:
    server.pages["/v1/chat/completions"] = lambda _: server.closing.wait(30)
    with pytest.raises(Unavailable, match="no answer in time"):
        vision_at(server, timeout_s=0.1, waits_s=()).read(SMALL)


def test_an_invalid_url_is_reported() -> None:
    with pytest.raises(CannotStart):
        VisionOcr("api.example.org/v1", KEY, "seer")
