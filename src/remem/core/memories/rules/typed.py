"""Whether a line of a note has content, where the points of `worth.py` cannot judge it.

Those are for sentences in English: "wifi: minato-5G" and "卵は加熱ならOKになった" are none."""

import re

from remem.core.language.detect import is_in_other_language
from remem.core.language.letters import UNSPACED
from remem.core.language.vocabulary import FUNCTION
from remem.core.memories.rules.objections import has_final_objection

_WORD = re.compile(r"[^\W_]+(?:['’.,:/-][^\W_]+)*")
# Of scripts without spaces, and of Korean, a few characters are a word.
_DENSE_CHAR = re.compile(rf"[{UNSPACED}\uac00-\ud7af]")
_DIGIT = re.compile(r"\d")
_VALUE = re.compile(r"[^\W_][^:：\n]{0,40}(?::\s|：|\s[=→]\s)\s*\S")
_CAPITALS = re.compile(r"(?<![^\W_])[^\W\d_]{2,}(?![^\W_])")
_NAME = re.compile(r"(?<=[^.!?…]\s)[\"“'‘(]?[^\W\d_]")
_ENDED = re.compile(r"[.!…][\"'”’)]*\Z")
_FEWEST_WORDS, _MANY_WORDS, _CHARS_OF_WORD = 2, 5, 2


def is_typed(quote: str) -> bool:
    """Whether a line is no English sentence: typed in few words, or in another language."""
    spelled = _WORD.findall(quote)
    if is_in_other_language(quote) or _is_of_other_script(quote):
        return True
    is_sentence = quote[:1].isupper() and _ENDED.search(quote) is not None
    return not (is_sentence and any(word.lower() in FUNCTION for word in spelled))


def has_content(quote: str) -> bool:
    """Whether a typed line has a number, a name, a value after a label or a word in capitals, or
    several words."""
    if has_final_objection(quote):
        return False
    length = len(_WORD.findall(quote)) + len(_DENSE_CHAR.findall(quote)) / _CHARS_OF_WORD
    if length >= _MANY_WORDS:
        return True
    if length < _FEWEST_WORDS:
        return False
    has_name = any(match[0].isupper() for match in _NAME.finditer(quote))
    has_capitals = any(word.isupper() for word in _CAPITALS.findall(quote))
    return bool(has_name or has_capitals or _DIGIT.search(quote) or _VALUE.match(quote))


def _is_of_other_script(quote: str) -> bool:
    letters = [char for char in quote if char.isalpha()]
    return 2 * sum(char > "\u02ff" for char in letters) > len(letters)
