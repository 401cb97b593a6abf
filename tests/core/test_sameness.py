"""Only equal statements are merged, not those with a different detail that vectors hardly see."""

from datetime import UTC, datetime

import pytest

from remem.core.memories.rules.sameness.compare import Compared, compare

SAME = [
    ("The user prefers dark roast coffee in the morning.", "In the morning, the user prefers dark"
     " roast coffee."),
    ("My favourite colour is blue.", "My favorite color is blue"),
    ("We use PostgreSQL for the billing database.", "For the billing database we use PostgreSQL."),
    ("Error budgets are reviewed by the platform team.", "The platform team reviews error budgets"),
    ("Rust is Maya's favorite language.", "Maya's favorite language is Rust."),
    ("In the cellar of the house in Bergen, Tara keeps a boat.", "Tara keeps a boat in the cellar"
     " of the house in Bergen."),
    ("The cat sleeps on the windowsill.", "The cat sleeps on the window sill."),
    ("The sister of Hugo lives in Graz.", "Hugo's sister lives in Graz."),
    ("Sven would like to learn how to weld.", "Sven wants to learn how to weld."),
    ("Before driving to Lyon, Elif calls Pedro.", "Elif calls Pedro before driving to Lyon."),
    ("Kim prefers the blue boat over the green.", "Kim prefers the blue boat to the green."),
    ("I said to Anna that the tent is sold.", "I told Anna that the tent is sold."),
    ("The garden shed of Hugo is in Graz.", "Hugo's garden shed is in Graz."),
    ("Ann's wedding was held in Graz.", "The wedding of Ann was held in Graz."),
    ("Ann and Ben share a tent in Oslo.", "Ben and Ann share a tent in Oslo."),
    ("Mona teaches kids to swim.", "Mona teaches children to swim."),
    ("On 5 May Ann has an exam in Graz about law.", "Ann has an exam about law in Graz on 5 May."),
]  # fmt: skip
READ = [
    ("Anna is allergic to peanuts.", "Anna has an allergy to peanuts."),
    ("The hiking club gathers at the old mill.", "The hiking club meets at the old mill."),
]
DIFFERENT = {
    "number": ("The rent is 900 euros.", "The rent is 950 euros."),
    "number word": ("Tom takes two sugars.", "Tom takes three sugars."),
    "date": ("The exam is on 4 May.", "The exam is on 14 May."),
    "weekday": ("We deploy on Fridays.", "We deploy on Thursdays."),
    "name": ("The meeting with Sara is weekly.", "The meeting with Clara is weekly."),
    "name that begins": ("Maria is allergic to nuts.", "Mario is allergic to nuts."),
    "who to whom": ("Anna lent Ben her bike.", "Ben lent Anna her bike."),
    "who to whom, from where": ("Anna sends Ben mail from home.", "Ben sends Anna mail from home."),
    "place": ("Anna met Ben in Oslo near Bergen.", "Anna met Ben in Bergen near Oslo."),
    "order": ("I prefer tea over coffee.", "I prefer coffee over tea."),
    "negation": ("Petra has been to Japan.", "Petra has not been to Japan."),
    "never": ("The backup always succeeds.", "The backup never succeeds."),
    "without": ("I take the train with my bike.", "I take the train without my bike."),
    "prefix": ("The invoice is paid.", "The invoice is unpaid."),
    "tense": ("I work at Acme.", "I worked at Acme."),
    "tense beside an irregular plural": ("The children play chess.", "The children played chess."),
    "tense beside another past": ("Ben said Ann lives here.", "Ben said Ann lived here."),
    "tense, irregular": ("Ben holds the key of the shed.", "Ben held the key of the shed."),
    "whose": ("Anna's photo of Ben is old.", "Ben's photo of Anna is old."),
    "what is somebody's": ("Anna's sister likes Oslo.", "The brother of Anna likes Oslo."),
    "who to whom, of things": ("The dog chased the cat.", "The cat chased the dog."),
    "who owes": ("The landlord owes the tenant money.", "The tenant owes the landlord money."),
    "colours": ("The blue car is near the red house.", "The red car is near the blue house."),
    "what on which day": ("We eat fish on Monday and meat on Friday.", "We eat meat on Monday and"
     " fish on Friday."),
    "not what": ("I like tea, not coffee.", "I like coffee, not tea."),
    "with and without": ("Ann has it with milk without ice.", "Ann has it with ice without milk."),
    "whose kin": ("My brother's wife called.", "My wife's brother called."),
    "passive": ("The cat is fed by the dog.", "The cat feeds the dog."),
    "before what": ("Red socks go before blue and green ones.", "Green socks go before blue and red"
     " ones."),
    "future": ("I will move to Oslo.", "I moved to Oslo."),
    "modal": ("I might visit Rome.", "I will visit Rome."),
    "under way": ("I am leaving Acme.", "I leave Acme."),
    "bound": ("The API accepts JSON.", "The API accepts only JSON."),
    "almost": ("All tests are green.", "Almost all tests are green."),
    "opposite": ("Lena starts school in August.", "Lena finishes school in August."),
    "side": ("The left window is broken.", "The right window is broken."),
    "kin": ("My sister lives in Bergen.", "My brother lives in Bergen."),
    "version": ("The app needs Python 3.11.", "The app needs Python 3.12."),
    "code": ("The gate code is A7-19.", "The gate code is A7-91."),
    "question": ("The office is closed.", "The office is closed?"),
    "pronoun": ("He waters the plants.", "She waters the plants."),
    "hearsay": ("The shop closes early.", "Ben says the shop closes early."),
}  # fmt: skip


@pytest.mark.parametrize(("first", "second"), SAME)
def test_other_order_or_spelling_is_the_same(first: str, second: str) -> None:
    assert (
        compare(Compared(first), Compared(second))
        == compare(Compared(second), Compared(first))
        == "same"
    )


@pytest.mark.parametrize(("first", "second"), READ)
def test_other_words_have_to_be_read_by_a_model(first: str, second: str) -> None:
    assert compare(Compared(first), Compared(second)) == "read"


@pytest.mark.parametrize("kind", DIFFERENT)
def test_a_different_detail_makes_statements_different(kind: str) -> None:
    first, second = DIFFERENT[kind]
    assert (
        compare(Compared(first), Compared(second))
        == compare(Compared(second), Compared(first))
        == "different"
    )


def test_another_speaker_date_or_validity_makes_statements_different() -> None:
    text = "I like the harbour."
    assert compare(Compared(text, "Ann"), Compared(text, "Ben")) == "different"
    assert compare(Compared(text, "user"), Compared(text)) == "same"
    first, second = ([{"start": f"2026-05-0{n}", "end": f"2026-05-0{n + 1}"}] for n in (1, 2))
    assert compare(Compared(text, dates=first), Compared(text, dates=second)) == "different"
    later = datetime(2026, 1, 1, tzinfo=UTC)
    assert compare(Compared(text, moments=(later,)), Compared(text, moments=(None,))) == "different"
