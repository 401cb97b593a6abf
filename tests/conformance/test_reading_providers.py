"""Files read by remote providers: when one is down, no file is lost and its calls are paused."""

import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw

from remem.adapters import asr, ocr
from remem.adapters.circuit import FIRST_PAUSE_S, Circuit
from remem.adapters.extractors.engines import Engine
from remem.adapters.extractors.sandbox import SandboxedExtractor
from remem.core.errors import Unavailable, Unreadable
from remem.core.ports import Original
from tests.tools.site import Page, Site, hang_up, page, serving
from tests.tools.speech import speak

pytestmark = pytest.mark.anyio

CHAT, SPEECH = "/v1/chat/completions", "/v1/audio/transcriptions"
OCR_REPLY = page(json.dumps({"choices": [{"message": {"content": "The ferry leaves."}}]}).encode())
ASR_REPLY = page(json.dumps({"text": "Meet in two weeks.", "segments": []}).encode())
# The provider of these tests answers at once, except on a busy machine.
TIMEOUT_S = 3.0
now = 0.0


def clock() -> float:
    return now


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with pytest.MonkeyPatch.context() as patch, serving(Site()) as site:
        patch.setenv("NO_PROXY", "127.0.0.1")
        yield site


@pytest.fixture(scope="module")
def circuits() -> dict[str, Circuit]:
    return {name: Circuit(name, clock=clock) for name in ("ocr", "asr")}


@pytest.fixture(scope="module")
async def reader(site: Site, circuits: dict[str, Circuit]) -> AsyncIterator[SandboxedExtractor]:
    """One for all tests: each test ends with a working provider."""
    options = {
        "base_url": f"{site.url}/v1",
        "api_key": "key",
        "model": "tiny",
        "waits_s": [0.0],
        "timeout_s": TIMEOUT_S,
    }
    box = SandboxedExtractor(
        ocr=Engine(ocr.ADAPTERS["vision"].target, options),
        asr=Engine(asr.ADAPTERS["openai"].target, options),
        circuits=circuits,
    )
    yield box
    await box.close()


def picture(folder: Path) -> Original:
    path = folder / "sign.png"
    image = Image.new("RGB", (60, 30), "white")
    ImageDraw.Draw(image).line((0, 0, 60, 30), fill="black")
    image.save(path)
    return Original(path)


def sound(folder: Path) -> Original:
    return Original(speak("Two weeks.", folder / "said.wav"))


def hang(site: Site) -> Page:
    return lambda _: site.closing.wait(30) and None


KINDS: dict[str, Any] = {"ocr": (picture, CHAT, OCR_REPLY), "asr": (sound, SPEECH, ASR_REPLY)}
FAILURES: dict[str, Any] = {
    "hang": hang,
    "429 with a long Retry-After": lambda _: page(b"", 429, Retry_After="3600"),
    "500": lambda _: page(b"", 500),
    "HTML with 200": lambda _: page(b"<html>Back soon.</html>"),
    "JSON that is cut off": lambda _: page(b'{"choices": [{"mess'),
    "refused key": lambda _: page(b"", 401),
    "hung up": lambda _: hang_up,
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("failure", FAILURES)
async def test_a_failing_provider_is_paused_and_the_file_is_read_afterwards(
    site: Site,
    reader: SandboxedExtractor,
    circuits: dict[str, Circuit],
    tmp_path: Path,
    kind: str,
    failure: str,
) -> None:
    global now
    make, path, good = KINDS[kind]
    site.pages[path] = FAILURES[failure](site)
    original = make(tmp_path)
    with pytest.raises(Unavailable):
        await reader.extract(original)
    request_count = len(site.requests)
    assert circuits[kind].state().state == "paused"
    with pytest.raises(Unavailable, match="paused"):
        await reader.extract(original)
    assert len(site.requests) == request_count
    site.pages[path] = good
    now += FIRST_PAUSE_S
    assert (await reader.extract(original)).content.strip()
    assert circuits[kind].state().state == "ok"


async def test_a_refused_picture_is_unreadable_and_causes_no_pause(
    site: Site, reader: SandboxedExtractor, circuits: dict[str, Circuit], tmp_path: Path
) -> None:
    site.pages[CHAT] = page(b"", 400)
    with pytest.raises(Unreadable) as raised:
        await reader.extract(picture(tmp_path))
    assert not isinstance(raised.value, Unavailable)
    assert circuits["ocr"].state().state == "ok"
