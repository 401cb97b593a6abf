"""Expand a follow-up into a complete question, using the previous question and answer; pure."""

import re
from dataclasses import dataclass

_FLAGS = re.IGNORECASE | re.ASCII
# Follow-ups are short: a long question names its own subject.
ELLIPSIS_WORDS, PRONOUN_WORDS = 9, 25
ANSWER_WORDS = 8
TEXT_CHARS = 500

_WH = (
    "with whom|who with|what for|since when|until when|what time|what day|which day|what year"
    "|how many times|how many|how much|how long|how often|how old|how far|how come|when|where|why"
    "|whom|whose|who|which|what|how"
)
_AUXILIARY = "did|does|do|has|have|had|is|are|was|were|will|would|can|could|should|am"
_LEAD = re.compile(r"^(?:(?:and|but|so|then|ok|okay|also|or)\b[\s,]*)+", _FLAGS)
_BARE = re.compile(
    rf"^(?P<before>(?:from|to|with|for|at|in|by|about|of) )?(?P<wh>{_WH})"
    r"(?: (?:exactly|precisely|else|again|then|though|from|to|for|about|(?:was|is) (?:that|it|this)"
    r"|did (?:that|it|this) happen|(?:were|are) (?:they|those)))*\s*\??$",
    _FLAGS,
)
_ABOUT = re.compile(r"^(?:what|how) about (?P<what>\S.*)$", _FLAGS)
_HEAD = re.compile(
    rf"^(?P<wh>{_WH})\b(?P<noun>(?: (?!(?:{_AUXILIARY})\b)[\w'’-]+){{0,4}}?)"
    rf" (?P<rest>(?:{_AUXILIARY})\b.*)$",
    _FLAGS,
)
_SUBJECT_HEAD = re.compile(r"^(?P<wh>who|what|which)\b (?P<rest>\w.*)$", _FLAGS)
_ACTS = re.compile(r"(?:did|does|do|has|have|had|will|would|can|could|should)\b", _FLAGS)
_ASKS = re.compile(rf"(?:{_WH}|{_AUXILIARY})\b", _FLAGS)
_LAST_PHRASE = re.compile(r"\b(?P<word>[a-z]{2,6}) (?:the )?[\w'’-]{1,40}\??$", _FLAGS)
_PREPOSITION = re.compile(r"^(in|on|at|for|with|from|to|by|during|about|of|after|before)\b", _FLAGS)
_NAME = re.compile(r"(?<!^)\b[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)*")
_THINGS = re.compile(r"\b(?:my|our|the|a|an|his|her|their)(?: [a-z][\w'’-]*){1,3}", _FLAGS)
_VERBS_AFTER = re.compile(rf"\s(?:{_AUXILIARY}|in|on|at|to|from|with|for|of|by)\b.*$", _FLAGS)
_PERSON = re.compile(r"\b(?:he|she|him)\b", _FLAGS)
_POSSESSIVE_PRONOUN = re.compile(r"\b(?P<word>his|her)\b(?P<next>\s+[a-z]\w*)?", _FLAGS)
_THEY = re.compile(r"\b(?:they|them)\b", _FLAGS)
_THEIR = re.compile(r"\b(?:their|its)(?=\s+[a-z])", _FLAGS)
# "That" as a pronoun, not in "this week" or "the house that I saw".
_DEMONSTRATIVE = (
    r"(?:that|this|those|these)(?=\s*(?:[?.!,]|$)|\s+(?:is|was|are|were|happen|took)\b)"
)
_THING = re.compile(rf"\b(?:it|{_DEMONSTRATIVE})\b", _FLAGS)
_THERE = re.compile(r"(?<!is )(?<!are )(?<!was )(?<!were )(?<!^)\bthere\b", _FLAGS)
_PRONOUN = re.compile(
    rf"\b(?:he|she|him|his|her|they|them|their|it|its|there|{_DEMONSTRATIVE})\b", _FLAGS
)
_WHERE = re.compile(r"where\b", _FLAGS)
_ASKS_NAME = re.compile(r"who\b|what\b.*\bname\b", _FLAGS)
_ASKS_THING = re.compile(r"(?:what|which|who|how much|how many)\b", _FLAGS)
_OWN_PERSON = re.compile(r"\b(?:my|our) [a-z]+(?:-in-law)?\b")
_FIRST_PERSON = re.compile(r"\b(?:I|me|my|mine)\b")
_POSSESSIVE = re.compile(r"['’]s$")
_NOT_NAMES = frozenset(
    "I I'm I've I'd I'll Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February"
    " March April May June July August September October November December".split()
)
_NOT_OWNED = frozenset(
    "in on at to from with for by and or but after before when where then about last this".split()
)


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question as it was understood, and its short answer, if it has one."""

    question: str
    answer: str | None = None


def resolve(text: str, previous: Exchange | None) -> str:
    """The complete question; the text itself if it is complete or if the context does not help."""
    normalized = " ".join(text.split())
    if previous is None or not normalized or len(normalized) > TEXT_CHARS:
        return text
    earlier = Exchange(" ".join(previous.question.split())[:TEXT_CHARS], previous.answer)
    bare = _LEAD.sub("", normalized) or normalized
    words = len(bare.split())
    if words <= ELLIPSIS_WORDS and (match := _BARE.match(bare)):
        return _ask_again(f"{match['before'] or ''}{match['wh']}".lower(), earlier) or text
    if words <= ELLIPSIS_WORDS and (match := _ABOUT.match(bare)):
        return _about(match["what"], earlier.question)
    if normalized != bare and words <= 4 and not _ASKS.match(bare):
        return _about(bare.rstrip("?!. "), earlier.question)
    return _without_pronouns(bare, earlier) if words <= PRONOUN_WORDS else text


def _ask_again(wh: str, previous: Exchange) -> str | None:
    """The previous question with another question word: "where did we meet?", "and when?"."""
    question = previous.question.rstrip("?!. ")
    wh = {"who with": "with whom", "how come": "why"}.get(wh, wh)
    if match := _HEAD.match(question):
        return f"{wh[:1].upper()}{wh[1:]} {_remainder(wh, match, previous)}?"
    match = _SUBJECT_HEAD.match(question)
    answer = _short_answer(previous.answer)
    return (
        f"{wh[:1].upper()}{wh[1:]} was it that {answer} {match['rest']}?"
        if match and answer
        else None
    )


def _remainder(wh: str, match: re.Match[str], previous: Exchange) -> str:
    """What follows the question word. What the previous question asked for is now known."""
    rest, noun = match["rest"], match["noun"].strip()
    if wh in ("how many", "how much", "which") and noun:
        return f"{noun} {rest}"
    if match["wh"].lower() not in ("what", "which", "who", "whom", "how many", "whose"):
        return rest
    answer = _short_answer(previous.answer) if match["wh"].lower() != "how many" else None
    if not _ACTS.match(rest):
        return rest
    known = answer or (f"the {noun}" if noun else "")
    return f"{rest} {known}".rstrip()


def _about(what: str, question: str) -> str:
    """The previous question about another person, thing, place or time."""
    what = what.strip().rstrip("?!. ")
    if match := _PREPOSITION.match(what):
        last = _LAST_PHRASE.search(question)
        if last and last["word"].lower() == match[1].lower():
            return f"{question[: last.start()]}{what}?"
        return f"{question.rstrip('?!. ')} {what}?"
    names = [name for name in _NAME.finditer(question) if name[0] not in _NOT_NAMES]
    if names and (what[:1].isupper() or len(what.split()) <= 3):
        last = names[-1]
        is_possessive = _POSSESSIVE.search(last[0]) and not _POSSESSIVE.search(what)
        name = f"{what}'s" if is_possessive else what
        return f"{question[: last.start()]}{name}{question[last.end() :]}"
    if what[:1].isupper() and _FIRST_PERSON.search(question):
        return _FIRST_PERSON.sub(lambda match: f"{what}'s" if "m" in match[0] else what, question)
    things = list(_THINGS.finditer(question))
    if things and _THINGS.match(what):
        return f"{question[: things[-1].start()]}{what}?"
    return f"{question.rstrip('?!. ')} ({what})?"


def _without_pronouns(text: str, previous: Exchange) -> str:
    """Replace pronouns by what was asked about, or by the answer. A pronoun after a name may refer
    to that name."""
    pronoun = _PRONOUN.search(text)
    names = (name.start() for name in _NAME.finditer(text) if name[0] not in _NOT_NAMES)
    if pronoun is None or min(names, default=len(text)) < pronoun.start():
        return text
    person, thing = _person(previous), _thing(previous)
    if person:
        text = _PERSON.sub(lambda _: person, text)
        text = _POSSESSIVE_PRONOUN.sub(lambda match: _possessive(match, person), text)
    if thing and _WHERE.match(previous.question) and (place := _short_answer(previous.answer)):
        text = _THERE.sub(lambda _: _with_preposition(place), text)
    named = thing or person
    if named is None:
        return text
    text = _THEIR.sub(lambda _: f"{named}'s", text)
    text = _THEY.sub(lambda _: named, text)
    return _THING.sub(lambda _: named, text, count=1) if thing else text


def _possessive(match: re.Match[str], person: str) -> str:
    """ "her dog" belongs to the person, "with her in Rome" is about the person."""
    following = (match["next"] or "").strip().lower()
    is_object = not following or following in _NOT_OWNED
    return (
        f"{person}{match['next'] or ''}"
        if is_object and match["word"].lower() == "her"
        else (f"{person}'s{match['next'] or ''}")
    )


def _person(previous: Exchange) -> str | None:
    """A name in the question, a relation of the user ("my sister"), or an answer that is a name."""
    names = [name[0] for name in _NAME.finditer(previous.question) if name[0] not in _NOT_NAMES]
    answer = _short_answer(previous.answer)
    is_name = answer is not None and answer[:1].isupper() and not any(map(str.isdigit, answer))
    if is_name and _ASKS_NAME.match(previous.question):
        return answer
    if names:
        return _POSSESSIVE.sub("", names[-1])
    if relation := _OWN_PERSON.search(previous.question):
        return relation[0]
    return answer if is_name else None


def _thing(previous: Exchange) -> str | None:
    """The answer to a "what" question, or else the last thing that the question names."""
    answer = _short_answer(previous.answer)
    if answer and _ASKS_THING.match(previous.question):
        return answer
    things = list(_THINGS.finditer(previous.question.rstrip("?!. ")))
    thing = _VERBS_AFTER.sub("", things[-1][0]) if things else ""
    return thing if " " in thing else answer


def _with_preposition(answer: str) -> str:
    return answer if _PREPOSITION.match(answer) else f"in {answer}"


def _short_answer(answer: str | None) -> str | None:
    """An answer short enough to be inserted in a question."""
    if answer is None or len(answer.split()) > ANSWER_WORDS:
        return None
    return answer.strip().rstrip(".") or None
