"""An event or a due item at another time is a memory of its own, even with the same words."""

from datetime import UTC, datetime
from typing import Any

import pytest

from remem.core.errors import Conflict
from remem.core.judgements import Action
from remem.core.judges import by_rules as judging
from remem.core.memories.edit import MemoryEdit, edit_memory
from remem.core.memories.process import relate_memory
from remem.core.ports import Ports
from remem.core.scope import Scope
from tests.core.memories import contents, relate_by_first_word, save, save_deferred

pytestmark = pytest.mark.anyio

RUN = "I went for a run along the river."
MONDAY = datetime(2026, 3, 2, 7, tzinfo=UTC)
WEDNESDAY = datetime(2026, 3, 4, 7, tzinfo=UTC)


@pytest.mark.parametrize("field", ["occurred_at", "due_at"])
async def test_the_same_words_at_another_time_are_saved(
    ports: Ports, scope: Scope, field: str
) -> None:
    first = await save(ports, scope, RUN, **{field: MONDAY})
    other = await save(ports, scope, RUN, **{field: WEDNESDAY})
    again = await save(ports, scope, RUN, **{field: MONDAY})
    untimed = await save(ports, scope, RUN)
    assert (first.status, other.status) == ("saved", "saved")
    assert other.relations[0].action == "similar"
    assert other.relations[0].reasons[-1] == "at another time"
    assert (again.status, again.memory.id) == ("duplicate", first.memory.id)
    assert untimed.status == "duplicate"
    assert len(await contents(ports, scope)) == 2


async def test_a_new_time_is_saved(ports: Ports, scope: Scope) -> None:
    await save(ports, scope, RUN)
    timed = await save(ports, scope, RUN, occurred_at=MONDAY)
    assert (timed.status, timed.memory.occurred_at) == ("saved", MONDAY)


async def test_words_with_a_date_determine_the_time(ports: Ports, scope: Scope) -> None:
    words = "On 2 March 2026 I went for a run along the river."
    await save(ports, scope, words, occurred_at=MONDAY)
    again = await save(ports, scope, words, occurred_at=MONDAY.replace(hour=9))
    assert again.status == "duplicate"


async def test_nearly_the_same_words_are_distinguished_by_time(
    ports: Ports, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    action: Action = "noop"
    await save(ports, scope, RUN, occurred_at=MONDAY)
    monkeypatch.setattr(judging, "relate", relate_by_first_word(I=action))
    other = await save(ports, scope, "Along the river I went for a run.", occurred_at=WEDNESDAY)
    again = await save(ports, scope, "I went for a run along our river.", occurred_at=MONDAY)
    assert (other.status, again.status) == ("saved", "duplicate")


async def test_a_deferred_memory_at_another_time_is_kept(ports: Ports, scope: Scope) -> None:
    await save(ports, scope, RUN, occurred_at=MONDAY)
    later = await save_deferred(ports, scope, RUN)
    await edit_fields(ports, scope, later.id, occurred_at=WEDNESDAY)
    await relate_memory(ports, scope, later.id)
    assert len(await contents(ports, scope)) == 2


async def test_a_changed_time_counts(ports: Ports, scope: Scope) -> None:
    run = (await save(ports, scope, RUN, occurred_at=MONDAY)).memory
    await edit_fields(ports, scope, run.id, occurred_at=WEDNESDAY)
    monday = await save(ports, scope, RUN, occurred_at=MONDAY)
    wednesday = await save(ports, scope, RUN, occurred_at=WEDNESDAY)
    assert monday.status == "saved"
    assert (wednesday.status, wednesday.memory.id) == ("duplicate", run.id)
    with pytest.raises(Conflict, match="says the same"):
        await edit_fields(ports, scope, monday.memory.id, occurred_at=WEDNESDAY)


async def edit_fields(ports: Ports, scope: Scope, id: Any, **values: Any) -> None:
    await edit_memory(ports, scope, id, MemoryEdit(frozenset(values), **values))
