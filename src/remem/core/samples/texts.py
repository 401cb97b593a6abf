"""The sample documents and statements, all of them invented."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SampleDocument:
    title: str
    text: str
    tags: tuple[str, ...]
    days_ago: int


@dataclass(frozen=True, slots=True)
class SampleStatement:
    """A sample memory; `due_in_days` is when it is due, from today."""

    text: str
    category: str
    days_ago: int
    due_in_days: int | None = None


DOCUMENTS = (
    SampleDocument(
        "Moving to Lisbon",
        "# Moving to Lisbon\n\nNadia and I move to Lisbon in March. The flat is in Alfama, on the"
        " third floor, with a balcony towards the river. The landlord, Senhor Tavares, wants two"
        " months' rent in advance.\n\n## To do\n\n- Cancel the lease in Hamburg by the end of the"
        " month\n- Boxes with books go by ship and arrive three weeks later\n- Register with the"
        " Junta de Freguesia within 30 days\n\n## Costs\n\n| what | euros |\n|---|---|\n| movers |"
        " 2,400 |\n| deposit | 2,900 |\n| flights | 310 |\n",
        ("lisbon", "move"),
        63,
    ),
    SampleDocument(
        "Notes on the boiler",
        "The boiler's pressure should stand between 1.2 and 1.5 bar. When it shows error F28, the"
        " gas valve is shut: open it and press the reset button for five seconds. The plumber, Ines"
        " Duarte, comes within a day.",
        ("house",),
        55,
    ),
    SampleDocument(
        "Postmortem: the checkout outage",
        "# The checkout outage\n\nOn 3 October the checkout answered with 502 for 41 minutes.\n\n"
        "## Cause\n\nA migration locked the table `orders` while traffic was at its peak.\n\n"
        "```sql\nALTER TABLE orders ADD COLUMN note text NOT NULL DEFAULT '';\n```\n\n## What we"
        " changed\n\nMigrations run with `lock_timeout = 5s`, and never between ten and fourteen"
        " o'clock. Mira Okafor owns the runbook.",
        ("work", "postmortem", "database"),
        44,
    ),
    SampleDocument(
        "Grandmother's plum cake",
        "400 g flour, 20 g fresh yeast, 200 ml lukewarm milk, 60 g butter, 1.5 kg plums. Let the"
        " dough rise for an hour, cover it with halved plums, bake at 190 degrees for 40 minutes."
        " Cinnamon and sugar only after baking.",
        ("recipe",),
        38,
    ),
    SampleDocument(
        "Choosing a database for billing",
        "We compared three databases for the billing rewrite. PostgreSQL won: the team knows it,"
        " row-level security keeps customers apart, and it does full-text search. Mira Okafor was"
        " for SQLite with Litestream, but billing needs several writers.",
        ("work", "database", "decision"),
        30,
    ),
    SampleDocument(
        "Reading notes: The Sea Around Us",
        "Rachel Carson describes how tides are pulled by the moon and shaped by the coast. The"
        " highest tides are in the Bay of Fundy. What stays with me: the deep sea is not silent; it"
        " is full of sound.",
        ("books", "sea"),
        21,
    ),
    SampleDocument(
        "Portuguese, lesson 9",
        "Ser is for what lasts, estar is for what changes. Sou alemão, mas estou em Lisboa. Ficar"
        " means to stay, to become, and to be located. Homework: ten sentences with ficar.",
        ("lisbon", "language"),
        12,
    ),
    SampleDocument(
        "Call with the movers",
        "Nadia: Can you take the piano?\nMover: Only with a second man, that is 180 euros more.\n"
        "Nadia: Fine. When do you come?\nMover: On the 14th, at seven in the morning.",
        ("lisbon", "move"),
        5,
    ),
)
STATEMENTS = (
    SampleStatement("I am allergic to hazelnuts.", "fact", 60),
    SampleStatement("I prefer window seats on trains.", "preference", 52),
    SampleStatement("The team deploys on Fridays.", "decision", 47),
    SampleStatement("The team deploys on Mondays instead of Fridays.", "decision", 40),
    SampleStatement("Mira Okafor is the on-call engineer for billing.", "fact", 29),
    SampleStatement("Nadia works as a translator for Portuguese and German.", "fact", 20),
    SampleStatement("Renew the passport at the town hall.", "task", 9, due_in_days=6),
    SampleStatement("Send the deposit to Senhor Tavares.", "task", 4, due_in_days=15),
)
