"""A statement about a limited time, a future start or a single day replaces no general one."""

from datetime import UTC, date, datetime
from uuid import UUID

import pytest

from remem.core.judgements import KnownMemory, StatementContext
from remem.core.memories.rules.change import update_candidates
from remem.core.memories.rules.relate import relate
from remem.core.memories.rules.temporary import is_temporary
from remem.core.ports import Ports
from remem.core.scope import Scope
from tests.core.memories import save

TODAY = date(2026, 11, 17)
SAID_AT = datetime(2026, 11, 17, 12, tzinfo=UTC)
TEMPORARY = [
    ("The kiosk opens at 7.", "Over Easter the kiosk opens at 10."),
    ("The kiosk opens at 7.", "During the school holidays the kiosk opens at 8."),
    ("The kiosk opens at 7.", "This weekend the kiosk opens at 9."),
    ("The kiosk opens at 7.", "At weekends the kiosk opens at 9."),
    ("The kiosk opens at 7.", "In winter the kiosk opens at 9."),
    ("The kiosk opens at 7.", "Over the holidays the kiosk opens at 10."),
    ("I sit at desk 14.", "This month I sit at desk 30."),
    ("I sit at desk 14.", "Until Thursday I sit at desk 30."),
    ("I sit at desk 14.", "I sit at desk 30 until the end of May."),
    ("I sit at desk 14.", "For three days I sit at desk 30."),
    ("I sit at desk 14.", "For the next two weeks I sit at desk 30."),
    ("Ilse drives the van.", "While Ilse is ill Marten drives the van."),
    ("The bike stands in the hall.", "Tonight the bike stands in the yard."),
    ("The bike stands in the hall.", "The bike stands in the yard for now."),
    ("The code is 4411.", "The code is 9020 today."),
    ("The sauna is at 80 degrees.", "This Saturday the sauna is at 95 degrees."),
    ("The tram fare is 3 euros.", "From February 2027 the tram fare is 4 euros."),
    ("The tram fare is 3 euros.", "From December the tram fare is 4 euros."),
    ("The tram fare is 3 euros.", "Starting 1 January 2027 the tram fare is 4 euros."),
    ("The tram fare is 3 euros.", "Effective 2nd March 2027, the tram fare is 4 euros."),
    ("The tram fare is 3 euros.", "From April the tram fare will be 4 euros."),
    ("The pool closes at 20:00.", "In June 2027 the pool will close at 22:00."),
    ("Heating oil on 4 March 2026 was 0.97.", "Heating oil on 8 July 2026 was 0.91."),
    ("Pulse on 2 May 2026: 71.", "Pulse on 3 May 2026: 66."),
    ("2026-05-02: the river was at 210 cm.", "2026-06-02: the river was at 190 cm."),
    # Without a year: a note, or in the past tense.
    ("Gas meter reading on 1 October: 48211.", "Gas meter reading on 1 November: 48390."),
    ("Paid 38 for petrol on 20 October.", "Paid 40 for petrol on 3 November."),
]
LASTING = [
    ("My boss is Beate.", "Since October my boss is Colin."),
    ("My boss is Beate.", "As of today my boss is Colin."),
    ("My boss is Beate.", "From this week my boss is Colin."),
    ("My boss is Beate.", "From now on my boss is Colin."),
    ("My boss is Beate.", "For two years my boss has been Colin."),
    ("The tram fare is 3 euros.", "From March the tram fare is 4 euros."),
    ("The tram fare is 3 euros.", "As of 1 November 2026 the tram fare is 4 euros."),
    ("The tram fare is 3 euros.", "The tram fare was raised to 4 euros from March 2027."),
    ("The code is 4411.", "The code was changed to 9020 today."),
    ("The kiosk opens at 7.", "The kiosk now opens at 9."),
    ("The kiosk is open until 18:00.", "The kiosk is open until 20:00."),
    ("The sale is until Friday.", "The sale is until Sunday."),
    ("The meeting is on Friday.", "The meeting is today."),
    ("The meeting is on Friday.", "The meeting is on Thursday this week."),
    ("The exam is on 3 May 2027.", "The exam is on 9 June 2027."),
    ("The exam is on 9 February in hall A.", "The exam is on 3 March in hall B."),
    ("Last service: 3 May 2026 at 81000 km.", "Last service: 9 June 2026 at 84000 km."),
    ("I weigh 82 kilos.", "Down to 77 kilos this morning."),
    ("This week I sit at desk 30.", "This week I sit at desk 31."),
]


@pytest.mark.parametrize(("old", "new"), TEMPORARY)
def test_a_temporary_statement_replaces_nothing(old: str, new: str) -> None:
    assert is_temporary(new, old, TODAY)
    known = [KnownMemory(UUID(int=1), old, 0.9, SAID_AT)]
    context = StatementContext(said_at=SAID_AT)
    assert "update" not in {relation.action for relation in relate(new, known, context)}
    assert update_candidates(new, known, context) == []


@pytest.mark.parametrize(("old", "new"), LASTING)
def test_a_lasting_statement_is_not_temporary(old: str, new: str) -> None:
    assert not is_temporary(new, old, TODAY)


def test_a_start_date_is_temporary_only_before_it() -> None:
    new, old = "From February 2027 the fare is 4 euros.", "The fare is 3 euros."
    assert not is_temporary(new, old, date(2027, 2, 1))
    assert not is_temporary(new, old, None)
    assert is_temporary(new.replace("is", "will be"), old, None)


@pytest.mark.anyio
async def test_the_reader_is_not_asked_about_a_temporary_statement(
    ports: Ports, scope: Scope
) -> None:
    await save(ports, scope, "The kiosk opens at 7.")
    temporary = await save(ports, scope, "Over Easter the kiosk opens at 10.")
    assert temporary.status == "saved"
    lasting = await save(ports, scope, "The kiosk now opens at 8.")
    assert lasting.status == "updated"
