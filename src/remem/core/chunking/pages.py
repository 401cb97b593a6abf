"""Pages: a chunk ends with its page, or with a sentence that continues on the next page.

A chunk of several pages would have the wrong page number for most of its text."""

from collections.abc import Iterable, Iterator, Sequence

from remem.core.chunking.headings import Heading
from remem.core.chunking.joints import places_of, skip_blank, with_joints
from remem.core.chunking.model import Joint, Mark
from remem.core.chunking.pack import Place, Seam, Style
from remem.core.language.sentences import ends_sentence

STYLE = Style(ends_at=Seam.PAGE)


def page_seams(
    text: str, seams: Iterable[Place], marks: Sequence[Mark], headings: Sequence[Heading]
) -> tuple[Iterator[Place], Style]:
    joints = ((at, Seam.PAGE) for at in places_of(text, marks, Joint.PAGE))
    return _move_to_sentence_ends(text, with_joints(seams, joints)), STYLE


def _move_to_sentence_ends(text: str, seams: Iterable[Place]) -> Iterator[Place]:
    """Move a page break inside a sentence to the end of the sentence."""
    is_pending = False
    for at, seam in seams:
        if seam is Seam.PAGE and _is_inside_sentence(text, at):
            is_pending = True
        elif is_pending and seam >= Seam.SENTENCE:
            is_pending = False
            yield at, Seam.PAGE
        else:
            yield at, seam


def _is_inside_sentence(text: str, joint: int) -> bool:
    start = skip_blank(text, joint)
    return start < len(text) and text[start].islower() and not ends_sentence(text, joint)
