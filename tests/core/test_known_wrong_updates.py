"""Pairs of everyday statements that the rules alone judge wrongly, and how the reader judges them:
the reader proposes, the rules veto."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

import pytest

from remem.adapters.analysis.threads import ThreadAnalysis
from remem.adapters.embedding.local import LocalEmbedder
from remem.adapters.reader.local import LocalReader
from remem.core.errors import Unavailable
from remem.core.judgements import NO_CONTEXT, KnownMemory
from remem.core.judges.by_reader import ReaderJudge
from remem.core.memories.rules.relate import relate
from remem.core.readings import Verdict

# old statement, new statement, what the rules say today, the right answer
PAIRS = [
    ("The wifi password is hunter2.", "The wifi password was changed to swordfish.",
     "similar", "update"),
    ("The wifi password is hunter2.", "The wifi password is now swordfish.", "similar", "update"),
    ("Anna is vegetarian.", "Anna eats meat again.", "similar", "update"),
    ("I am vegetarian.", "I eat meat again.", "similar", "update"),
    ("Our office is in Berlin.", "The office moved to Munich.", "similar", "update"),
    ("Our office is in Berlin.", "Our office moved to Munich.", "similar", "update"),
    ("The price of the plan is 30 euros.", "The price of the plan is now 45 euros.",
     "similar", "update"),
    ("The plan costs $20.", "The plan is $25 now.", "similar", "update"),
    ("A ticket is 12 euros.", "Tickets went up to 15 euros.", "similar", "update"),
    ("The bin is collected on Mondays.", "The bin is collected on Thursdays now.",
     "similar", "update"),
    ("The standup is at 9:30.", "The standup starts at 10:00 from now on.", "similar", "update"),
    ("Ben works at Acme.", "Ben quit his job.", "similar", "update"),
    ("My car is a Golf.", "I sold the Golf and bought a Skoda.", "similar", "update"),
    ("I take the bus to work.", "I cycle to work these days.", "similar", "update"),
    ("My dentist is Dr. Weber.", "I switched to Dr. Klein as my dentist.", "similar", "update"),
    ("The API key is in Vault.", "The API key lives in 1Password now.", "similar", "update"),
    ("Mia is in second grade.", "Mia started third grade.", "similar", "update"),
    ("The shop closes at 18:00.", "The shop is open until 20:00 now.", "similar", "update"),
    ("Lena is pregnant.", "Lena had her baby.", "similar", "update"),
    ("We use Jenkins for CI.", "CI runs on GitHub Actions now.", "similar", "update"),
    ("The printer is broken.", "The printer works again.", "similar", "update"),
    ("The trip to Rome is in May.", "The trip to Rome was cancelled.", "similar", "update"),
    ("My brother lives in Paris.", "My brother lives in Lyon.", "similar", "update"),
]  # fmt: skip

# There may be two brothers.
STILL_WRONG = {"My brother lives in Paris."}

# Pairs that also describe a change, or that the reader alone takes for updates, but are none.
NOT_UPDATES = [
    ("United Kites is in the town of Ely.", "France Kites is in the town of Ely."),
    ("mums wifi VM88, pw Rk7t", "flat wifi is Hyperoptic, pw on the board"),
    ("meter home 0412 778", "meter shop: 0419 221, always buy more"),
    ("The printer is on the second floor.", "The printer got a new toner."),
    ("The kitchen has a gas stove.", "We repainted the kitchen."),
    ("Meeting room Oak has a projector.", "Meeting room Birch has no projector."),
    ("Kettle 1 of Ada Lovelace stands on shelf 7.", "Kettle 2 of Ada Lovelace stands on shelf 14."),
    ("Our printer 3 is in the attic.", "Our printer 4 is in the hall."),
    (
        "The cinema on Kiln Lane shows films in the original.",
        "The cinema at the station doesn't show films in the original.",
    ),
    ("Grandpa walks with a cane.", "Grandpa turned 90 last week."),
    ("The bakery opens at 7.", "The bakery changed its logo."),
    ("The train to Oslo leaves at 8:00.", "The train to Oslo leaves at 9:00."),
    ("The office in Paris opens at 9.", "The office in Rome opens at 10 now."),
    ("The bathroom light is broken.", "The hallway light works again."),
    ("My suitcase is blue.", "Marit's suitcase is red now."),
    ("The code of locker 18 is 5520.", "The code of locker 19 was changed to 6314."),
    ("We use GraphQL for the partner API.", "We plan to switch the partner API to REST."),
    ("The API is limited to 100 requests.", "Rashid thinks the API limit was changed to 500."),
    ("The standup is at 9:30.", "Is the standup at 10:00 now?"),
    ("I speak French.", "I speak Spanish now."),
    ("Noor likes mango lassi.", "Noor likes ginger lemonade now, too."),
    ("The outage in March lasted two hours.", "The outage in May was shortened to an hour."),
    ("The capital of Norland is Vik.", "Norland is in the continent of Europe."),
    ("The upstairs tenant is Mr Hall.", "The downstairs tenant is now Mr Berg."),
    ("The author of the play is Ana Moor.", "Ana Moor died in the city of Ely."),
    ("My manager is Colin.", "Colin's manager is now Petra."),
    ("My uncle resides in Graz.", "My uncle cycled to Linz last week."),
    ("Old Moshe sings in the choir.", "Young Stephen joined the choir as a tenor now."),
    ("Moshe works in the field of law.", "Stephen works in the field of politics now."),
    ("The head of the Leeds office is Ana.", "The head of the York office is Ben now."),
    ("Ana works in law.", "Ben works in law now."),
    ("Marta plays the violin.", "Jonas plays the violin now."),
    ("Lena is vegan.", "Mia is vegan now."),
    ("The museum is closed on Mondays.", "The museum shop is open on Mondays now."),
    ("Ana lives in Porto.", "Ana went to Lisbon last week."),
    ("The server runs on Ubuntu.", "The server crashed last night."),
    ("My favourite restaurant is Luigi's.", "We ate at Luigi's again."),
    ("Biscuit is afraid of thunder.", "Biscuit sleeps in his own basket by now."),
    ("The van runs on diesel.", "Winter tyres went on the van yesterday."),
    ("Work starts at nine.", "I started at Globex."),
    ("The car seats five.", "Moved the car insurance over to Fairlane."),
    ("The server is in rack 4. Its password is hunter2.", "The server was moved to rack 9."),
]

# Similar pairs that the rules judge rightly.
RIGHT = [
    ("The train to Oslo leaves at 8:00.", "The train to Oslo leaves at 9:00.", "similar"),
    ("Our train leaves at 8:00.", "Our train leaves at 9:00.", "update"),
    ("Yoga is on Tuesday.", "Yoga is on Thursday.", "similar"),
    ("We deploy on Fridays.", "We deploy on Mondays now.", "update"),
    ("Our office is in Berlin.", "Our office is in Munich.", "update"),
    ("The gym costs 30 euros a month.", "The gym costs 45 euros a month.", "update"),
    ("Passwords expire every 30 days.", "Passwords expire every 90 days.", "update"),
    ("We rotate the keys every 30 days.", "We rotate the keys every 90 days.", "update"),
    ("The meeting is at 10.", "The meeting was moved to 11.", "update"),
    ("The meeting is at 10 in the Oak room.", "The meeting was moved to 11.", "similar"),
    ("The meeting is at 10 in the Oak room.", "The meeting was moved to 11 in the Elm room.",
     "update"),
    ("Ben works at Acme.", "Ben left Acme.", "update"),
    ("A coffee costs 3 euros.", "A tea costs 2 euros.", "similar"),
    ("Milk costs 1.29 EUR at Rewe.", "Milk costs 1.09 EUR at Lidl.", "similar"),
    ("Milk costs 1.29 EUR at Rewe.", "Milk costs 1.39 EUR at Rewe.", "update"),
    ("The pool opens at 7 in Altona.", "The pool opens at 8 in Wedel.", "similar"),
    ("The flight takes 2 hours from Hamburg.", "The flight takes 3 hours from Munich.", "similar"),
    ("The rent is 900 euros in Berlin.", "The rent is 1200 euros in Munich.", "similar"),
    ("I have a dentist appointment on 3 May.", "I have a dentist appointment on 9 June.",
     "similar"),
]  # fmt: skip


def known(old: str, cosine: float = 0.8) -> KnownMemory:
    return KnownMemory(UUID(int=1), old, cosine, datetime(2026, 1, 1, tzinfo=UTC))


def action_by_rules(old: str, new: str) -> str:
    """The action that the rules find, for two statements that are close in meaning."""
    relations = relate(new, [known(old)])
    return relations[0].action if relations else "unrelated"


@dataclass(frozen=True)
class Models:
    """The models that a judgement needs."""

    reader: LocalReader | None
    embedder: LocalEmbedder


@pytest.fixture(scope="module")
async def models(anyio_backend: str) -> AsyncIterator[Models]:
    reader, embedder = LocalReader(deadline_s=60), LocalEmbedder()
    yield Models(reader, embedder)
    await reader.close()
    await embedder.close()


async def action_by_reader(models: Models, old: str, new: str) -> str:
    """The action that the rules and the reader find together."""
    old_vector, new_vector = await models.embedder.embed([old, new])
    known_memories = [known(old, float(old_vector @ new_vector))]
    judge = ReaderJudge(ThreadAnalysis(), reader=models.reader)
    relations = await judge.relate(new, known_memories, NO_CONTEXT)
    return relations[0].action if relations else "unrelated"


@pytest.mark.parametrize(("old", "new", "today", "right"), PAIRS)
def test_the_rules_judge_the_pair_wrongly(old: str, new: str, today: str, right: str) -> None:
    assert today != right
    assert action_by_rules(old, new) == today


@pytest.mark.parametrize(("old", "new", "right"), RIGHT)
def test_the_rules_judge_the_pair_rightly(old: str, new: str, right: str) -> None:
    assert action_by_rules(old, new) == right


@pytest.mark.anyio
@pytest.mark.parametrize(("old", "new", "today", "right"), PAIRS)
async def test_the_reader_sees_the_update(
    models: Models, old: str, new: str, today: str, right: str
) -> None:
    assert (await action_by_reader(models, old, new) == right) is (old not in STILL_WRONG)


@pytest.mark.anyio
@pytest.mark.parametrize(("old", "new"), NOT_UPDATES)
async def test_an_unrelated_pair_is_no_update(models: Models, old: str, new: str) -> None:
    assert await action_by_reader(models, old, new) != "update"


@pytest.mark.anyio
async def test_without_a_reader_the_rules_decide() -> None:
    old, new = "The wifi password is hunter2.", "The wifi password was changed to swordfish."
    assert await action_by_reader(Models(None, LocalEmbedder()), old, new) != "update"


@pytest.mark.anyio
async def test_the_rules_decide_when_the_reader_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_: object) -> list[Verdict]:
        raise Unavailable("Nobody reads.")

    monkeypatch.setattr(LocalReader, "judge", fail)
    old, new = "The wifi password is hunter2.", "The wifi password was changed to swordfish."
    assert await action_by_reader(Models(LocalReader(), LocalEmbedder()), old, new) != "update"
