"""A few words of another language do not replace an English statement that names the same thing."""

import pytest

from remem.core.memories.rules.text_form import form_rules_out_update
from remem.core.ports import Ports
from remem.core.scope import Scope
from tests.conftest import new_scope
from tests.core.memories import contents, save

PAIRS = [
    ("Always use TypeScript", "Usar TypeScript mañana"),
    ("Always use TypeScript", "Immer TypeScript mögen"),
    ("Always use TypeScript", "Apprendre TypeScript demain"),
    ("Prefers Docker", "Docker Kurs buchen"),
    ("Call Lena", "Lena besuchen"),
    ("Never use Jenkins", "Imparare Jenkins domani"),
    ("Always use Postgres", "Aprender Postgres amanhã"),
]
ENGLISH = [
    ("Always use TypeScript", "Never use TypeScript"),
    ("The dishwasher leaks.", "Dishwasher fixed"),
    ("I live in Paris.", "I moved to Berlin."),
    ("Ella's address is 14 Harbour Street.", "Ella has moved, send post to 3 Quarry Hill."),
]


@pytest.mark.parametrize(("old", "new"), PAIRS)
@pytest.mark.anyio
async def test_words_of_another_language_replace_nothing(ports: Ports, old: str, new: str) -> None:
    scope: Scope = await new_scope(ports)
    for text in (old, new):
        await save(ports, scope, text)
    assert sorted(await contents(ports, scope)) == sorted([old, new])


@pytest.mark.parametrize(("old", "new"), ENGLISH)
def test_english_changes_are_left_to_the_reader(old: str, new: str) -> None:
    assert not form_rules_out_update(new, old)
