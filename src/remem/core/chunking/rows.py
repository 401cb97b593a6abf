"""Tables and records: chunks of whole rows; a row that fits is never split."""

from collections.abc import Iterable, Iterator, Sequence

from remem.core.chunking.headings import Heading
from remem.core.chunking.joints import below_headings, places_of, skip_blank, with_joints
from remem.core.chunking.model import Joint, Mark
from remem.core.chunking.pack import Place, Seam, Style

STYLE = Style(floors=(Seam.HEADING_6, Seam.SENTENCE, Seam.LINE), overlap_tokens=0)
LINES = Style(floors=(Seam.LINE,), overlap_tokens=0)


def row_seams(
    text: str, seams: Iterable[Place], marks: Sequence[Mark], headings: Sequence[Heading]
) -> tuple[Iterator[Place], Style]:
    """Seams at marked rows; without marks each line is a row."""
    rows = places_of(text, marks, Joint.ROW)
    below = below_headings(text, headings)
    joints = [(at, Seam.RECORD) for at in rows if skip_blank(text, at) not in below]
    return with_joints(seams, joints), STYLE if rows else LINES
