"""Secrets in a text: keys, tokens and passwords, which are no names."""

import re

_SECRET = re.compile(
    r"(?<![\w-])((?>[\w-]*?\b(?=[a-z]{2,6}[-_])))[a-z]{2,6}[-_](?=(?:[\w-]*\d){3})[\w-]{8,}"
    r"|(?<!-)eyJ[\w-]{10,}+(?:\.[\w-]+)*"
    r"|(?<![a-z+])[a-z+]{3,}+://[^\s:@/]+:[^\s@/]{3,}@|\bAKIA[A-Z0-9]{12,}"
    r"|(?:password|passwd|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key)"
    r"[\"']?\s*(?:[:=]|\bis\b)\s*[\"']?[^\s\"',;]{6,}",
    re.IGNORECASE,
)
_PRIVATE_KEY = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [^\n]*|\Z)", re.S)
_LONG = re.compile(r"[\w+/=-]{16,}")
_HEX = re.compile(r"[0-9a-fA-F-]{24,}")
_MIN_DIGITS = 3


def hide_secrets(text: str) -> str:
    """The text with a placeholder for each secret, which is no letter."""
    text = _SECRET.sub(r"\1·", _PRIVATE_KEY.sub("·", text))
    return _LONG.sub(lambda match: "·" if _is_random(match[0]) else match[0], text)


def _is_random(word: str) -> bool:
    digits = sum(map(str.isdigit, word))
    is_mixed = any(map(str.islower, word)) and any(map(str.isupper, word))
    return digits >= _MIN_DIGITS and (is_mixed or _HEX.fullmatch(word) is not None)
