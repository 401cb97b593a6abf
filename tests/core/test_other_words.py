"""A change is detected in the store even if it shares no word with the statement it replaces."""

import pytest

from remem.core.ports import Ports
from remem.core.scope import Scope
from tests.core.memories import contents, save

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("known", "said"),
    [
        (
            "My mother lives on her own in her house in Zwolle.",
            "Mum has moved into the care home De Wilgen.",
        ),
        ("I am a vegetarian.", "These days I eat fish and chicken again."),
    ],
)
async def test_a_change_in_other_words(ports: Ports, scope: Scope, known: str, said: str) -> None:
    await save(ports, scope, known)
    assert (await save(ports, scope, said)).status == "updated"
    assert await contents(ports, scope) == [said]


async def test_a_distant_statement_is_not_compared(ports: Ports, scope: Scope) -> None:
    await save(ports, scope, "I am a vegetarian.")
    saved = await save(ports, scope, "The printer on the second floor is broken.")
    assert (saved.status, saved.relations) == ("saved", ())
