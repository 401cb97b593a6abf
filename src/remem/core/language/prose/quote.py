"""Prepare a sentence for quoting: without markup, and without fillers at its edges."""

import re

from remem.core.language.prose.markup import inline

# An unchecked box marks a task.
BOX = re.compile(r"^\s*+(?:[-*+]\s*+)?\[ \]\s+")
_TICKED = re.compile(r"^\s*+(?:[-*+]\s*+)?\[[xX]\]\s+")
_ASIDE = re.compile(r"\[(?:image|photo|picture|video|audio|gif|sticker)\b[^\]\n]{0,500}\]", re.I)
_NOTE = re.compile(r"\[\^[\w-]{1,20}\]|\[\d{1,3}\]")
_LABEL = re.compile(r"^\s*(?:[-*•+]|\d{1,2}[.)])\s+")

_FILLER = (
    r"(?:oh|ah) (?:hey|yeah|yes|wow|no|well|boy)|well|oh|ah|um+|uh+|hmm+|wo+a?h|whoa|yay|yeah|yep"
    r"|yup|yes|no(?!\. \d)|nope|nah|wow|hey|hi|hello|good morning|good evening"
    r"|thanks a lot|thanks so much|thanks|thank you|sure|ok|okay|haha+|hah|lol|aww?|cool|great|nice"
    r"|awesome|amazing|absolutely|definitely|totally|exactly|right|true|for sure|of course|me too"
    r"|same here|btw|by the way|speaking of which|on a different note|actually|basically|honestly"
    r"|to be honest|anyways?|so|and|but|also|plus|unfortunately|luckily|fortunately|sadly|you know"
    r"|i mean|guess what|good question|listen|look|ps"
    r"|(?:so )?(?:a lot|so much|lots)(?:['’]s| has) (?:happened|been (?:going on|happening))"
    r"(?: (?:since|lately|recently)(?: (?:we|our) [a-z ]{2,20})?)?"
    r"|since (?:we|our) last (?:spoke|talked|chatted|met|chat|talk|conversation)"
    r"|(?:i(?:['’]ve| have)? got|i have) (?:some |a bit of )?(?:great|exciting|good|big|awesome"
    r"|amazing) news(?: to share)?(?: with you)?"
)
_OPENING = re.compile(
    rf"^(?:{_FILLER})\b(?:,? (?-i:[A-Z][a-z]+)(?=[,!.]))?\s*(?:[,!.…:]+|—|–|-(?= ))\s*", re.I
)
# "So I moved": a word that only connects to the previous sentence.
_JOINT = re.compile(r"^(?:so|and|but|well|oh|yeah|also)\s+(?=I\b|we\b|my\b|our\b)", re.I)
_CLOSING = re.compile(
    r"(?: ?[,.!;—–-]{1,3} ?(?:you know|right|yeah|ok|okay|thanks|thank you|btw|by the way|though"
    r"|actually|i guess|obviously|of course|anyway|haha+|hehe+|lol|lmao)"
    r"| (?:haha+|hehe+|lol|lmao)| ?[:;]-?[)(DP]"
    r"| ?[\U0001F300-\U0001FAFF\u2600-\u27BF\uFE0F\u200D]{1,20})[.!]{0,3}$",
    re.I,
)
_MAX_FILLERS = 6


def quote_sentence(sentence: str) -> str:
    """The sentence without markup, opening fillers and closing fillers."""
    return _strip_closing(_strip_opening(without_markup(sentence)))


def without_markup(text: str) -> str:
    """The text on one line, without Markdown, its list label, footnote numbers and pictures."""
    plain = _LABEL.sub("", BOX.sub("", _TICKED.sub("", text)))
    if "[" in plain:
        plain = _ASIDE.sub(" ", plain)
    plain = inline(plain)
    return " ".join((_NOTE.sub("", plain) if "[" in plain else plain).split())


def _strip_opening(text: str) -> str:
    for _ in range(_MAX_FILLERS):
        shortened = _OPENING.sub("", text, count=1)
        if shortened == text or not shortened:
            break
        text = shortened
    return _JOINT.sub("", text, count=1)


def _strip_closing(text: str) -> str:
    for _ in range(_MAX_FILLERS):
        shortened = _CLOSING.sub("", text, count=1)
        if shortened == text or not shortened:
            break
        text = shortened
    return text
