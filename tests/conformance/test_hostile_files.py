"""Hostile files and the sandbox: each ends in a clear error or in a documented truncation."""

import asyncio
import json
import os
import signal
import struct
import time
import zipfile
import zlib
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

import remem.adapters.extractors.sandbox as sandbox
from remem.adapters import piped_process
from remem.adapters.extractors.engines import Engine
from remem.adapters.extractors.limits import IMAGE_PIXELS, PDF_PAGES, TEXT_CHARS
from remem.adapters.extractors.sandbox import SandboxedExtractor
from remem.core.errors import Unavailable, Unreadable
from remem.core.ports import Original
from tests.samples import make
from tests.samples.make import SAMPLES, sample
from tests.tools.peak_memory import PeakMemory

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).parents[2]
ENGINES_MODULE = "tests.samples.engines"
GIGABYTE = 1_000_000_000
BILLION_LAUGHS = '<!DOCTYPE lol [<!ENTITY a "ha">' + "".join(
    f'<!ENTITY {chr(98 + i)} "{f"&{chr(97 + i)};" * 10}">' for i in range(10)
)


@pytest.fixture(autouse=True, scope="module")
def engines_can_be_imported() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(ROOT), prepend=os.pathsep)
        yield


def sandboxed(
    ocr: str = "FixedOcr", asr: str = "FixedAsr", **settings: float
) -> SandboxedExtractor:
    engines = {"ocr": Engine(f"{ENGINES_MODULE}:{ocr}"), "asr": Engine(f"{ENGINES_MODULE}:{asr}")}
    return SandboxedExtractor(**engines, **settings)  # type: ignore


@pytest.fixture(scope="module")
def peak_memory() -> Iterator[PeakMemory]:
    peak_memory = PeakMemory()
    peak_memory.start()
    yield peak_memory
    peak_memory.stop()


@pytest.fixture(scope="module")
async def box(anyio_backend: str, peak_memory: PeakMemory) -> AsyncIterator[SandboxedExtractor]:
    """One sandbox for all tests: damage by one file would show in the tests after it."""
    extractor = sandboxed()
    yield extractor
    await extractor.close()
    assert 0 < peak_memory.peak_bytes < GIGABYTE


# --- the files ---


def zip_bomb(path: Path) -> None:
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file,
        file.open("word/document.xml", "w", force_zip64=True) as member,
    ):
        for _ in range(310):
            member.write(b"\0" * 1_000_000)


def lying_zip(path: Path) -> None:
    """A ZIP whose part unpacks to far more than its entry states."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("word/document.xml", b" " * 50_000_000)
    data = path.read_bytes()
    path.write_bytes(data.replace(struct.pack("<I", 50_000_000), struct.pack("<I", 1_000)))


def many_parts(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as file:
        for number in range(10_001):
            file.writestr(f"word/{number}.xml", "")
        file.writestr("word/document.xml", "<a/>")


def entity_bomb_docx(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("word/document.xml", f"<?xml version='1.0'?>{BILLION_LAUGHS}]><w>&k;</w>")


def entity_bomb_svg(path: Path) -> None:
    path.write_text(f"<?xml version='1.0'?>{BILLION_LAUGHS}]><svg><text>&k;</text></svg>")


def entity_bomb_epub(path: Path) -> None:
    make.epub(path)
    with zipfile.ZipFile(path, "a") as file:
        file.writestr("META-INF/encryption.xml", f"{BILLION_LAUGHS}]><a>&k;</a>")


def locked_pdf(path: Path) -> None:
    from reportlab.pdfgen import canvas

    paper = canvas.Canvas(str(path), encrypt="secret")
    paper.drawString(60, 700, "Nobody may read this.")
    paper.save()


def locked_epub(path: Path) -> None:
    make.epub(path)
    with zipfile.ZipFile(path, "a") as file:
        file.writestr(
            "META-INF/encryption.xml",
            "<encryption><EncryptionMethod Algorithm='http://www.w3.org/2001/04/xmlenc#aes128-cbc'/>"
            "</encryption>",
        )


def locked_office(path: Path) -> None:
    path.write_bytes(bytes.fromhex("d0cf11e0a1b11ae1") + bytes(2_000))


def picture_bomb(path: Path) -> None:
    """A PNG of a few bytes that claims to be 50,000 pixels wide and high."""

    def part(name: bytes, data: bytes) -> bytes:
        body = name + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", 50_000, 50_000, 8, 2, 0, 0, 0)
    rows = zlib.compress(bytes(1_000_000))
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + part(b"IHDR", header) + part(b"IDAT", rows))


def deep_json(path: Path) -> None:
    path.write_text("[" * 100_000 + "]" * 100_000)


def deep_mail(path: Path) -> None:
    head = "From: a@b.c\nTo: d@e.f\nSubject: x\nDate: Tue, 05 Mar 2024 09:30:00 +0000\n"
    parts = "".join(
        f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(3_000)
    )
    path.write_text(head + parts)


def deep_page(path: Path) -> None:
    path.write_text("<html><body>" + "<div>" * 100_000 + "words")


def noise(path: Path) -> None:
    path.write_bytes(bytes(range(256)) * 40)


def empty(path: Path) -> None:
    path.write_bytes(b"")


def blank(path: Path) -> None:
    path.write_text(" \n\t\n")


def huge(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(100_000_001)


REFUSED: dict[str, tuple[Callable[[Path], None], str]] = {
    "bomb.docx": (zip_bomb, "would unpack to 310 MB.*save it in smaller parts"),
    "lying.docx": (lying_zip, "is larger than it says|damaged"),
    "parts.docx": (many_parts, "has 10,002 parts"),
    "laughs.docx": (entity_bomb_docx, "declares entities of its own"),
    "laughs.svg": (entity_bomb_svg, "declares entities of its own"),
    "laughs.epub": (entity_bomb_epub, "declares entities of its own"),
    "locked.pdf": (locked_pdf, "is encrypted; remove its password"),
    "locked.epub": (locked_epub, r"is encrypted \(DRM\)"),
    "locked.docx": (locked_office, "encrypted; remove the password, or save it as DOCX"),
    "bomb.png": (picture_bomb, f"50,000 × 50,000 pixels.*{IMAGE_PIXELS // 1_000_000} million"),
    "deep.json": (deep_json, "nested more than 200 levels deep"),
    "deep.eml": (deep_mail, "too many parts inside each other"),
    "noise.bin": (noise, r"cannot be read \(.bin\), or it is damaged; save it as PDF"),
    "empty.pdf": (empty, r"is empty \(0 bytes\); check that it was saved"),
    "blank.txt": (blank, "There is no text in this text file"),
    "huge.csv": (huge, "is larger than the 100 MB that are read.*split it"),
}


@pytest.mark.parametrize("name", REFUSED)
async def test_a_hostile_file_is_refused_with_a_clear_error(
    tmp_path: Path, box: SandboxedExtractor, name: str
) -> None:
    make_file, message = REFUSED[name]
    make_file(tmp_path / name)
    with pytest.raises(Unreadable, match=message) as refused:
        await box.extract(Original(tmp_path / name, name))
    assert len(refused.value.message) < 300


async def test_a_page_with_a_hundred_thousand_levels_is_read(
    tmp_path: Path, box: SandboxedExtractor
) -> None:
    deep_page(tmp_path / "deep.html")
    assert (await box.extract(Original(tmp_path / "deep.html"))).content == "words"


def numbered_pdf(path: Path, pages: int) -> None:
    """Write a PDF with many pages by hand, which is faster than a library."""
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(pages))
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        f"<</Type/Pages/Count {pages}/Kids[{kids}]>>",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    for number in range(pages):
        content = f"BT /F1 12 Tf 72 700 Td (This is the text of sheet number {number + 1}) Tj ET"
        resources = "/Resources<</Font<</F1 3 0 R>>>>/MediaBox[0 0 595 842]"
        objects.append(f"<</Type/Page/Parent 2 0 R{resources}/Contents {5 + 2 * number} 0 R>>")
        objects.append(f"<</Length {len(content)}>>stream\n{content}\nendstream")
    header, offsets = "%PDF-1.4\n", []
    parts = [header]
    length = len(header)
    for number, object_body in enumerate(objects, 1):
        offsets.append(length)
        parts.append(f"{number} 0 obj\n{object_body}\nendobj\n")
        length += len(parts[-1])
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    size = len(objects) + 1
    parts.append(
        f"xref\n0 {size}\n0000000000 65535 f \n{table}"
        f"trailer<</Size {size}/Root 1 0 R>>\nstartxref\n{length}\n%%EOF"
    )
    path.write_text("".join(parts))


async def test_a_pdf_of_ten_thousand_pages_is_truncated(
    tmp_path: Path, box: SandboxedExtractor
) -> None:
    numbered_pdf(tmp_path / "long.pdf", 10_000)
    extracted = await box.extract(Original(tmp_path / "long.pdf"))
    assert extracted.cut == f"Only the first {PDF_PAGES:,} of 10,000 pages were kept."
    assert extracted.found["page_count"] == 10_000
    assert len(extracted.marks) == PDF_PAGES
    assert extracted.content.endswith(f"sheet number {PDF_PAGES}")


async def test_a_table_of_a_hundred_megabytes_is_truncated(
    tmp_path: Path, box: SandboxedExtractor
) -> None:
    path = tmp_path / "long.csv"
    rows = "".join(f"{n},Erebus {n},The ice held it for a winter\n" for n in range(20_000)).encode()
    with path.open("wb") as file:
        file.write(b"number,ship,note\n")
        for _ in range(99_000_000 // len(rows)):
            file.write(rows)
    extracted = await box.extract(Original(path, "long.csv"))
    rows_kept = len(extracted.marks)
    assert extracted.cut is not None
    assert extracted.cut.startswith(f"Only the first {rows_kept:,} rows were kept.")
    assert 0.99 * TEXT_CHARS < len(extracted.content) <= TEXT_CHARS


async def test_xml_with_an_entity_bomb_is_kept_as_text(
    tmp_path: Path, box: SandboxedExtractor
) -> None:
    path = tmp_path / "laughs.xml"
    path.write_text(f"<?xml version='1.0'?>\n{BILLION_LAUGHS}]>\n<lol>&k;</lol>")
    extracted = await box.extract(Original(path, "laughs.xml"))
    assert extracted.content == path.read_text()


@pytest.mark.parametrize("share", [0.02, 0.5, 0.98])
@pytest.mark.parametrize("name", SAMPLES)
async def test_a_truncated_file_is_refused_or_read_up_to_its_end(
    tmp_path: Path, box: SandboxedExtractor, name: str, share: float
) -> None:
    path = sample(tmp_path, name)
    data = path.read_bytes()
    path.write_bytes(data[: max(1, int(share * len(data)))])
    try:
        extracted = await box.extract(Original(path, name))
    except Unreadable as refused:
        assert refused.message.endswith(".")
        assert "could not be read (" not in refused.message
    else:
        assert extracted.content


@pytest.mark.parametrize("name", ["scan.png", "scan.jpg", "scan.tiff", "tone.wav"])
async def test_truncated_pictures_and_sound(
    tmp_path: Path, box: SandboxedExtractor, name: str
) -> None:
    path = tmp_path / name
    make.tone(path) if name.endswith("wav") else make.picture(path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    try:
        assert (await box.extract(Original(path, name))).content
    except Unreadable as refused:
        assert "damaged or incomplete" in refused.message


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ("a" + " " * 900_000 + "b", "text"),
        ("x = 1;\n" + "\n" * 900_000 + "y = 2;", "text"),
        ("<p " * 300_000, "text"),
        ("<!---->" * 100_000, "text"),
        ("[a" * 400_000, "text"),
        ("- [" * 300_000, "text"),
        ("From x 2020\n" * 70_000, "text"),
    ],
)
async def test_pathological_texts_are_sniffed_quickly(
    tmp_path: Path, box: SandboxedExtractor, content: str, kind: str
) -> None:
    """Texts are sniffed in the server process, so no pattern may take long on them."""
    path = tmp_path / "note"
    path.write_text(content)
    started = time.process_time()
    assert (await box.extract(Original(path))).content_type == kind
    assert time.process_time() - started < 5


# --- the sandbox ---


@pytest.fixture
def scan(tmp_path: Path) -> Original:
    make.picture(tmp_path / "scan.png")
    return Original(tmp_path / "scan.png")


async def test_a_child_gets_no_secrets(monkeypatch: pytest.MonkeyPatch, scan: Original) -> None:
    for name in ("OPENAI_API_KEY", "REMEM_DATABASE_URL", "AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN"):
        monkeypatch.setenv(name, "secret")
    box = sandboxed("EnvironmentOcr")
    reported = json.loads((await box.extract(scan)).content)
    await box.close()
    own_variables = {"LC_CTYPE", "ORT_DISABLE_TELEMETRY"}
    assert set(reported["environment"]) <= {
        *piped_process.INHERITED_VARIABLES,
        *piped_process.LIMITING_VARIABLES,
        *own_variables,
    }


async def pid_of(box: SandboxedExtractor, scan: Original) -> int:
    return json.loads((await box.extract(scan)).content)["pid"]


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def test_children_are_reused_replaced_and_ended(
    monkeypatch: pytest.MonkeyPatch, scan: Original
) -> None:
    monkeypatch.setattr(sandbox, "FILES_PER_CHILD", 2)
    box = sandboxed("EnvironmentOcr")
    pids = [await pid_of(box, scan) for _ in range(4)]
    assert pids[0] == pids[1] != pids[2] == pids[3]
    await box.close()
    assert not any(is_running(pid) for pid in pids)
    assert os.getpid() not in pids


async def test_an_idle_child_ends(monkeypatch: pytest.MonkeyPatch, scan: Original) -> None:
    monkeypatch.setattr(sandbox, "IDLE_S", 0.05)
    box = sandboxed("EnvironmentOcr")
    pid = await pid_of(box, scan)
    async with asyncio.timeout(120):
        while is_running(pid):
            await asyncio.sleep(0.01)
    assert await pid_of(box, scan) != pid
    await box.close()


@pytest.mark.parametrize(
    ("engine", "message"),
    [
        ("GreedyOcr", "needs more memory than the 1,000 MB it may take"),
        ("AbortingOcr", "needs more memory than"),
    ],
)
async def test_a_child_that_dies_does_not_affect_others(
    scan: Original, peak_memory: PeakMemory, engine: str, message: str
) -> None:
    box = sandboxed(engine)
    with pytest.raises(Unreadable, match=message):
        await box.extract(scan)
    table = sample(scan.path.parent, "ships.csv")
    assert (await box.extract(Original(table, "ships.csv"))).content
    await box.close()
    assert 0 < peak_memory.peak_bytes < GIGABYTE


@pytest.mark.parametrize("engine", ["SleepingOcr", "SpinningOcr"])
async def test_a_file_that_takes_too_long_is_refused(scan: Original, engine: str) -> None:
    box = sandboxed(engine, timeout_s=2)
    with pytest.raises(Unreadable, match="took longer than 2 s"):
        await box.extract(scan)
    # A busy machine may need longer than that for any file.
    box._timeout_s = 120
    table = sample(scan.path.parent, "ships.csv")
    assert (await box.extract(Original(table, "ships.csv"))).content
    await box.close()


async def test_a_cancelled_call_leaves_no_child(scan: Original) -> None:
    box = sandboxed("SleepingOcr")
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(1):
            await box.extract(scan)
    assert not box._busy
    assert not box._idle
    await box.close()


async def test_a_killed_child_is_replaced(scan: Original) -> None:
    box = sandboxed("EnvironmentOcr")
    first = await pid_of(box, scan)
    os.kill(first, signal.SIGKILL)
    assert await pid_of(box, scan) != first
    await box.close()


async def test_a_file_that_is_read_while_the_server_stops_is_not_unreadable(
    scan: Original,
) -> None:
    box = sandboxed("SleepingOcr")
    underway = asyncio.create_task(box.extract(scan))
    async with asyncio.timeout(120):
        while not box._busy:
            await asyncio.sleep(0.01)
    await box.close()
    with pytest.raises(Unavailable):
        await underway


async def test_output_of_a_library_does_not_corrupt_the_reply(scan: Original) -> None:
    box = sandboxed("PrintingOcr")
    assert (await box.extract(scan)).content == "Words on a picture."
    await box.close()


async def test_the_event_loop_is_not_blocked_and_children_are_limited(
    scan: Original, tmp_path: Path
) -> None:
    """The children wait for a file that the loop writes while it waits for them."""
    released = tmp_path / "released"
    engine = Engine(f"{ENGINES_MODULE}:WaitingOcr", {"path": str(released)})
    box = SandboxedExtractor(ocr=engine, processes=2)
    extractions = asyncio.gather(*(pid_of(box, scan) for _ in range(8)))
    async with asyncio.timeout(120):
        while not box._busy:
            await asyncio.sleep(0.01)
    released.touch()
    assert len(set(await extractions)) <= 2
    await box.close()


async def test_a_missing_engine_is_reported(scan: Original) -> None:
    box = SandboxedExtractor(ocr=Engine("no_such_module:Ocr"))
    with pytest.raises(Unreadable, match="Reading pictures is not set up here"):
        await box.extract(scan)
    await box.close()


async def test_video_is_recognized_by_its_bytes(tmp_path: Path, box: SandboxedExtractor) -> None:
    make.tone(tmp_path / "tone.wav")
    for name in ("film.mp4", "film.webm"):
        path = tmp_path / name
        command = ("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "color=s=64x64:d=1")
        process = await asyncio.create_subprocess_exec(
            *command, "-i", str(tmp_path / "tone.wav"), str(path)
        )
        assert await process.wait() == 0
        extracted = await box.extract(Original(path, "holiday.txt"))
        assert extracted.content_type == "video"
        assert extracted.found["duration_s"] == pytest.approx(1, abs=0.2)
