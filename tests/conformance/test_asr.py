"""The contract of speech recognition, tested for every adapter; then tests of single adapters.

The speech comes from espeak-ng, whose synthetic voice is harder for the model than a human one."""

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
from importlib.resources import files
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from remem.adapters.asr import ADAPTERS
from remem.adapters.asr import openai as remote
from remem.adapters.asr.local import LocalAsr
from remem.adapters.asr.openai import OpenAiAsr
from remem.adapters.asr.pauses import FRAME, MAX_FRAMES, MIN_SPEECH_FRAMES, SPEECH, split_at_pauses
from remem.adapters.asr.sound import RATE, Samples, read_samples
from remem.adapters.asr.whisper import (
    Hypothesis,
    Segment,
    Transcriber,
    _split_segments,
    _transcribed_s,
    log_mel,
)
from remem.adapters.extractors.engines import Engines
from remem.adapters.extractors.sound import extract as extract_sound
from remem.core.errors import CannotStart, Unavailable, Unreadable
from remem.core.ports import Asr, Original, Spoken
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
VIDEO_TRACK = "-f lavfi -i color=size=64x64:rate=5 -shortest".split()

connections: list[object] = []


def record_connection(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "socket.connect" and isinstance(arguments[1], tuple):
        connections.append(arguments[1][0])


sys.addaudithook(record_connection)


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
    """Convert the first sentence to a format, with a picture for video formats."""
    folder = tmp_path_factory.mktemp("forms")

    def make(form: str) -> Path:
        converted = folder / f"with: colon.{form}"
        if not converted.exists():
            inputs = ["-i", str(spoken_first), *(VIDEO_TRACK if form in "mkv mp4 webm avi" else ())]
            subprocess.run([*FFMPEG, *inputs, f"file:{converted}"], check=True)
        return converted

    return make


def save(path: Path, samples: Samples, rate: int = RATE, channels: int = 1, width: int = 2) -> Path:
    """Write samples from -1 to 1 as a WAV file with the given rate, channels and width."""
    scaled = np.clip(samples, -1, 1) * (2 ** (8 * width - 1) - 1)
    if width == 1:
        raw = (scaled + 128).astype(np.uint8)[:, None]
    else:
        raw = scaled.astype("<i4")[:, None].view(np.uint8)[:, :width]
    with wave.open(str(path), "wb") as file:
        file.setparams((channels, width, rate, 0, "NONE", ""))
        file.writeframes(np.tile(raw, (1, channels)).tobytes())
    return path


def at_rate(samples: Samples, rate: int) -> Samples:
    length = round(len(samples) * rate / RATE)
    positions = np.arange(length) * (RATE / rate)
    return np.interp(positions, np.arange(len(samples)), samples).astype(np.float32)


def words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9']+", text.lower())


def word_error(expected: str, segments: Sequence[Spoken]) -> float:
    expected_words, heard_words = (
        words(expected),
        words(" ".join(segment.text for segment in segments)),
    )
    distance = list(range(len(heard_words) + 1))
    for row, word in enumerate(expected_words, 1):
        corner, distance[0] = distance[0], row
        for column, other in enumerate(heard_words, 1):
            least = min(distance[column] + 1, distance[column - 1] + 1, corner + (word != other))
            corner, distance[column] = distance[column], least
    return distance[-1] / len(expected_words)


# --- the recognizers ---


class CachingAsr(LocalAsr):
    """Transcribe each recording only once."""

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
    return CachingAsr()


@pytest.fixture
def server() -> Iterator[Site]:
    with serving(Site()) as site:
        yield site


def verbose_reply(spoken: Sequence[Spoken]) -> bytes:
    segments = [
        {"id": number, "start": segment.start_s, "end": segment.end_s, "text": f" {segment.text}"}
        for number, segment in enumerate(spoken)
    ]
    text = " ".join(segment.text for segment in spoken)
    answer = {"task": "transcribe", "language": "english", "text": text, "segments": segments}
    return json.dumps(answer).encode()


def fields(site: Site) -> dict[str, Any]:
    """The fields of the last form that was sent; of a file, its name and bytes."""
    request = site.requests[-1]
    head = f"Content-Type: {request.headers['Content-Type']}\r\n\r\n".encode()
    form = email.parser.BytesParser(policy=email.policy.HTTP).parsebytes(head + request.body)
    form_fields: dict[str, Any] = {}
    for part in form.iter_parts():
        name = part.get_param("name", header="content-disposition")
        content = part.get_payload(decode=True)
        form_fields[str(name)] = (
            (part.get_filename(), content) if part.get_filename() else content.decode()
        )
    return form_fields


def remote_at(site: Site, **options: Any) -> OpenAiAsr:
    return OpenAiAsr(f"{site.url}/v1/", KEY, "ear", **{"waits_s": (0.0, 0.0, 0.0), **options})


@pytest.fixture(params=list(ADAPTERS))
def asr(request: pytest.FixtureRequest, local: LocalAsr, tmp_path: Path) -> Asr:
    if request.param == "local":
        return local
    assert request.param == "openai"
    site = request.getfixturevalue("server")

    def hear(handler: BaseHTTPRequestHandler) -> None:
        """Transcribe the upload with the local model in place of a paid one."""
        sound = tmp_path / "sent"
        sound.write_bytes(fields(site)["file"][1])
        try:
            page(verbose_reply(local.transcribe(sound)))(handler)
        except Unreadable:
            page(b'{"error": {"message": "Invalid file format."}}', 400)(handler)

    site.pages["/v1/audio/transcriptions"] = hear
    return remote_at(site)


# --- every adapter ---


def test_speech_is_transcribed(
    asr: Asr, spoken: Path, sample: Samples, capfd: pytest.CaptureFixture[str]
) -> None:
    started = time.process_time()
    segments = asr.transcribe(spoken)
    cpu_s, length_s = time.process_time() - started, len(sample) / RATE
    error = word_error(" ".join(SENTENCES[:2]), segments)
    with capfd.disabled():
        report = f"word error {error:.1%}, {cpu_s / length_s:.2f} s of CPU a second"
        print(f"\n{type(asr).__name__}: {report}", file=sys.stderr)
    assert error < MAX_WORD_ERROR
    assert_in_order(segments, length_s)


def assert_in_order(segments: Sequence[Spoken], length_s: float) -> None:
    times = [time_s for segment in segments for time_s in (segment.start_s, segment.end_s)]
    assert times == sorted(times)
    assert times[0] >= 0
    assert times[-1] <= length_s + 0.1
    assert all(segment.text == segment.text.strip() and segment.text for segment in segments)


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
def test_nothing_is_transcribed_without_speech(asr: Asr, noise: str, tmp_path: Path) -> None:
    t = np.arange(12 * RATE) / RATE
    samples = np.asarray(NOISES[noise](t, np.random.default_rng(1)), np.float32)
    assert asr.transcribe(save(tmp_path / "noise.wav", samples)) == []


@pytest.mark.parametrize("content", [b"", b"not a sound", b"RIFF\x10\0\0\0WAVEfmt ", b"\0" * 4_000])
def test_a_file_that_is_not_audio_is_refused(asr: Asr, content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "broken.mp3"
    path.write_bytes(content)
    with pytest.raises(Unreadable):
        asr.transcribe(path)


# --- the local adapter ---


def test_a_long_recording_is_transcribed_to_its_end(
    local: LocalAsr,
    sample: Samples,
    spoken_first: Path,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """The recording is longer than the model's window of 30 seconds, and has a pause of five."""
    # Speech that repeats would look like a loop of the model and be transcribed again.
    others = speak(" ".join(SENTENCES[2:]), tmp_path / "others.wav")
    before_pause = np.concatenate([*[sample, *read_samples(others, 60)] * 2])
    assert len(before_pause) / RATE > 30
    pause = np.zeros(5 * RATE, np.float32)
    samples = np.concatenate([before_pause, pause, *read_samples(spoken_first, 60)])
    segments = local.transcribe(save(tmp_path / "long.wav", samples))
    error = word_error(" ".join([*SENTENCES * 2, SENTENCES[0]]), segments)
    with capfd.disabled():
        print(f"\nLocalAsr, {len(samples) / RATE:.0f} s: word error {error:.1%}", file=sys.stderr)
    assert error < MAX_WORD_ERROR
    assert_in_order(segments, len(samples) / RATE)
    pause_start_s = len(before_pause) / RATE
    assert not [
        segment
        for segment in segments
        if segment.start_s < pause_start_s + 0.5 and segment.end_s > pause_start_s + 4
    ]
    after_pause = [segment for segment in segments if segment.start_s > pause_start_s + 4]
    assert word_error(SENTENCES[0], after_pause) < MAX_WORD_ERROR


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
    correlation = np.corrcoef(read[:length], sample[:length])[0, 1]
    assert correlation > (0.9 if rate == 8_000 else 0.98)


@pytest.mark.parametrize("rate", [8_000, 11_025, 44_100, 96_000])
def test_resampled_seconds_join_without_a_seam(tmp_path: Path, rate: int) -> None:
    def tone(tone_rate: int) -> Samples:
        return (
            0.5 * np.sin(2 * np.pi * 440 * np.arange(round(2.5 * tone_rate)) / tone_rate)
        ).astype(np.float32)

    decoded = np.concatenate(list(read_samples(save(tmp_path / "tone.wav", tone(rate), rate), 60)))
    assert np.abs(decoded - tone(RATE))[50:-50].max() < 0.001


def test_frequencies_above_8_khz_are_filtered_out(tmp_path: Path) -> None:
    t = np.arange(2 * 44_100) / 44_100
    path = save(tmp_path / "shrill.wav", 0.5 * np.sin(2 * np.pi * 11_000 * t), 44_100)
    decoded = np.concatenate(list(read_samples(path, 60)))[200:-200]
    assert np.abs(decoded).max() < 0.01


def test_a_truncated_recording_is_transcribed_up_to_its_end(
    local: LocalAsr, spoken: Path, tmp_path: Path
) -> None:
    cut = tmp_path / "cut.wav"
    cut.write_bytes(spoken.read_bytes()[:-120_001])
    assert word_error(SENTENCES[0], local.transcribe(cut)[:1]) < MAX_WORD_ERROR


def test_an_invalid_rate_is_refused(sample: Samples, tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="not a valid rate"):
        list(read_samples(save(tmp_path / "odd.wav", sample, rate=3), 60))


def test_without_ffmpeg_it_says_what_to_install(
    local: LocalAsr, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
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
def test_common_audio_formats_are_decoded_without_any_program(
    sample_first: Samples,
    in_form: Callable[[str], Path],
    tmp_path: Path,
    form: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = in_form(form)
    monkeypatch.setenv("PATH", "")
    read = np.concatenate(list(read_samples(path, 60)))
    assert len(read) == pytest.approx(len(sample_first), rel=0.05)
    assert np.abs(read).std() == pytest.approx(np.abs(sample_first).std(), rel=0.1)
    assert len(np.concatenate(list(read_samples(path, 1)))) <= 16_000
    cut = tmp_path / f"cut.{form}"
    cut.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    assert 0 < sum(map(len, read_samples(cut, 60))) < len(sample_first)


def test_a_video_is_transcribed(local: LocalAsr, in_form: Callable[[str], Path]) -> None:
    assert word_error(SENTENCES[0], local.transcribe(in_form("mp4"))) < MAX_WORD_ERROR


def test_the_program_in_a_wheel_decodes_phone_recordings(
    sample_first: Samples, in_form: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = in_form("m4a")
    monkeypatch.setenv("PATH", "")
    read = np.concatenate(list(read_samples(path, 60)))
    assert len(read) == pytest.approx(len(sample_first), rel=0.05)


@pytest.mark.parametrize(
    ("voice", "text"),
    [
        ("de", "Guten Morgen. Ich muss morgen um neun Uhr zum Zahnarzt gehen."),
        ("fr", "Bonjour. Demain je dois aller chez le dentiste et chercher ma soeur."),
        ("ru", "Доброе утро. Завтра я должен пойти к зубному врачу и забрать сестру."),
    ],
)
def test_another_language_is_refused_instead_of_invented(
    local: LocalAsr, tmp_path: Path, voice: str, text: str
) -> None:
    path = speak(text, tmp_path / "memo.wav", voice=voice)
    with pytest.raises(Unreadable, match="REMEM_ASR_MODEL") as caught:
        extract_sound(Original(path), Engines(asr=local))
    assert caught.value.code == "speech_not_understood"


def test_clear_speech_has_no_warning(local: LocalAsr, spoken: Path) -> None:
    assert extract_sound(Original(spoken), Engines(asr=local)).cut is None


@pytest.mark.parametrize("unsure_s", [2.0, 8.0])
def test_speech_that_may_be_wrong_is_marked_or_refused(spoken: Path, unsure_s: float) -> None:
    class PartlySure:
        def transcribe(self, path: Path) -> list[Spoken]:
            return [
                Spoken(0.0, 5.0, "Guten Morgen.", language="de"),
                Spoken(5.0, 5.0 + unsure_s, "That's a must.", is_sure=False, language="de"),
            ]

    engines = Engines(asr=PartlySure())
    if unsure_s > 5:
        with pytest.raises(Unreadable, match="not understood"):
            extract_sound(Original(spoken), engines)
        return
    extracted = extract_sound(Original(spoken), engines)
    assert "may be wrong" in (extracted.cut or "")
    assert extracted.found["language"] == "de"


INCLUDED = Path(str(files("remem.models"))) / "whisper-tiny-en"
# The first bytes of a Whisper model.
HEAD = b"\x06\0\0\0\x0c\0WhisperSpec\0"


@pytest.mark.parametrize(
    ("contents", "problem"),
    [
        (None, "does not exist"),
        ({}, "has no file model.bin"),
        ({"model.bin": b"GGUF"}, "has no file tokenizer.json"),
        ({"model.bin": b"GGUF", "tokenizer.json": b"{}"}, "no Whisper model in that format"),
        ({"model.bin": b"", "tokenizer.json": b"{}"}, "no Whisper model in that format"),
        ({"model.bin": None, "tokenizer.json": b"half a fi"}, "tokenizer.json is damaged"),
    ],
)
def test_a_folder_without_a_model_is_reported_at_the_start(
    tmp_path: Path, contents: dict[str, bytes | None] | None, problem: str
) -> None:
    folder = tmp_path / "model"
    for name, data in (contents or {}).items():
        folder.mkdir(exist_ok=True)
        (folder / name).write_bytes(data if data is not None else HEAD)
    if contents == {}:
        folder.mkdir()
    with pytest.raises(CannotStart) as caught:
        ADAPTERS["local"].make(SimpleNamespace(asr_model=str(folder)))
    assert caught.value.message.startswith(f"REMEM_ASR_MODEL is {folder}, ")
    assert problem in caught.value.message and "set it to the folder" in caught.value.message


def test_a_file_instead_of_a_folder_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "model.bin"
    file.write_bytes(HEAD)
    with pytest.raises(CannotStart, match="is not a folder"):
        ADAPTERS["local"].make(SimpleNamespace(asr_model=str(file)))


def test_the_folder_of_a_model_is_accepted() -> None:
    for folder in (str(INCLUDED), None):
        assert ADAPTERS["local"].make(SimpleNamespace(asr_model=folder))


def test_a_video_without_sound_is_refused(local: LocalAsr, tmp_path: Path) -> None:
    silent = tmp_path / "silent.mp4"
    picture = "-f lavfi -i color=size=64x64:rate=5:duration=1".split()
    subprocess.run([*FFMPEG, *picture, str(silent)], check=True)
    with pytest.raises(Unreadable, match="no audio track"):
        local.transcribe(silent)


def test_a_file_that_refers_to_another_is_refused(
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
    assert server.requests == []


def test_a_file_that_cannot_be_decoded_in_time_is_refused(
    local: LocalAsr, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "ffmpeg"
    program.write_text("#!/bin/sh\nexec sleep 60\n")
    program.chmod(0o755)
    monkeypatch.setattr("remem.adapters.asr.ffmpeg.shutil.which", lambda _: str(program))
    monkeypatch.setattr("remem.adapters.asr.sound.DECODE_TIMEOUT_S", 0.2)
    sound = tmp_path / "slow.mp3"
    sound.write_bytes(b"x")
    with pytest.raises(Unreadable, match=r"in 0\.2 s"):
        local.transcribe(sound)


def test_threads_get_the_same_transcript_up_to_the_limit_without_downloads(
    spoken: Path, sample: Samples
) -> None:
    connections.clear()
    fresh = LocalAsr(max_s=4)
    with ThreadPoolExecutor(2) as pool:
        transcripts = list(pool.map(fresh.transcribe, [spoken] * 2))
    assert transcripts[0] and transcripts[0] == transcripts[1]
    assert len(sample) / RATE > 6
    assert_in_order(transcripts[0], 4 + 1)
    assert connections == []


def test_a_missing_or_damaged_model_is_reported(spoken: Path, tmp_path: Path) -> None:
    with pytest.raises(CannotStart, match="REMEM_ASR_MODEL"):
        LocalAsr(folder=tmp_path).transcribe(spoken)
    for name in ("model.bin", "tokenizer.json"):
        (tmp_path / name).write_bytes(b"damaged")
    with pytest.raises(CannotStart, match="damaged"):
        LocalAsr(folder=tmp_path).transcribe(spoken)


def test_a_missing_package_is_named(spoken: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ctranslate2.models", None)
    with pytest.raises(Unreadable, match="pip install ctranslate2"):
        LocalAsr().transcribe(spoken)


# --- its parts ---


def test_a_tone_appears_in_its_mel_band() -> None:
    t = np.arange(RATE) / RATE
    for hertz, band in ((200, 4), (1_000, 26), (4_000, 62)):
        mel = log_mel((0.5 * np.sin(2 * np.pi * hertz * t)).astype(np.float32), 80)
        assert mel.shape == (80, 3_000)
        assert abs(int(mel[:, 50].argmax()) - band) <= 1
        assert mel[:, 2_000].max() == mel.min()


@given(st.lists(st.sampled_from([0.0, 0.2, 0.4, 0.6, 1.0]), max_size=40), st.integers(1, 60))
def test_windows_are_short_ordered_and_cover_all_speech(pattern: list[float], times: int) -> None:
    probabilities = [chance for chance in pattern for _ in range(times)]
    frames_with_chance = [
        (np.full(FRAME, number, np.float32), chance) for number, chance in enumerate(probabilities)
    ]
    covered: list[int] = []
    for window in split_at_pauses(frames_with_chance):
        frames = [int(number) for number in window.samples[::FRAME]]
        assert len(frames) == len(window.probabilities) <= MAX_FRAMES
        assert frames == list(range(frames[0], frames[-1] + 1))
        assert window.start_s == pytest.approx(frames[0] * FRAME / RATE)
        covered += frames
    assert covered == sorted(set(covered))
    missed = [
        n for n, chance in enumerate(probabilities) if chance >= SPEECH and n not in set(covered)
    ]
    # Speech shorter than any word is treated as noise; there may be some between two pauses.
    assert all(len(run) < MIN_SPEECH_FRAMES for run in runs(missed))


def test_long_speech_is_split_at_its_longest_pause() -> None:
    probabilities = [1.0] * 1_200
    for first, last in ((500, 504), (700, 720), (800, 810)):
        probabilities[first:last] = [0.0] * (last - first)
    frames = [(np.zeros(FRAME, np.float32), chance) for chance in probabilities]
    before, _ = split_at_pauses(frames)
    assert 700 <= len(before.probabilities) <= 720


def runs(numbers: Sequence[int]) -> list[list[int]]:
    groups: list[list[int]] = []
    for number in numbers:
        if groups and number == groups[-1][-1] + 1:
            groups[-1].append(number)
        else:
            groups.append([number])
    return groups


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
def test_time_stamps_split_the_text(
    tokens: list[int], pieces: list[tuple[float, float | None, tuple[int, ...]]], heard_s: float
) -> None:
    segments = _split_segments(tokens, STAMP)
    assert segments == [Segment(*piece) for piece in pieces]
    assert _transcribed_s(segments, tokens, STAMP, 30.0) == pytest.approx(heard_s)


def test_repetition_and_silence_are_recognized() -> None:
    assert Hypothesis((), "and then " * 40, -0.1, 0.0).is_repetitive
    assert not Hypothesis((), " ".join(SENTENCES), -0.1, 0.0).is_repetitive
    assert Hypothesis((), "You", -1.2, 0.9).is_silence
    assert not Hypothesis((), "You", -0.2, 0.9).is_silence


class Polyglot:
    """A fake multilingual model; a real one is too large for a test."""

    is_multilingual = True

    def detect_language(self, heard: object) -> list[list[tuple[str, float]]]:
        return [[("<|pt|>", 0.9), ("<|en|>", 0.1)]]


def test_a_multilingual_model_is_prompted_with_the_detected_language(local: LocalAsr) -> None:
    tokenizer = local._load_once().transcriber._tokenizer
    prompt = Transcriber(Polyglot(), tokenizer)._prompt(None)  # type: ignore[arg-type]
    assert prompt == ["<|startoftranscript|>", "<|pt|>", "<|transcribe|>"]


# --- the OpenAI adapter ---

HEARD = [Spoken(0.0, 2.5, "One."), Spoken(2.5, 4.0, "Two.")]


def test_the_request_follows_the_openai_protocol(server: Site, spoken: Path) -> None:
    server.pages["/v1/audio/transcriptions"] = page(verbose_reply(HEARD))
    assert remote_at(server).transcribe(spoken) == HEARD
    [request] = server.requests
    assert (request.method, request.headers["Authorization"]) == ("POST", f"Bearer {KEY}")
    assert fields(server) == {
        "model": "ear",
        "response_format": "verbose_json",
        "timestamp_granularities[]": "segment",
        "file": ("spoken.wav", spoken.read_bytes()),
    }


def test_a_large_file_is_sent_in_parts(
    server: Site, sample: Samples, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "PART_S", 3)
    server.pages["/v1/audio/transcriptions"] = page(verbose_reply([Spoken(0.5, 2.0, "part")]))
    path = save(tmp_path / "large.wav", sample[: 7 * RATE])
    segments = remote_at(server, max_bytes=1_000).transcribe(path)
    assert segments == [Spoken(start + 0.5, start + 2.0, "part") for start in (0, 3, 6)]
    with wave.open(io.BytesIO(fields(server)["file"][1])) as last:
        assert (last.getframerate(), last.getnframes()) == (RATE, RATE)


@pytest.mark.parametrize(
    ("reply", "heard"),
    [
        ({"text": "All of it.", "duration": 3.5}, [Spoken(0.0, 3.5, "All of it.")]),
        ({"text": "All of it."}, [Spoken(0.0, 0.0, "All of it.")]),
        ({"text": " ", "segments": []}, []),
        ({"text": "x", "segments": [{"start": 2, "end": 1, "text": " x "}]}, [Spoken(2, 2, "x")]),
    ],
)
def test_replies_with_fewer_fields_are_accepted(
    server: Site, spoken: Path, reply: dict[str, Any], heard: list[Spoken]
) -> None:
    server.pages["/v1/audio/transcriptions"] = page(json.dumps(reply).encode())
    assert remote_at(server).transcribe(spoken) == heard


@pytest.mark.parametrize(
    ("reply", "error", "message"),
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
def test_a_permanent_failure_is_reported_at_once(
    server: Site, spoken: Path, reply: Page, error: type[Exception], message: str
) -> None:
    server.pages["/v1/audio/transcriptions"] = reply
    with pytest.raises(error, match=message) as caught:
        remote_at(server).transcribe(spoken)
    assert KEY not in str(caught.value)
    assert len(server.requests) == 1


@pytest.mark.parametrize("failure", [page(b"", 500), page(b"", 429), hang_up])
def test_a_temporary_failure_is_retried(server: Site, spoken: Path, failure: Page) -> None:
    pages = in_turn(failure, failure, failure, page(verbose_reply(HEARD)))
    server.pages["/v1/audio/transcriptions"] = pages
    assert remote_at(server).transcribe(spoken) == HEARD
    server.pages["/v1/audio/transcriptions"] = failure
    with pytest.raises(Unavailable, match="cannot answer now"):
        remote_at(server).transcribe(spoken)
    assert len(server.requests) == 8


def test_an_invalid_url_is_reported() -> None:
    with pytest.raises(CannotStart):
        OpenAiAsr("api.example.org/v1", KEY, "ear")
