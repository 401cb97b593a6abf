"""Find passwords, keys and tokens in a text: by their format, or by the words before them."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from remem.core.language.lists import table
from remem.core.language.phrase_lists import any_of, split_phrases

# What a key begins with is enough to look for candidates.
_FORMATS: dict[str, str] = table("secrets", "any")["formats"]
_KEY = re.compile("|".join(rf"(?<![\w-]){start}{rest}" for start, rest in _FORMATS.items()))
_PRIVATE_KEY = re.compile(r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----.*?(?:-----END [^\n]*|\Z)", re.S)
_IN_ADDRESS = re.compile(
    r"(?<![a-z+])[a-z+]{3,20}://[^\s:@/]{1,100}:(?P<value>[^\s@/]{3,200})@", re.I
)
_VALUE = r"(?P<value>[^\s\"'“”„«»,;<>|`]{6,200})"
# An address, a variable, a placeholder or dots instead of letters.
_NO_SECRET = re.compile(r"[a-z+]{3,20}://|[$<{\[%(]|[•*x.…_-]+\Z|[^@]{1,64}@[\w-]{1,64}\.", re.I)
_SURE_PIN = 6
_SIGNS = frozenset("!#$%&*+=?@^~")
_QUOTES = "\"'“”„«»`*_)"


def _labels(name: str) -> tuple[str, ...]:
    by_language: dict[str, str] = table("secrets", "any")[name]
    phrases = {phrase for listed in by_language.values() for phrase in split_phrases(listed)}
    return tuple(sorted(phrases, key=lambda phrase: (-len(phrase), phrase)))


_PASSWORDS, _KEYS, _IS = _labels("passwords"), _labels("keys"), _labels("is")
_BETWEEN = rf"[{re.escape(_QUOTES)}\s]{{0,3}}(?:[:=：]|{any_of(_IS)})[\s\"'“”„«»`*]{{0,4}}"
# "The password of the old router is …"
_OF_WHAT = r"(?P<what>(?:[^\S\n][^\W\d_]{1,20}){0,4}?)"
_AFTER_PASSWORD = re.compile(rf"(?:{any_of(_PASSWORDS)}){_OF_WHAT}{_BETWEEN}{_VALUE}", re.I)
_AFTER_KEY = re.compile(rf"(?:{any_of(_KEYS)}){_BETWEEN}{_VALUE}", re.I)


class SecretSpan(NamedTuple):
    """Characters `start` to `end` of the text are the secret, without the words before it."""

    start: int
    end: int


def find_secrets(text: str) -> list[SecretSpan]:
    """The secrets in the order of the text; they do not overlap."""
    found = sorted({*_spans(text)})
    kept: list[SecretSpan] = []
    for span in found:
        if kept and span.start < kept[-1].end:
            kept[-1] = SecretSpan(kept[-1].start, max(kept[-1].end, span.end))
        else:
            kept.append(span)
    return kept


def mask_secrets(text: str, mask: str) -> str:
    """The text with the mask in place of each secret."""
    for span in reversed(find_secrets(text)):
        text = text[: span.start] + mask + text[span.end :]
    return text


def candidate_words() -> list[str]:
    """In small letters; a text with a secret has one of these, or matches `format_pattern`."""
    labels = (*_PASSWORDS, *_KEYS)
    return [
        label for label in labels if not any(other != label and other in label for other in labels)
    ]


def format_pattern() -> str:
    """A regular expression of PostgreSQL for keys, private keys and addresses with a password."""
    formats = "|".join(_FORMATS)
    return f"{formats}|PRIVATE KEY-----|://[^[:space:]/]+:[^[:space:]/]+@"


def candidate_pattern() -> str:
    """What every text with a secret contains, as a regular expression of PostgreSQL that ignores
    case."""
    formats = "|".join(_FORMATS)
    passwords, keys = ("|".join(map(re.escape, labels)) for labels in (_PASSWORDS, _KEYS))
    between = rf"[{re.escape(_QUOTES)}[:space:]]{{0,3}}([:=：]|{'|'.join(_IS)})"
    in_address = "://[^[:space:]/]+:[^[:space:]/]+@"
    return f"{formats}|PRIVATE KEY-----|{in_address}|{passwords}|({keys}){between}"


def _spans(text: str) -> Iterator[SecretSpan]:
    for match in _PRIVATE_KEY.finditer(text):
        yield SecretSpan(*match.span())
    for match in _KEY.finditer(text):
        if any(map(str.isdigit, match[0])):
            yield SecretSpan(*match.span())
    for match in _IN_ADDRESS.finditer(text):
        if not _NO_SECRET.match(match["value"]):
            yield SecretSpan(*match.span("value"))
    for label in (_AFTER_PASSWORD, _AFTER_KEY):
        for match in label.finditer(text):
            value = match["value"].rstrip(".!?:)")
            is_password = label is _AFTER_PASSWORD
            if is_password and match["what"] and not _is_mixed(value):
                continue
            if _is_secret(value, is_password=is_password):
                yield SecretSpan(match.start("value"), match.start("value") + len(value))


def _is_secret(value: str, *, is_password: bool) -> bool:
    """Whether the value is no word: it mixes letters with digits or signs, or is a number that
    follows the word for a password."""
    if len(value) < _SURE_PIN or _NO_SECRET.match(value):
        return False
    has_letter = any(map(str.isalpha, value))
    has_digit = any(map(str.isdigit, value))
    if has_letter:
        return has_digit or not _SIGNS.isdisjoint(value)
    return is_password and value.isdigit()


def _is_mixed(value: str) -> bool:
    """Whether it has small letters and digits: "Password policy: ISO27001" names none."""
    return any(map(str.islower, value)) and any(map(str.isdigit, value))
