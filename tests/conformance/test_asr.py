"""What everything that writes down speech promises, asked of each; then what only one can break.

The speaker is espeak-ng: a machine's voice, harder for the model than a person's."""

import email.parser
import email.policy
import io
import json
import re
import shutil
import subprocess
import sys
import time
import wave
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from remem.adapters.asr import ADAPTERS
from remem.adapters.asr import openai as remote
from remem.adapters.asr.local import LocalAsr
from remem.adapters.asr.mel import log_mel
from remem.adapters.asr.openai import OpenAiAsr
from remem.adapters.asr.pauses import FRAME, MAX_FRAMES, MIN_SPEECH_FRAMES, SPEECH, split_at_pauses
from remem.adapters.asr.sound import RATE, Samples, read_samples
from remem.adapters.asr.whisper import (
    Hypothesis,
    Segment,
    Transcriber,
    _split_segments,
    _transcribed_s,
)
from remem.core.errors import CannotStart, Unavailable, Unreadable
from remem.core.ports import Asr, Spoken
from tests.tools.site import Page, Site, hang_up, in_turn, page, serving
from tests.tools.speech import speak

KEY = "key-that-must-stay-secret"
SENTENCES = [
    "Please return the books before the end of the month.",
    "The first item is the repair of the roof, which was damaged by the storm in January.",
    "They decided to meet there again in two weeks.",
    "Nobody spoke against it, but she asked for three more offers before anything is signed.",
]
MAX_WORD_ERROR = 0.35
FFMPEG = "ffmpeg -nostdin -v error -y".split()
PICTURE = "-f lavfi -i color=size=64x64:rate=5 -shortest".split()

dialled: list[object] = []


def listen_in(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "socket.connect" and isinstance(arguments[1], tuple):
        dialled.append(arguments[1][0])


sys.addaudithook(listen_in)


# --- sounds ---


@pytest.fixture(scope="session")
def spoken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two sentences, about eight seconds."""
    return speak(" ".join(SENTENCES[:2]), tmp_path_factory.mktemp("speech") / "spoken.wav")


@pytest.fixture(scope="session")
def spoken_first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first sentence alone."""
    return speak(SENTENCES[0], tmp_path_factory.mktemp("speech") / "first.wav")


@pytest.fixture(scope="session")
def sample(spoken: Path) -> Samples:
    return np.concatenate(list(read_samples(spoken, 60)))


@pytest.fixture(scope="session")
def sample_first(spoken_first: Path) -> Samples:
    return np.concatenate(list(read_samples(spoken_first, 60)))


@pytest.fixture(scope="session")
def in_form(spoken_first: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The first sentence in another form, a picture with it where that is one of videos."""
    folder = tmp_path_factory.mktemp("forms")

    def make(form: str) -> Path:
        made = folder / f"with: colon.{form}"
        if not made.exists():
            given = ["-i", str(spoken_first), *(PICTURE if form in "mkv mp4 webm avi" else ())]
            subprocess.run([*FFMPEG, *given, f"file:{made}"], check=True)
        return made

    return make


def save(path: Path, samples: Samples, rate: int = RATE, channels: int = 1, width: int = 2) -> Path:
    """Samples from -1 to 1 as a WAV file of any shape."""
    whole = np.clip(samples, -1, 1) * (2 ** (8 * width - 1) - 1)
    if width == 1:
        raw = (whole + 128).astype(np.uint8)[:, None]
    else:
        raw = whole.astype("<i4")[:, None].view(np.uint8)[:, :width]
    with wave.open(str(path), "wb") as file:
        file.setparams((channels, width, rate, 0, "NONE", ""))
        file.writeframes(np.tile(raw, (1, channels)).tobytes())
    return path


def at_rate(samples: Samples, rate: int) -> Samples:
    length = round(len(samples) * rate / RATE)
    places = np.arange(length) * (RATE / rate)
    return np.interp(places, np.arange(len(samples)), samples).astype(np.float32)


def words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9']+", text.lower())


def word_error(right: str, heard: Sequence[Spoken]) -> float:
    said, written = words(right), words(" ".join(one.text for one in heard))
    distance = list(range(len(written) + 1))
    for row, one in enumerate(said, 1):
        corner, distance[0] = distance[0], row
        for column, other in enumerate(written, 1):
            least = min(distance[column] + 1, distance[column - 1] + 1, corner + (one != other))
            corner, distance[column] = distance[column], least
    return distance[-1] / len(said)


# --- those who listen ---


class HeardOnce(LocalAsr):
    """The sound that another was sent is not written down again for it."""

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[bytes, list[Spoken]] = {}

    def transcribe(self, path: Path) -> list[Spoken]:
        content = path.read_bytes()
        if content not in self._known:
            self._known[content] = super().transcribe(path)
        return self._known[content]


@pytest.fixture(scope="session")
def local() -> LocalAsr:
    return HeardOnce()


@pytest.fixture
def server() -> Iterator[Site]:
    with serving(Site()) as site:
        yield site


def verbose(heard: Sequence[Spoken]) -> bytes:
    segments = [
        {"id": number, "start": one.start_s, "end": one.end_s, "text": f" {one.text}"}
        for number, one in enumerate(heard)
    ]
    text = " ".join(one.text for one in heard)
    answer = {"task": "transcribe", "language": "english", "text": text, "segments": segments}
    return json.dumps(answer).encode()


def fields(site: Site) -> dict[str, Any]:
    """The form that came last: its fields, and of a file its name and bytes."""
    asked = site.asked[-1]
    head = f"Content-Type: {asked.headers['Content-Type']}\r\n\r\n".encode()
    form = email.parser.BytesParser(policy=email.policy.HTTP).parsebytes(head + asked.body)
    found: dict[str, Any] = {}
    for part in form.iter_parts():
        name = part.get_param("name", header="content-disposition")
        content = part.get_payload(decode=True)
        found[str(name)] = (
            (part.get_filename(), content) if part.get_filename() else content.decode()
        )
    return found


def remote_at(site: Site, **options: Any) -> OpenAiAsr:
    return OpenAiAsr(f"{site.url}/v1/", KEY, "ear", **{"waits_s": (0.0, 0.0, 0.0), **options})


@pytest.fixture(params=list(ADAPTERS))
def asr(request: pytest.FixtureRequest, local: LocalAsr, tmp_path: Path) -> Asr:
    if request.param == "local":
        return local
    assert request.param == "openai"
    site = request.getfixturevalue("server")

    def hear(asking: BaseHTTPRequestHandler) -> None:
        """In place of a paid model our own hears what it is sent."""
        sound = tmp_path / "sent"
        sound.write_bytes(fields(site)["file"][1])
        try:
            page(verbose(local.transcribe(sound)))(asking)
        except Unreadable:
            page(b'{"error": {"message": "Invalid file format."}}', 400)(asking)

    site.pages["/v1/audio/transcriptions"] = hear
    return remote_at(site)


# --- what every one promises ---


def test_speech_is_written_down(
    asr: Asr, spoken: Path, sample: Samples, capfd: pytest.CaptureFixture[str]
) -> None:
    began = time.process_time()
    heard = asr.transcribe(spoken)
    took_s, length_s = time.process_time() - began, len(sample) / RATE
    error = word_error(" ".join(SENTENCES[:2]), heard)
    with capfd.disabled():
        body = f"word error {error:.1%}, {took_s / length_s:.2f} s of CPU a second"
        print(f"\n{type(asr).__name__}: {body}", file=sys.stderr)
    assert error < MAX_WORD_ERROR
    assert_in_order(heard, length_s)


def assert_in_order(heard: Sequence[Spoken], length_s: float) -> None:
    times = [time_s for one in heard for time_s in (one.start_s, one.end_s)]
    assert times == sorted(times)
    assert times[0] >= 0
    assert times[-1] <= length_s + 0.1
    assert all(one.text == one.text.strip() and one.text for one in heard)


NOISES: dict[str, Callable[[Samples, np.random.Generator], Samples]] = {
    "nothing": lambda t, _: 0 * t,
    "hiss": lambda t, dice: dice.normal(0, 0.1, len(t)),
    "hum": lambda t, _: 0.3 * np.sin(2 * np.pi * 50 * t),
    "tone": lambda t, _: 0.3 * np.sin(2 * np.pi * 440 * t),
    "chords": lambda t, _: sum(
        0.1 * np.sin(2 * np.pi * hertz * t) * np.exp(-3 * (t % 0.5)) for hertz in (220, 277, 330)
    ),
    "clicks": lambda t, dice: (dice.random(len(t)) > 0.9995) * 1.0,
    "bursts": lambda t, dice: dice.normal(0, 0.2, len(t)) * (np.sin(2 * np.pi * 4 * t) > 0),
}


@pytest.mark.parametrize("noise", NOISES)
def test_nothing_is_made_up_where_nobody_speaks(asr: Asr, noise: str, tmp_path: Path) -> None:
    t = np.arange(12 * RATE) / RATE
    samples = np.asarray(NOISES[noise](t, np.random.default_rng(1)), np.float32)
    assert asr.transcribe(save(tmp_path / "noise.wav", samples)) == []


@pytest.mark.parametrize("content", [b"", b"not a sound", b"RIFF\x10\0\0\0WAVEfmt ", b"\0" * 4_000])
def test_what_is_no_sound_is_refused(asr: Asr, content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "broken.mp3"
    path.write_bytes(content)
    with pytest.raises(Unreadable):
        asr.transcribe(path)


# --- on this machine ---


def test_a_long_recording_is_heard_to_its_end(
    local: LocalAsr,
    sample: Samples,
    spoken_first: Path,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Longer than the model's window of 30 seconds, with a pause of five."""
    # What is said over and over would be taken for a circle of the model's, and be heard again.
    others = speak(" ".join(SENTENCES[2:]), tmp_path / "others.wav")
    said = np.concatenate([*[sample, *read_samples(others, 60)] * 2])
    assert len(said) / RATE > 30
    pause = np.zeros(5 * RATE, np.float32)
    samples = np.concatenate([said, pause, *read_samples(spoken_first, 60)])
    heard = local.transcribe(save(tmp_path / "long.wav", samples))
    error = word_error(" ".join([*SENTENCES * 2, SENTENCES[0]]), heard)
    with capfd.disabled():
        print(f"\nLocalAsr, {len(samples) / RATE:.0f} s: word error {error:.1%}", file=sys.stderr)
    assert error < MAX_WORD_ERROR
    assert_in_order(heard, len(samples) / RATE)
    paused_s = len(said) / RATE
    assert not [one for one in heard if one.start_s < paused_s + 0.5 and one.end_s > paused_s + 4]
    after = [one for one in heard if one.start_s > paused_s + 4]
    assert word_error(SENTENCES[0], after) < MAX_WORD_ERROR


@pytest.mark.parametrize(
    ("rate", "channels", "width"),
    [(8_000, 1, 2), (16_000, 1, 1), (22_050, 2, 2), (44_100, 2, 3), (48_000, 6, 4), (96_000, 1, 2)],
)
def test_wav_of_every_shape_is_read_without_any_program(
    sample: Samples,
    tmp_path: Path,
    rate: int,
    channels: int,
    width: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PATH", "")
    path = save(tmp_path / "shape.wav", at_rate(sample, rate), rate, channels, width)
    read = np.concatenate(list(read_samples(path, 60)))
    assert abs(len(read) - len(sample)) <= 1
    length = min(len(read), len(sample))
    likeness = np.corrcoef(read[:length], sample[:length])[0, 1]
    assert likeness > (0.9 if rate == 8_000 else 0.98)


@pytest.mark.parametrize("rate", [8_000, 11_025, 44_100, 96_000])
def test_seconds_join_without_a_seam(tmp_path: Path, rate: int) -> None:
    def tone(of: int) -> Samples:
        return (0.5 * np.sin(2 * np.pi * 440 * np.arange(round(2.5 * of)) / of)).astype(np.float32)

    heard = np.concatenate(list(read_samples(save(tmp_path / "tone.wav", tone(rate), rate), 60)))
    assert np.abs(heard - tone(RATE))[50:-50].max() < 0.001


def test_what_16_khz_cannot_carry_is_left_out(tmp_path: Path) -> None:
    t = np.arange(2 * 44_100) / 44_100
    shrill = save(tmp_path / "shrill.wav", 0.5 * np.sin(2 * np.pi * 11_000 * t), 44_100)
    heard = np.concatenate(list(read_samples(shrill, 60)))[200:-200]
    assert np.abs(heard).max() < 0.01


def test_a_recording_that_breaks_off_is_heard_up_to_there(
    local: LocalAsr, spoken: Path, tmp_path: Path
) -> None:
    cut = tmp_path / "cut.wav"
    cut.write_bytes(spoken.read_bytes()[:-120_001])
    assert word_error(SENTENCES[0], local.transcribe(cut)[:1]) < MAX_WORD_ERROR


def test_a_rate_that_is_none_is_refused(sample: Samples, tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="not a valid rate"):
        list(read_samples(save(tmp_path / "odd.wav", sample, rate=3), 60))


def test_without_ffmpeg_it_says_what_to_install(
    local: LocalAsr, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    path = tmp_path / "memo.m4a"
    path.write_bytes(b"\0\0\0\x20ftypM4A ")
    with pytest.raises(Unreadable, match="install ffmpeg") as caught:
        local.transcribe(path)
    assert caught.value.code == "ffmpeg_missing"


@pytest.mark.parametrize("form", "mp3 ogg m4a flac opus aac mkv mp4 webm avi".split())
def test_sound_and_video_of_every_form_are_decoded(
    sample_first: Samples, in_form: Callable[[str], Path], form: str
) -> None:
    read = np.concatenate(list(read_samples(in_form(form), 60)))
    assert len(read) == pytest.approx(len(sample_first), rel=0.05)
    assert np.abs(read).std() == pytest.approx(np.abs(sample_first).std(), rel=0.1)


@pytest.mark.parametrize("form", "mp3 ogg flac opus".split())
def test_usual_sound_is_decoded_without_any_program(
    sample_first: Samples,
    in_form: Callable[[str], Path],
    tmp_path: Path,
    form: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = in_form(form)
    monkeypatch.setenv("PATH", "")
    read = np.concatenate(list(read_samples(made, 60)))
    assert len(read) == pytest.approx(len(sample_first), rel=0.05)
    assert np.abs(read).std() == pytest.approx(np.abs(sample_first).std(), rel=0.1)
    assert len(np.concatenate(list(read_samples(made, 1)))) <= 16_000
    cut = tmp_path / f"cut.{form}"
    cut.write_bytes(made.read_bytes()[: made.stat().st_size // 2])
    assert 0 < sum(map(len, read_samples(cut, 60))) < len(sample_first)


def test_a_video_is_written_down(local: LocalAsr, in_form: Callable[[str], Path]) -> None:
    assert word_error(SENTENCES[0], local.transcribe(in_form("mp4"))) < MAX_WORD_ERROR


def test_a_video_without_sound_is_refused(local: LocalAsr, tmp_path: Path) -> None:
    silent = tmp_path / "silent.mp4"
    picture = "-f lavfi -i color=size=64x64:rate=5:duration=1".split()
    subprocess.run([*FFMPEG, *picture, str(silent)], check=True)
    with pytest.raises(Unreadable, match="no audio track"):
        local.transcribe(silent)


def test_a_file_that_names_another_is_refused(
    local: LocalAsr, spoken: Path, server: Site, tmp_path: Path
) -> None:
    """A playlist could have ffmpeg read this machine's files or visit its network."""
    server.pages["/secret.mp3"] = page(spoken.read_bytes())
    shutil.copy(spoken, tmp_path / "secret.mp3")
    playlist = "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n{}\n#EXT-X-ENDLIST\n"
    for text in (
        playlist.format(f"file://{tmp_path}/secret.mp3"),
        playlist.format("secret.mp3"),
        playlist.format(f"{server.url}/secret.mp3"),
        "ffconcat version 1.0\nfile secret.mp3\n",
        "v=0\nc=IN IP4 127.0.0.1\nm=audio 9 RTP/AVP 0\n",
    ):
        path = tmp_path / "handed-in.mp3"
        path.write_text(text)
        with pytest.raises(Unreadable):
            local.transcribe(path)
    assert server.asked == []


def test_a_file_that_cannot_be_decoded_in_time_is_left(
    local: LocalAsr, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "ffmpeg"
    program.write_text("#!/bin/sh\nexec sleep 60\n")
    program.chmod(0o755)
    monkeypatch.setattr("remem.adapters.asr.sound.shutil.which", lambda _: str(program))
    monkeypatch.setattr("remem.adapters.asr.sound.DECODE_TIMEOUT_S", 0.2)
    sound = tmp_path / "slow.mp3"
    sound.write_bytes(b"x")
    with pytest.raises(Unreadable, match=r"in 0\.2 s"):
        local.transcribe(sound)


def test_up_to_a_limit_threads_hear_the_same_and_nothing_is_downloaded(
    spoken: Path, sample: Samples
) -> None:
    dialled.clear()
    fresh = LocalAsr(max_s=4)
    with ThreadPoolExecutor(2) as listeners:
        heard = list(listeners.map(fresh.transcribe, [spoken] * 2))
    assert heard[0] and heard[0] == heard[1]
    assert len(sample) / RATE > 6
    assert_in_order(heard[0], 4 + 1)
    assert dialled == []


def test_a_model_that_is_missing_or_damaged_is_told(spoken: Path, tmp_path: Path) -> None:
    with pytest.raises(CannotStart, match="make setup"):
        LocalAsr(folder=tmp_path).transcribe(spoken)
    for name in ("model.bin", "tokenizer.json"):
        (tmp_path / name).write_bytes(b"damaged")
    with pytest.raises(CannotStart, match="damaged"):
        LocalAsr(folder=tmp_path).transcribe(spoken)


def test_what_is_not_installed_is_named(spoken: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ctranslate2.models", None)
    with pytest.raises(Unreadable, match="pip install ctranslate2"):
        LocalAsr().transcribe(spoken)


# --- the parts it is made of ---


def test_a_tone_stands_in_its_band() -> None:
    t = np.arange(RATE) / RATE
    for hertz, band in ((200, 4), (1_000, 26), (4_000, 62)):
        mel = log_mel((0.5 * np.sin(2 * np.pi * hertz * t)).astype(np.float32), 80)
        assert mel.shape == (80, 3_000)
        assert abs(int(mel[:, 50].argmax()) - band) <= 1
        assert mel[:, 2_000].max() == mel.min()


@given(st.lists(st.sampled_from([0.0, 0.2, 0.4, 0.6, 1.0]), max_size=40), st.integers(1, 60))
def test_windows_are_short_in_order_and_hold_all_that_is_said(
    pattern: list[float], times: int
) -> None:
    probabilities = [chance for chance in pattern for _ in range(times)]
    heard = [
        (np.full(FRAME, number, np.float32), chance) for number, chance in enumerate(probabilities)
    ]
    covered: list[int] = []
    for window in split_at_pauses(heard):
        frames = [int(number) for number in window.samples[::FRAME]]
        assert len(frames) == len(window.probabilities) <= MAX_FRAMES
        assert frames == list(range(frames[0], frames[-1] + 1))
        assert window.start_s == pytest.approx(frames[0] * FRAME / RATE)
        covered += frames
    assert covered == sorted(set(covered))
    missed = [
        n for n, chance in enumerate(probabilities) if chance >= SPEECH and n not in set(covered)
    ]
    # A word shorter than any word is noise; between two pauses there may be one.
    assert all(len(run) < MIN_SPEECH_FRAMES for run in runs(missed))


def test_a_long_speech_is_cut_in_its_longest_pause() -> None:
    probabilities = [1.0] * 1_200
    for first, last in ((500, 504), (700, 720), (800, 810)):
        probabilities[first:last] = [0.0] * (last - first)
    heard = [(np.zeros(FRAME, np.float32), chance) for chance in probabilities]
    before, _ = split_at_pauses(heard)
    assert 700 <= len(before.probabilities) <= 720


def runs(numbers: Sequence[int]) -> list[list[int]]:
    found: list[list[int]] = []
    for number in numbers:
        if found and number == found[-1][-1] + 1:
            found[-1].append(number)
        else:
            found.append([number])
    return found


STAMP = 1_000


@pytest.mark.parametrize(
    ("tokens", "pieces", "heard_s"),
    [
        ([], [], 30.0),
        ([1_000, 7, 8, 1_100], [(0.0, 2.0, (7, 8))], 30.0),
        ([1_000, 7, 1_100, 1_100, 8, 1_250], [(0.0, 2.0, (7,)), (2.0, 5.0, (8,))], 30.0),
        ([1_000, 7, 1_100, 1_150, 8], [(0.0, 2.0, (7,)), (3.0, None, (8,))], 3.0),
        ([1_000, 7, 1_100, 1_150], [(0.0, 2.0, (7,))], 3.0),
        ([1_000, 7], [(0.0, None, (7,))], 30.0),
        ([7, 8], [(0.0, None, (7, 8))], 30.0),
        ([1_000, 1_000], [], 30.0),
    ],
)
def test_time_stamps_part_the_text(
    tokens: list[int], pieces: list[tuple[float, float | None, tuple[int, ...]]], heard_s: float
) -> None:
    found = _split_segments(tokens, STAMP)
    assert found == [Segment(*piece) for piece in pieces]
    assert _transcribed_s(found, tokens, STAMP, 30.0) == pytest.approx(heard_s)


def test_circles_and_silence_are_known() -> None:
    assert Hypothesis((), "and then " * 40, -0.1, 0.0).is_repetitive
    assert not Hypothesis((), " ".join(SENTENCES), -0.1, 0.0).is_repetitive
    assert Hypothesis((), "You", -1.2, 0.9).is_silence
    assert not Hypothesis((), "You", -0.2, 0.9).is_silence


class Polyglot:
    """Stands for a model of many languages, which is too large to be had for a test."""

    is_multilingual = True

    def detect_language(self, heard: object) -> list[list[tuple[str, float]]]:
        return [[("<|pt|>", 0.9), ("<|en|>", 0.1)]]


def test_a_model_of_many_languages_is_told_which_it_hears(local: LocalAsr) -> None:
    tokenizer = local._load_once().transcriber._tokenizer
    prompt = Transcriber(Polyglot(), tokenizer)._prompt(None)  # type: ignore[arg-type]
    assert prompt == ["<|startoftranscript|>", "<|pt|>", "<|transcribe|>"]


# --- by a server ---

HEARD = [Spoken(0.0, 2.5, "One."), Spoken(2.5, 4.0, "Two.")]


def test_the_wire_is_the_one_that_servers_speak(server: Site, spoken: Path) -> None:
    server.pages["/v1/audio/transcriptions"] = page(verbose(HEARD))
    assert remote_at(server).transcribe(spoken) == HEARD
    [asked] = server.asked
    assert (asked.method, asked.headers["Authorization"]) == ("POST", f"Bearer {KEY}")
    assert fields(server) == {
        "model": "ear",
        "response_format": "verbose_json",
        "timestamp_granularities[]": "segment",
        "file": ("spoken.wav", spoken.read_bytes()),
    }


def test_a_large_file_goes_in_parts(
    server: Site, sample: Samples, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "PART_S", 3)
    server.pages["/v1/audio/transcriptions"] = page(verbose([Spoken(0.5, 2.0, "part")]))
    path = save(tmp_path / "large.wav", sample[: 7 * RATE])
    heard = remote_at(server, max_bytes=1_000).transcribe(path)
    assert heard == [Spoken(start + 0.5, start + 2.0, "part") for start in (0, 3, 6)]
    with wave.open(io.BytesIO(fields(server)["file"][1])) as last:
        assert (last.getframerate(), last.getnframes()) == (RATE, RATE)


@pytest.mark.parametrize(
    ("answer", "heard"),
    [
        ({"text": "All of it.", "duration": 3.5}, [Spoken(0.0, 3.5, "All of it.")]),
        ({"text": "All of it."}, [Spoken(0.0, 0.0, "All of it.")]),
        ({"text": " ", "segments": []}, []),
        ({"text": "x", "segments": [{"start": 2, "end": 1, "text": " x "}]}, [Spoken(2, 2, "x")]),
    ],
)
def test_servers_that_say_less_are_understood(
    server: Site, spoken: Path, answer: dict[str, Any], heard: list[Spoken]
) -> None:
    server.pages["/v1/audio/transcriptions"] = page(json.dumps(answer).encode())
    assert remote_at(server).transcribe(spoken) == heard


@pytest.mark.parametrize(
    ("reply", "error", "body"),
    [
        (page(b"{}", 401), Unavailable, "key was refused"),
        (page(b"{}", 403), Unavailable, "key was refused"),
        (page(b"{}", 404), Unavailable, "has the model ear"),
        (page(b"{}", 400), Unreadable, "cannot read this sound"),
        (page(b"{}", 413), Unreadable, "cannot read this sound"),
        (page(b"<html>"), Unavailable, "not a transcript"),
        (page(b"[]"), Unavailable, "not a transcript"),
        (page(b"{}"), Unavailable, "not a transcript"),
        (page(b'{"text": "x", "segments": [{"start": 0}]}'), Unavailable, "not a transcript"),
        (
            page(b'{"text": "x", "segments": [{"start": NaN, "end": 1, "text": "x"}]}'),
            Unavailable,
            "not a transcript",
        ),
    ],
)
def test_a_failure_that_will_not_pass_is_told_at_once(
    server: Site, spoken: Path, reply: Page, error: type[Exception], body: str
) -> None:
    server.pages["/v1/audio/transcriptions"] = reply
    with pytest.raises(error, match=body) as caught:
        remote_at(server).transcribe(spoken)
    assert KEY not in str(caught.value)
    assert len(server.asked) == 1


@pytest.mark.parametrize("failure", [page(b"", 500), page(b"", 429), hang_up])
def test_a_failure_that_may_pass_is_waited_for(server: Site, spoken: Path, failure: Page) -> None:
    pages = in_turn(failure, failure, failure, page(verbose(HEARD)))
    server.pages["/v1/audio/transcriptions"] = pages
    assert remote_at(server).transcribe(spoken) == HEARD
    server.pages["/v1/audio/transcriptions"] = failure
    with pytest.raises(Unavailable, match="cannot answer now"):
        remote_at(server).transcribe(spoken)
    assert len(server.asked) == 8


def test_an_address_that_is_none_is_told() -> None:
    with pytest.raises(CannotStart):
        OpenAiAsr("api.example.org/v1", KEY, "ear")
