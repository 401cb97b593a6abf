"""Every word for a password or a key, and every word between it and its value, reveals a secret."""

import pytest

from remem.core.language.lists import table
from remem.core.language.phrase_lists import split_phrases
from remem.core.language.plain_secrets import find_secrets

TEXTS = {
    "passwords": "{}: zig4zag9",
    "keys": "{}: zig4zag9",
    "is": "password {} zig4zag9",
}


@pytest.mark.parametrize("name", TEXTS)
def test_every_phrase_finds_the_value(name: str) -> None:
    phrases = [
        phrase
        for listed in table("secrets", "any")[name].values()
        for phrase in split_phrases(listed)
    ]
    found = {
        phrase: [text[span.start : span.end] for span in find_secrets(text)]
        for phrase in phrases
        for text in [TEXTS[name].format(phrase)]
    }
    assert found == {phrase: ["zig4zag9"] for phrase in phrases}
