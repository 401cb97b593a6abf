"""Answer who a relative of the user is by a note that mentions both: "my daughter Ella"; pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from remem.core.answers.model import Answer, Citation, Source
from remem.core.answers.sentences import SentenceSpan
from remem.core.language.person import is_user

CONFIDENCE = 0.9
_NAME = r"[A-Z][\w-]{1,40}(?: [A-Z][\w-]{1,40}){0,2}"
_WHOM = r"[a-z-]{2,30}"
_ASKS_NAME = re.compile(
    rf"^(?:who|what)(?:['’]s| is| are) (?:my|our) (?P<whom>{_WHOM})(?:['’]s name| called)?\W*$",
    re.IGNORECASE | re.ASCII,
)
_ASKS_WHO = re.compile(rf"^[Ww]ho(?:['’]s| is) (?P<name>{_NAME})\W*$", re.ASCII)
_MENTIONS = (
    re.compile(
        rf"\b(?:[Mm]y|[Oo]ur) (?P<whom>{_WHOM}),?(?: is| is called| is named)? (?P<name>{_NAME})"
    ),
    re.compile(rf"\b(?P<name>{_NAME}),?(?: is)? (?:my|our) (?P<whom>{_WHOM})"),
)


class RelativeMention(NamedTuple):
    source: Source
    name: SentenceSpan
    whom: SentenceSpan

    def text(self, span: SentenceSpan) -> str:
        return self.source.content[span.start : span.end]


def by_mention(answer: Answer, sources: Sequence[Source]) -> Answer:
    """The answer, or, if it is unknown, the name or the relation that a note mentions."""
    question = answer.question.strip()
    by_relation, by_name = _ASKS_NAME.match(question), _ASKS_WHO.match(question)
    if answer.text is not None or not (by_relation or by_name):
        return answer
    for mention in _mentions(sources):
        if by_relation and mention.text(mention.whom) == by_relation["whom"].lower():
            return _name_relative(answer, mention, mention.name)
        if by_name and mention.text(mention.name).split()[0] == by_name["name"].split()[0]:
            named = _name_relative(answer, mention, mention.whom)
            return replace(named, text=f"your {named.text}")
    return answer


def _mentions(sources: Sequence[Source]) -> Iterator[RelativeMention]:
    for source in sources:
        for pattern in _MENTIONS if is_user(source.speaker) else ():
            for match in pattern.finditer(source.content):
                yield RelativeMention(
                    source, SentenceSpan(*match.span("name")), SentenceSpan(*match.span("whom"))
                )


def _name_relative(answer: Answer, mention: RelativeMention, span: SentenceSpan) -> Answer:
    text = mention.text(span)
    citation = Citation(mention.source, span.start, span.end, text, text, CONFIDENCE)
    return replace(answer, text=text, confidence=CONFIDENCE, citations=(citation,))
