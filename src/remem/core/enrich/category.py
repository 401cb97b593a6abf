"""Determine the category of a text from simple signs."""

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from remem.core.chunking.token_counter import estimate_tokens
from remem.core.chunking.turns import ROLES, are_said
from remem.core.content_kinds import KINDS
from remem.core.enrich.reading import ParsedText

_BY_TYPE = {"conversation": "conversation", "transcript": "recording"} | {
    kind.name: kind.category for kind in KINDS.values() if kind.category
}
# Each occurrence of a sign counts; the number is how many are enough. Signs are in lower case; "¶"
# is the beginning of a line.
_SIGNS = {
    "research": (
        5,
        "abstract; et al;doi:;doi.org;arxiv;¶references;¶# references;methodology;hypothes;p < 0.;"
        "p<0.;we propose;we present;we evaluate;participants;related work;our results;[1];[2];[3]",
    ),
    "tutorial": (
        4,
        "tutorial;how to ;step 1;step 2;step 3;step-by-step;in this guide;in this post;"
        "in this lesson;let's ;let’s ;you'll need;you will need;you'll learn;you will learn;"
        "prerequisites;getting started;ingredients;walk you through;follow these steps",
    ),
    "documentation": (
        6,
        "# install;# usage;# api;# configuration;# options;# parameters;# quick;# requirements;"
        "# features;# license;# contributing;# deployment;¶```;default to;defaults to;endpoint;"
        " returns ;deprecated;configure",
    ),
    "opinion": (
        5,
        "i think;i believe;i feel;i disagree;i argue;i suspect;i hope;i wish;in my opinion;"
        "in my view;we should;we must;my take;my point;frankly;unfortunately;ought to;op-ed",
    ),
    "reference": (
        10,
        "¶|;glossary;cheat sheet;cheatsheet;specification;appendix;faq;¶- **;¶* **;¶- `;¶* `;"
        "see also",
    ),
}
_EVIDENCE = {
    category: (enough, signs.replace("¶", "\n").split(";"))
    for category, (enough, signs) in _SIGNS.items()
}
SPEAKER = re.compile(r"^[*_]{0,2}([^\W\d_][\w .'’-]{0,30})[*_]{0,2}:[*_]{0,2}[ \t]+(?=\S)", re.M)
_MIN_TURNS = 4
_NOTE_CHARS = 800
_LONG_TOKENS = 20


def category_of(text: ParsedText, content_type: str, metadata: Mapping[str, Any]) -> str:
    if content_type in _BY_TYPE:
        return _BY_TYPE[content_type]
    head = text.head
    if is_conversation(head):
        return "conversation"
    lowered = "\n" + head.lower()
    evidence = {
        name: sum(map(lowered.count, signs)) / enough for name, (enough, signs) in _EVIDENCE.items()
    }
    best = max(evidence, key=evidence.__getitem__)
    if evidence[best] >= 1:
        return best
    is_published = content_type in ("html", "pdf", "epub") or "published_at" in metadata
    long_paragraphs = [
        paragraph
        for paragraph in text.paragraphs
        if not paragraph.listed and estimate_tokens(paragraph.text) > _LONG_TOKENS
    ]
    return "article" if long_paragraphs and (is_published or len(head) > _NOTE_CHARS) else "note"


def is_conversation(head: str) -> bool:
    """Whether a text has turns of two or more speakers who speak more than once."""
    turns = Counter(name.strip().casefold() for name in SPEAKER.findall(head))
    texts = SPEAKER.split(head)[2::2]
    if not texts or not (are_said(texts) or turns.keys() <= ROLES):
        return False
    recurring = [speaker for speaker, count in turns.items() if count > 1]
    return turns.total() >= _MIN_TURNS and 2 <= len(recurring) <= turns.total() // 2
