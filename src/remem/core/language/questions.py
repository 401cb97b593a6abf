"""The share of questions in a text."""

import re

from remem.core.language.sentences import sentences

_QUESTION_END = re.compile(r"[?？؟][\"'”’»)\]*_]{0,3}$")


def question_share(text: str) -> float:
    """The share of its sentences that are questions, from 0 to 1."""
    text_sentences = sentences(text)
    questions = sum(_is_question(sentence) for sentence in text_sentences)
    return questions / max(1, len(text_sentences))


def _is_question(sentence: str) -> bool:
    return _QUESTION_END.search(sentence) is not None and any(map(str.isalnum, sentence))
