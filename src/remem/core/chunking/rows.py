"""Tables and records: whole rows, never a part of one that fits."""

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
    """Rows as they are marked; without marks each line is a row."""
    rows = places_of(text, marks, Joint.ROW)
    hidden = below_headings(text, headings)
    joints = [(at, Seam.RECORD) for at in rows if skip_blank(text, at) not in hidden]
    return with_joints(seams, joints), STYLE if rows else LINES
