"""Subtitles: the text in order, each cue with its time, and the speaker if named."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape

from remem.adapters.extractors.charset import decode
from remem.adapters.extractors.draft import Draft
from remem.adapters.extractors.engines import Engines
from remem.adapters.extractors.limits import read_bytes
from remem.core.chunking.model import Joint
from remem.core.errors import Unreadable
from remem.core.extraction_ports import Extracted, Original

VOICE = re.compile(r"<v(?:\.[\w.]+)?[ \t]+([^>]{1,100})>")
TAG = re.compile(r"</?[a-z][^>]{0,100}>|\{\\[^}]{0,100}\}", re.IGNORECASE)
# "ANNA:" or "Anna Bell:" before the text; more words than that are a sentence.
SPEAKER_PREFIX = re.compile(
    r"^(?:-\s*)?([A-Z][\w.'’-]{0,30}(?: [A-Z][\w.'’-]{0,30}){0,3}|[A-Z][A-Z .'-]{1,40}):\s+(?=\S)"
)


@dataclass(frozen=True, slots=True)
class Cue:
    start_s: float
    end_s: float
    speaker: str
    text: str


def extract(original: Original, engines: Engines) -> Extracted:
    text = decode(read_bytes(original.path)).replace("\r\n", "\n").replace("\r", "\n")
    draft, speaker, last = Draft(), "", ""
    end_s = 0.0
    for cue in _cues(text):
        end_s = max(end_s, cue.end_s)
        # Live captions repeat the line before them.
        if not cue.text or cue.text == last:
            continue
        draft.mark(Joint.TIME, number=round(cue.start_s, 2))
        is_turn = bool(cue.speaker) and cue.speaker != speaker
        if is_turn:
            draft.mark(Joint.TURN, cue.speaker)
        draft.add(f"{cue.speaker}: {cue.text}" if is_turn else cue.text, separator="\n")
        speaker, last = cue.speaker or speaker, cue.text
    if not draft.length:
        raise Unreadable("There are no subtitles in the file; check that it is complete.")
    return draft.finish("subtitles", {"duration_s": round(end_s, 2)})


def _cues(text: str) -> Iterator[Cue]:
    # Imported here because few files are subtitles.
    from pysubs2 import Pysubs2Error, SSAFile

    try:
        events = SSAFile.from_string(text, keep_html_tags=True, keep_unknown_html_tags=True).events
    except (Pysubs2Error, ValueError, KeyError, IndexError) as error:
        raise Unreadable("The subtitles are damaged; save them as SRT or VTT.") from error
    for event in sorted(events, key=lambda event: event.start):
        if not event.is_comment:
            yield _cue(event.start / 1000, event.end / 1000, event.plaintext, event.name)


def _cue(start_s: float, end_s: float, body: str, speaker: str) -> Cue:
    voice = VOICE.search(body)
    text = " ".join(unescape(TAG.sub("", body)).split())
    if not speaker and voice:
        speaker = voice[1].strip()
    if not speaker and (match := SPEAKER_PREFIX.match(text)):
        speaker, text = match[1], text[match.end() :]
    return Cue(start_s, end_s, speaker, text)
