"""Transcripts and conversations: cut between turns, or where a sentence ends at a time stamp."""

from collections.abc import Iterable, Iterator, Sequence

from remem.core.chunking.headings import Heading
from remem.core.chunking.joints import below_headings, places_of, skip_blank, with_joints
from remem.core.chunking.model import Joint, Mark
from remem.core.chunking.pack import Place, Seam, Style
from remem.core.chunking.turns import SPEAKER
from remem.core.language.sentences import ends_sentence

TURNS = Style(floors=(Seam.RECORD, Seam.SENTENCE, Seam.LINE))
TIMES = Style(floors=(Seam.SENTENCE, Seam.LINE))


def timed_seams(
    text: str, seams: Iterable[Place], marks: Sequence[Mark], headings: Sequence[Heading]
) -> tuple[Iterator[Place], Style]:
    times = places_of(text, marks, Joint.TIME)
    turns = places_of(text, marks, Joint.TURN)
    if not times and not turns:
        turns = [match.start() for match in SPEAKER.finditer(text)]
    joints = {at: _seam_at_time(text, at) for at in times} | dict.fromkeys(turns, Seam.RECORD)
    below = below_headings(text, headings)
    visible = sorted(joint for joint in joints.items() if skip_blank(text, joint[0]) not in below)
    return with_joints(seams, visible), TURNS if turns else TIMES


def _seam_at_time(text: str, position: int) -> Seam:
    return Seam.SENTENCE if ends_sentence(text, position) else Seam.LINE
