"""The weights and thresholds of the rules about statements, tested at their boundaries."""

from datetime import UTC, datetime
from uuid import UUID

import pytest

from remem.core.judgements import KnownMemory, Passage
from remem.core.memories.rules.change import undecided_candidates, update_candidates
from remem.core.memories.rules.derive import derive
from remem.core.memories.rules.distil import distil
from remem.core.memories.rules.relate import relate
from remem.core.memories.rules.worth import score_sentence

SAID_AT = datetime(2026, 1, 1, tzinfo=UTC)
SERVICE = (
    "The boiler is serviced by Hansen Heating.",
    "From this year Nordvik Heating does the boiler service.",
)
CODE = ("The bike shed door code is 4471.", "New code for the bike shed: 9036.")
BAGS = (
    "The vacuum bags are in the hall closet.",
    "Vacuum bags: hall closet, top shelf behind the iron.",
)
DISHES = ("The dishwasher leaks.", "Plumber came by, the dishwasher is watertight now.")
BACKEND = ("The backend runs on Python 3.11.", "We upgraded the backend to Python 3.13.")
KEY = (
    "The spare key is under the blue flowerpot.",
    "The spare key is with the neighbours at number 12 from now on.",
)


def known(content: str, cosine: float) -> KnownMemory:
    return KnownMemory(UUID(int=1), content, cosine, SAID_AT)


def required_probability(pair: tuple[str, str], cosine: float) -> float | None:
    """The probability that the reader must reach for the second statement to replace the first."""
    candidates = update_candidates(pair[1], [known(pair[0], cosine)])
    return candidates[0][1] if candidates else None


@pytest.mark.parametrize("pair", [SERVICE, CODE, BAGS, BACKEND, KEY, DISHES])
def test_the_required_probability_of_sentences(pair: tuple[str, str]) -> None:
    assert required_probability(pair, 0.0) == 0.55


@pytest.mark.parametrize(
    ("old", "new", "probability"),
    [
        ("bike shed code 4471", "new bike shed code 9036", 0.85),
        ("dentist tue 9am", "called off, flu", 0.975),
        ("Zahnarzt Di 9h", "neuer Termin Mi", 0.975),
    ],
)
def test_the_required_probability_of_notes(old: str, new: str, probability: float) -> None:
    assert required_probability((old, new), 0.0) == probability


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The lift is out of order.", "The lift is perhaps not out of order any more."),
        ("Benedikt and Farah are dating.", "Benedikt and Farah split up over the weekend."),
    ],
)
def test_doubtful_updates_need_a_higher_probability(old: str, new: str) -> None:
    assert required_probability((old, new), 0.8) == 0.975


@pytest.mark.parametrize(
    ("old", "is_asked"),
    [
        ("The van is insured by Fairlane.", True),
        ("The loud slow big red old rusty van is insured by Fairlane.", True),
        ("The loud slow big red old rusty dented noisy van is insured by Fairlane.", False),
        ("The van is insured by Fairlane, fully.", True),
        ("The van is insured by Fairlane, fully, cheaply.", False),
        ("The van is insured by Fairlane (in Leeds, fully, cheaply).", False),
    ],
)
def test_a_statement_that_says_much_more_is_not_replaced(old: str, is_asked: bool) -> None:
    probability = required_probability((old, "The van insurance was changed to Acko."), 0.8)
    assert (probability is not None) is is_asked


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Moshe works in law.", "Stephen works in politics now."),
        ("Marta plays the violin.", "Jonas plays the violin now."),
        ("Paul lives on the third floor.", "Ines lives on the third floor now."),
        ("Mr. Obi is the chair of the club.", "Ms. Tran is the chair of the club."),
        ("The author of the play is Ana Moor.", "Ana Moor died in the city of Ely."),
        ("The museum is closed on Mondays.", "The museum shop is open on Mondays now."),
        ("Ana lives in Porto.", "Ana went to Lisbon last week."),
        ("My uncle resides in Graz.", "My uncle cycled to Linz last week."),
        ("My manager is Colin.", "Colin's manager is now Petra."),
        # The past, attributes with several values, and a part of a thing.
        ("Diya got 58 in maths.", "Diya is at 76 in maths by now."),
        ("Ida grew up in Norway.", "Ida now lives in Spain."),
        ("I like tea.", "I have come to like coffee."),
        ("The café serves cake.", "The café now serves soup."),
        ("I am allergic to penicillin.", "I am now allergic to pollen."),
        ("The app works on Android.", "The app no longer works on Android 8."),
        ("The road to the lake is open.", "The road to the lake is no longer open for lorries."),
        # Other labels, code, and words of other people.
        ("John Smith (sales) reports to Dana.", "John Smith (legal) now reports to Igor."),
        ("The firmware of the HX2 is 3.4.1.", "The firmware of the HX3 is now 1.0.9."),
        ("timeout = 30  # client", "timeout = 60  # server"),
        ("Bruno is married to Chiara.", "In the film, Bruno leaves Chiara and marries Sofia."),
        ("I am the owner.", "Forwarded message: I am no longer the owner."),
        ("Invoice 17 is unpaid.", "Invoice 18 is now paid."),
        ("The capital of Norland is Vik.", "Norland is in the continent of Europe."),
        ("Vik is in the continent of Europe.", "The capital of Vik is Norland."),
        ("point guard is a term of basketball.", "Mike Dorn plays as a point guard."),
        ("The author of Long Days is Ana Moor.", "Ana Moor is married to Ben."),
        ("spare 01a1ec43098a788a805f", "connected 01a1ec43098a788a805f"),
        ("Something hums in the attic.", "Something was moved to the attic."),
    ],
)
def test_another_thing_or_a_visit_replaces_nothing(old: str, new: str) -> None:
    assert required_probability((old, new), 0.9) is None


STANDUP = ("The standup is at 9:15 in the Beacon room.", "The standup has been moved to 9:45.")


def test_another_time_does_not_replace_a_place() -> None:
    old, new = STANDUP
    assert required_probability((old, new), 0.8) is None
    assert required_probability((old, new.replace("9:45", "9:45 in the Oak room")), 0.8) is not None
    assert required_probability((old.replace(" in the Beacon room", ""), new), 0.8) is not None
    assert required_probability((old, "The standup has moved out."), 0.8) is not None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Anna works at Acme.", "Anna no longer works at Acme since May."),
        ("The lift works.", "The lift no longer works because of the flood."),
        ("Ben works at Acme.", "Ben no longer works there."),
        ("Lena has long hair.", "Lena has shaved it all off."),
        ("I drink coffee.", "I only drink tea."),
        ("Kenji likes heavy metal.", "Kenji no longer likes heavy metal, it is too loud."),
        ("The keys (spare) hang in the hall.", "The keys (spare) hang in the shed now."),
    ],
)
def test_a_statement_that_is_denied_as_a_whole_may_be_replaced(old: str, new: str) -> None:
    assert required_probability((old, new), 0.8) is not None


def test_a_death_may_replace_a_residence() -> None:
    assert (
        required_probability(("Grandpa lives in Leeds.", "Grandpa died last week."), 0.8)
        is not None
    )


@pytest.mark.parametrize(
    "new", ["Ana went to live in Lisbon by herself.", "Ana went back to Lisbon for good."]
)
def test_going_to_live_elsewhere_may_replace_a_residence(new: str) -> None:
    assert required_probability(("Ana lives in Porto with Eva.", new), 0.8) is not None


def test_an_extension_may_still_replace_a_statement() -> None:
    old, new = known("Ingrid is on parental leave.", 0.9), "Ingrid is back from parental leave."
    relations = relate(new, [old])
    assert [relation.action for relation in relations] == ["extend"]
    assert undecided_candidates(new, [old], relations) == [(old.id, 0.55)]


def test_the_reader_is_not_asked_about_long_texts() -> None:
    old, new = CODE
    assert required_probability((old, f"{new} {'so ' * 140}"), 0.9) is not None
    assert required_probability((old, f"{new} {'so ' * 160}"), 0.9) is None
    assert required_probability((f"{old[:-1]} {'so ' * 80}", new), 0.9) is not None
    assert required_probability((f"{old[:-1]} {'so ' * 95}", new), 0.9) is None


@pytest.mark.parametrize(("cosine", "actions"), [(0.69, []), (0.71, ["similar"])])
def test_statements_close_in_meaning_are_similar(cosine: float, actions: list[str]) -> None:
    relations = relate("Owls hunt quietly.", [known("Night birds are silent.", cosine)])
    assert [relation.action for relation in relations] == actions


def test_a_memory_has_at_most_twenty_facts() -> None:
    facts = derive(" ".join(f"Box number {n} is blue." for n in range(40)), SAID_AT)
    assert len(facts) == 20


def test_clauses_of_fewer_than_three_words_stay_together() -> None:
    assert len(derive("Anna lives in Oslo and Bert works in Rome.", SAID_AT)) == 2
    assert len(derive("Anna lives in Oslo and Bert works.", SAID_AT)) == 1


def test_the_number_of_distilled_statements_is_limited() -> None:
    lines = "\n".join(f"- I live in house number {n} in Oslo." for n in range(90))
    assert len(distil([Passage(lines, 0, speaker="user", said_at=SAID_AT)])) == 60
    without_speaker = "\n".join(
        f"- The Acme team in Oslo has {n} members in 2024." for n in range(90)
    )
    assert len(distil([Passage(without_speaker, 0)])) == 10


@pytest.mark.parametrize(
    ("sentence", "is_rated"),
    [
        ("I moved.", False),
        ("I moved away.", True),
        (f"I moved to Oslo {'so ' * 45}", True),
        (f"I moved to Oslo {'so ' * 47}", False),
        (f"I moved to {'O' * 385}", True),
        (f"I moved to {'O' * 395}", False),
    ],
)
def test_sentences_that_are_too_short_or_too_long_are_worth_nothing(
    sentence: str, is_rated: bool
) -> None:
    assert (score_sentence(sentence, noted=True).points > -50) is is_rated
