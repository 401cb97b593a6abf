"""Pairs in which the same or another attribute of a thing changes; deterministic by seed.

"The printer is on floor two" is changed by a move of the printer, and by no other event."""

import random
from collections.abc import Iterator

import changes

THINGS = (
    "printer laptop bakery museum meeting trip course library office app website database"
    " boat gym choir club school hotel shop garden router contract report invoice server"
    " bridge sofa oven tent van piano camera fridge playground theatre concert newsletter"
    " workshop clinic ferry band team farm chapel archive"
).split()
OWNERS = ("The {t}", "My {t}", "Our {t}", "[name5]'s {t}", "The old {t}", "The new {t}")
# By attribute: statements about a thing, and statements that change them.
MATTERS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "place": (
        (
            "{s} is in [city1].",
            "{s} is in the [room1].",
            "{s} is on floor [few1].",
            "{s} is behind the church.",
        ),
        (
            "{s} was moved to [city2].",
            "{s} is in the [room2] now.",
            "{s} moved to floor [few2].",
            "{s} is by the river these days.",
        ),
    ),
    "colour": (
        ("{s} is [colour1].", "{s} has a [colour1] front."),
        (
            "{s} was painted [colour2].",
            "{s} is [colour2] now.",
            "We gave {l} a [colour2] coat of paint.",
        ),
    ),
    "owner": (
        ("{s} belongs to [name1].", "[name1] owns {l}."),
        ("{s} belongs to [name2] now.", "[name2] bought {l} from [name1].", "[name1] sold {l}."),
    ),
    "head": (
        ("[name1] runs {l}.", "{s} is run by [name1].", "[name1] is in charge of {l}."),
        (
            "[name2] runs {l} now.",
            "[name1] handed {l} over to [name2].",
            "{s} has a new head, [name2].",
        ),
    ),
    "price": (
        ("{s} costs [price1] euros.", "The price of {l} is [price1]."),
        (
            "{s} costs [price2] now.",
            "{s} went up to [price2].",
            "They lowered the price of {l} to [price2].",
        ),
    ),
    "name": (
        ("{s} is called [firm1].", "The name of {l} is [firm1]."),
        (
            "{s} was renamed [firm2].",
            "{s} is called [firm2] these days.",
            "They changed the name of {l} to [firm2].",
        ),
    ),
    "size": (
        ("{s} has [num1] places.", "{s} has [num1] members.", "{s} takes up [num1] square metres."),
        (
            "{s} grew to [num2] places.",
            "{s} has [num2] members now.",
            "{s} takes up [num2] square metres now.",
        ),
    ),
    "day": (
        ("{s} is on [day1].", "{s} is free on [day1]s.", "{s} is closed on [day1]s."),
        (
            "{s} was moved to [day2].",
            "{s} is free on [day2]s instead.",
            "{s} is closed on [day2]s from now on.",
        ),
    ),
    "hour": (
        ("{s} opens at [hour1].", "{s} starts at [hour1]."),
        ("{s} opens at [hour2] now.", "{s} starts at [hour2] from this week."),
    ),
    "maker": (
        (
            "{s} was made by [firm1].",
            "{s} is by [firm1].",
            "{s} is written in [lang1].",
            "{s} runs on [tool1].",
        ),
        ("{s} was rewritten in [lang2].", "{s} runs on [tool2] now."),
    ),
    "state": (
        ("{s} is broken.", "{s} is closed.", "{s} is unfinished.", "{s} is slow."),
        (
            "{s} works again.",
            "{s} is open again.",
            "{s} is finished.",
            "{s} is fast again.",
            "{s} was repaired.",
        ),
    ),
}
# Events that change no attribute.
EVENTS = (
    "{s} was cleaned.",
    "{s} got a new sign.",
    "{s} was in the paper.",
    "{s} was inspected in [month1].",
    "{s} has a new logo.",
    "{s} got a new roof.",
    "[name3] praised {l}.",
    "We visited {l} last week.",
    "[name3] photographed {l}.",
    "{s} turned [num1] this year.",
    "I wrote about {l}.",
    "{s} was mentioned by [name3].",
    "{s} now has a cat.",
    "[name3] asked about {l}.",
    "{s} won a prize.",
    "We celebrated at {l}.",
    "I dreamed of {l}.",
    "{s} was insured.",
    "{s} got new lamps.",
    "{s} has a guest book now.",
    "{s} was cited in a talk.",
    "[name3] has been to {l}.",
    "I paid for {l}.",
    "{s} has a new neighbour.",
    "{s} got a visit from the mayor.",
    "{s} was delivered with a manual.",
    "[name3] fell asleep at {l}.",
    "{s} now takes cards.",
    "We took a photo of {l}.",
    "I recommended {l} to [name3].",
    "{s} supports a charity now.",
    "{s} has a new door.",
    "{s} crashed last night.",
    "{s} was extended.",
    "{s} was serviced.",
    "{s} got a second entrance.",
    "[name3] started working at {l}.",
)
SHARES = (("same", 0.45), ("other", 0.3), ("event", 0.25))


def pairs(count: int, seed: int) -> Iterator[tuple[str, str, int]]:
    rng = random.Random(seed)
    for _ in range(count):
        yield _pair(rng)


def _pair(rng: random.Random) -> tuple[str, str, int]:
    subject = rng.choice(OWNERS).format(t=rng.choice(THINGS))
    matter, other = rng.sample(list(MATTERS), 2)
    known, changed = MATTERS[matter]
    kind = rng.choices([name for name, _ in SHARES], [share for _, share in SHARES])[0]
    at = rng.randrange(len(known))
    if kind == "same":
        new = (
            changed[min(at, len(changed) - 1)]
            if matter in ("place", "day", "size")
            else rng.choice(changed)
        )
        relation = changes.UPDATE
    else:
        new = rng.choice(EVENTS if kind == "event" else MATTERS[other][1])
        relation = changes.UNRELATED
    values = changes._values(rng)
    old, text = (
        changes._filled(_insert_subject(text, subject), values) for text in (known[at], new)
    )
    return changes.styled(rng, old, text, relation)


def _insert_subject(text: str, subject: str) -> str:
    low = subject if subject.startswith("[") else subject[0].lower() + subject[1:]
    return text.format(s=subject, l=low)
