"""English examples with words of other languages, which carry what English taught."""

import collections
import random
import sys
from collections.abc import Iterator
from pathlib import Path

from groups import Group, Texts

sys.path.append(str(Path(__file__).with_name("embedder")))
from mixture import LANGUAGES, Translations, read_lines, switch

# The share of a source's questions that are repeated, and of its pairs.
_SHARES = {
    "written": 0.5, "jotted": 0.8, "unwritten": 0.4, "unjotted": 0.7, "squad_sent": 0.3,
    "squad": 0.3, "notes": 0.25, "unsaid": 0.2, "nq": 0.4, "hotpot": 0.1,
}  # fmt: skip
_PAIR_SHARES = {"later": 0.5, "changes": 0.15, "matters": 0.15, "beside": 0.3}
_WORDS = (0.6, 0.9, 1.0)


def read_translations(path: Path) -> Translations:
    found: dict[str, dict[str, collections.Counter[str]]] = collections.defaultdict(
        lambda: collections.defaultdict(collections.Counter)
    )
    for line in read_lines(path):
        fields = line.split("\t")
        if (
            len(fields) == 4
            and fields[0] in "wco"
            and fields[1] in LANGUAGES
            and "," not in fields[2]
        ):
            for word in fields[3].split("; "):
                found[word.lower()][fields[1]][fields[2]] += 1
    return found


def groups(
    texts: Texts, known: list[Group], translations: Translations, seed: int
) -> Iterator[Group]:
    """The question, its texts or both in words of another language."""
    rng = random.Random(seed)
    random.seed(seed)
    for group in known:
        if group.dev or rng.random() >= _SHARES.get(group.source, 0):
            continue
        language, share, sides = rng.choice(LANGUAGES), rng.choice(_WORDS), rng.choice("qtb")
        asked_in = rng.choice(LANGUAGES) if sides == "b" and rng.random() < 0.3 else language
        question, own, others, span = (
            group.question,
            group.own,
            group.others,
            (group.start, group.end),
        )
        if sides != "t":
            question = switch(question, asked_in, translations, share) or question
        if sides != "q":
            first, span = _switched_around(texts.all[own[0]], span, language, translations, share)
            own = [texts.add(first), *own[1:]]
            others = [
                texts.add(switch(texts.all[n], language, translations, share) or texts.all[n])
                for n in others[:3]
            ]
        if (question, own) != (group.question, group.own):
            source = f"switched-{group.source}"
            yield Group(source, question, own, others, *span, group.relevance, dev=False)


def _switched_around(
    text: str, span: tuple[int, int], language: str, translations: Translations, share: float
) -> tuple[str, tuple[int, int]]:
    """The text in words of another language, with the place of the answer in it."""

    def other(part: str) -> str:
        return switch(part, language, translations, share) or part

    start, end = span
    if start < 0:
        return other(text), span
    before, answer = other(text[:start]), other(text[start:end])
    return before + answer + other(text[end:]), (len(before), len(before) + len(answer))


def pairs(
    known: list[tuple[str, str, str, int, bool]], translations: Translations, seed: int
) -> Iterator[tuple[str, str, str, int, bool]]:
    rng = random.Random(seed)
    random.seed(seed)
    for source, old, new, relation, dev in known:
        if dev or rng.random() >= _PAIR_SHARES.get(source, 0):
            continue
        language, share = rng.choice(LANGUAGES), rng.choice(_WORDS)
        both = [switch(text, language, translations, share) or text for text in (old, new)]
        if both != [old, new]:
            yield f"switched-{source}", *both, relation, False
