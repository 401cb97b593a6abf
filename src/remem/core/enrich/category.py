"""What sort of text it is, by simple evidence."""

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from remem.core.chunking.gauge import estimate_tokens
from remem.core.enrich.reading import ParsedText

_BY_TYPE = {
    "code": "code",
    "csv": "data",
    "json": "data",
    "xlsx": "data",
    "email": "email",
    "tweet": "post",
    "conversation": "conversation",
    "transcript": "recording",
    "subtitles": "recording",
    "audio": "recording",
    "video": "recording",
    "note": "note",
}
# Each time a sign is there is a piece of evidence, and so many are enough. Signs are in lower
# case; "¶" is where a line begins.
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
_TURNS_NEEDED = 4
_NOTE_CHARS = 800
_LONG_TOKENS = 20


def category_of(text: ParsedText, content_type: str, found: Mapping[str, Any]) -> str:
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
    published = content_type in ("html", "pdf", "epub") or "published_at" in found
    running = [
        one
        for one in text.paragraphs
        if not one.listed and estimate_tokens(one.text) > _LONG_TOKENS
    ]
    return "article" if running and (published or len(head) > _NOTE_CHARS) else "note"


def is_conversation(head: str) -> bool:
    """Turns of two speakers or more, each of whom speaks again."""
    turns = Counter(found.strip().casefold() for found in SPEAKER.findall(head))
    again = [speaker for speaker, count in turns.items() if count > 1]
    return turns.total() >= _TURNS_NEEDED and 2 <= len(again) <= turns.total() // 2
