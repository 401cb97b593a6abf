"""Make a follow-up a question of its own, by the question and the answer before it; pure."""

import re
from dataclasses import dataclass

_FLAGS = re.IGNORECASE | re.ASCII
# A follow-up is short: a long question says itself what it is about.
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
_HERS = re.compile(r"\b(?P<word>his|her)\b(?P<next>\s+[a-z]\w*)?", _FLAGS)
_THEY = re.compile(r"\b(?:they|them)\b", _FLAGS)
_THEIR = re.compile(r"\b(?:their|its)(?=\s+[a-z])", _FLAGS)
# "That" by itself, and not "this week" or "the house that I saw".
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
    """A question as it was understood, and the short answer it got, where it got one."""

    question: str
    answer: str | None = None


def resolve(text: str, before: Exchange | None) -> str:
    """The text itself where it is a question by itself, or where nothing before it helps."""
    asked = " ".join(text.split())
    if before is None or not asked or len(asked) > TEXT_CHARS:
        return text
    earlier = Exchange(" ".join(before.question.split())[:TEXT_CHARS], before.answer)
    bare = _LEAD.sub("", asked) or asked
    words = len(bare.split())
    if words <= ELLIPSIS_WORDS and (found := _BARE.match(bare)):
        return _asked_anew(f"{found['before'] or ''}{found['wh']}".lower(), earlier) or text
    if words <= ELLIPSIS_WORDS and (found := _ABOUT.match(bare)):
        return _about(found["what"], earlier.question)
    if asked != bare and words <= 4 and not _ASKS.match(bare):
        return _about(bare.rstrip("?!. "), earlier.question)
    return _without_pronouns(bare, earlier) if words <= PRONOUN_WORDS else text


def _asked_anew(wh: str, before: Exchange) -> str | None:
    """The question before, asked for something else: "where did we meet?", "and when?"."""
    question = before.question.rstrip("?!. ")
    wh = {"who with": "with whom", "how come": "why"}.get(wh, wh)
    if found := _HEAD.match(question):
        return f"{wh[:1].upper()}{wh[1:]} {_rest(wh, found, before)}?"
    found = _SUBJECT_HEAD.match(question)
    answer = _short(before.answer)
    return (
        f"{wh[:1].upper()}{wh[1:]} was it that {answer} {found['rest']}?"
        if found and answer
        else None
    )


def _rest(wh: str, found: re.Match[str], before: Exchange) -> str:
    """What follows the word that asks. What was asked for before is known now."""
    rest, noun = found["rest"], found["noun"].strip()
    if wh in ("how many", "how much", "which") and noun:
        return f"{noun} {rest}"
    if found["wh"].lower() not in ("what", "which", "who", "whom", "how many", "whose"):
        return rest
    answer = _short(before.answer) if found["wh"].lower() != "how many" else None
    if not _ACTS.match(rest):
        return rest
    known = answer or (f"the {noun}" if noun else "")
    return f"{rest} {known}".rstrip()


def _about(what: str, question: str) -> str:
    """The question before, about another person, thing, place or time."""
    what = what.strip().rstrip("?!. ")
    if found := _PREPOSITION.match(what):
        last = _LAST_PHRASE.search(question)
        if last and last["word"].lower() == found[1].lower():
            return f"{question[: last.start()]}{what}?"
        return f"{question.rstrip('?!. ')} {what}?"
    names = [one for one in _NAME.finditer(question) if one[0] not in _NOT_NAMES]
    if names and (what[:1].isupper() or len(what.split()) <= 3):
        last = names[-1]
        owns = _POSSESSIVE.search(last[0]) and not _POSSESSIVE.search(what)
        name = f"{what}'s" if owns else what
        return f"{question[: last.start()]}{name}{question[last.end() :]}"
    if what[:1].isupper() and _FIRST_PERSON.search(question):
        return _FIRST_PERSON.sub(lambda one: f"{what}'s" if "m" in one[0] else what, question)
    things = list(_THINGS.finditer(question))
    if things and _THINGS.match(what):
        return f"{question[: things[-1].start()]}{what}?"
    return f"{question.rstrip('?!. ')} ({what})?"


def _without_pronouns(text: str, before: Exchange) -> str:
    """A pronoun stands for what was asked about, or for the answer; behind a name it may stand
    for that."""
    pronoun = _PRONOUN.search(text)
    names = (name.start() for name in _NAME.finditer(text) if name[0] not in _NOT_NAMES)
    if pronoun is None or min(names, default=len(text)) < pronoun.start():
        return text
    person, thing = _person(before), _thing(before)
    if person:
        text = _PERSON.sub(lambda _: person, text)
        text = _HERS.sub(lambda one: _owned(one, person), text)
    if thing and _WHERE.match(before.question) and (place := _short(before.answer)):
        text = _THERE.sub(lambda _: _placed(place), text)
    named = thing or person
    if named is None:
        return text
    text = _THEIR.sub(lambda _: f"{named}'s", text)
    text = _THEY.sub(lambda _: named, text)
    return _THING.sub(lambda _: named, text, count=1) if thing else text


def _owned(found: re.Match[str], person: str) -> str:
    """ "her dog" is somebody's dog, "with her in Rome" is with somebody."""
    following = (found["next"] or "").strip().lower()
    is_object = not following or following in _NOT_OWNED
    return (
        f"{person}{found['next'] or ''}"
        if is_object and found["word"].lower() == "her"
        else (f"{person}'s{found['next'] or ''}")
    )


def _person(before: Exchange) -> str | None:
    """A name in the question, somebody of one's own ("my sister"), or an answer that is a name."""
    names = [one[0] for one in _NAME.finditer(before.question) if one[0] not in _NOT_NAMES]
    answer = _short(before.answer)
    is_name = answer is not None and answer[:1].isupper() and not any(map(str.isdigit, answer))
    if is_name and _ASKS_NAME.match(before.question):
        return answer
    if names:
        return _POSSESSIVE.sub("", names[-1])
    if own := _OWN_PERSON.search(before.question):
        return own[0]
    return answer if is_name else None


def _thing(before: Exchange) -> str | None:
    """The answer to "what", or else the last thing that the question names."""
    answer = _short(before.answer)
    if answer and _ASKS_THING.match(before.question):
        return answer
    found = list(_THINGS.finditer(before.question.rstrip("?!. ")))
    thing = _VERBS_AFTER.sub("", found[-1][0]) if found else ""
    return thing if " " in thing else answer


def _placed(answer: str) -> str:
    return answer if _PREPOSITION.match(answer) else f"in {answer}"


def _short(answer: str | None) -> str | None:
    """An answer that can stand in a question: a few words of one thing."""
    if answer is None or len(answer.split()) > ANSWER_WORDS:
        return None
    return answer.strip().rstrip(".") or None
