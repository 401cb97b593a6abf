"""A statement in the first person, told of the speaker by name."""

import re

_IRREGULAR = {
    "am": "is", "have": "has", "do": "does", "go": "goes", "was": "was", "don't": "doesn't",
    "haven't": "hasn't", "can": "can", "could": "could", "will": "will", "won't": "won't",
    "would": "would", "should": "should", "must": "must", "may": "may", "might": "might",
    "cannot": "cannot", "can't": "can't", "did": "did", "didn't": "didn't", "had": "had",
    "wasn't": "wasn't", "couldn't": "couldn't", "gotta": "has to", "gonna": "is going to",
}  # fmt: skip
_PAST = frozenset(
    "was were had did went came got made took saw met bought sold told said gave found left felt"
    " began ran wrote read heard held kept brought thought spent built lost won paid sent taught"
    " caught broke chose drove flew ate drank slept grew knew spoke stood sang swam wore woke rode"
    " fell forgot led threw drew rang hung hit set put cut let quit shut beat fought hurt cost hid"
    " became understood dealt meant lent bent fed bit dug stuck struck sought forgave gotten been"
    " used".split()
)
_ADVERBS = frozenset(
    "also just really still always never often usually actually recently already even only"
    " currently finally almost absolutely truly definitely sometimes both soon now then mostly"
    " generally originally initially eventually totally completely previously simply personally"
    " especially particularly sure so".split()
)
_SHORT = {"'m": " is", "'ve": " has", "'ll": " will"}
_OWN = re.compile(r"\b(?:I(?:['’](?:m|ve|ll))?|me|my|mine|myself)\b")
_NEXT = re.compile(r"\s+([A-Za-z]+(?:['’]t)?)")
_US = re.compile(r"\b(?:we|us|our|ours|ourselves)\b", re.IGNORECASE)
_FIRST = re.compile(r"\b(?:I|me|my|mine|myself)\b|\b[Mm]y\b")
_UNSURE = re.compile(r"\bI['’]d\b")


def speaks_of_self(text: str) -> bool:
    return _FIRST.search(text) is not None


def speaks_of_us(text: str) -> bool:
    return _US.search(text) is not None


def by_name(text: str, name: str) -> str | None:
    """None when it cannot be told without guessing."""
    if _UNSURE.search(text):
        return None
    text = re.sub(r"^My\b", "my", text).replace("’", "'")
    text = re.sub(r"\bgonna\b", "going to", text)
    parts: list[str] = []
    end, named = 0, False
    for found in _OWN.finditer(text):
        if found.start() < end:
            continue
        parts.append(text[end : found.start()])
        word = found[0]
        said, end = _replaced(text, found, word, name, named=named)
        named = True
        parts.append(said)
    told = "".join([*parts, text[end:]])
    if name.startswith("The "):
        told = told.replace(name, name[:1].lower() + name[1:])
    return told[:1].upper() + told[1:]


def _replaced(
    text: str, found: re.Match[str], word: str, name: str, *, named: bool
) -> tuple[str, int]:
    possessive = f"{name}'s"
    match word:
        case "my":
            return ("their" if named else possessive), found.end()
        case "mine":
            return possessive, found.end()
        case "myself":
            return "themselves", found.end()
        case "me":
            return name, found.end()
        case "I":
            return _with_verb(text, found.end(), name)
    return name + _SHORT[word[1:]], found.end()


def _with_verb(text: str, end: int, name: str) -> tuple[str, int]:
    """ "I really love" becomes "Ann really loves": the first word that is no adverb is the verb."""
    said = name
    while found := _NEXT.match(text, end):
        word = found[1]
        end = found.end()
        if word.lower() not in _ADVERBS:
            return f"{said} {third_person(word)}", end
        said += f" {word}"
    return said, end


def third_person(verb: str) -> str:
    low = verb.lower()
    if low in _IRREGULAR:
        return _IRREGULAR[low]
    if low in _PAST or (low.endswith("ed") and low not in ("need", "feed", "succeed", "speed")):
        return verb
    if low.endswith(("s", "x", "z", "ch", "sh", "o")):
        return f"{verb}es"
    if low.endswith("y") and low[-2:-1] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}s"
