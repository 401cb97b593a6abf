"""Pages: a chunk ends with its page, however short, or with the sentence that runs on to the next.

A chunk of several pages would say of most of its text that it is on another page."""

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
    return _carried(text, with_joints(seams, joints)), STYLE


def _carried(text: str, seams: Iterable[Place]) -> Iterator[Place]:
    """Where a page turns within a sentence, it is at the end of the sentence that one may cut."""
    turned = False
    for at, seam in seams:
        if seam is Seam.PAGE and _runs_on(text, at):
            turned = True
        elif turned and seam >= Seam.SENTENCE:
            turned = False
            yield at, Seam.PAGE
        else:
            yield at, seam


def _runs_on(text: str, joint: int) -> bool:
    start = skip_blank(text, joint)
    return start < len(text) and text[start].islower() and not ends_sentence(text, joint)
