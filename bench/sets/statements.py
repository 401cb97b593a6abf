"""Families of statements: each has a near-duplicate and look-alikes."""

import random
from typing import Any, TypeAlias

Families: TypeAlias = tuple[dict[str, str], ...]

PEOPLE = (
    "Anna Bernard Chloe Dmitri Elif Farid Greta Hugo Ines Jonas Kira Liam Mona Nils Olga Pedro Rosa"
    " Sven Tara Viktor"
).split()
PLACES = (
    "Bergen Lisbon Krakow Dublin Valencia Graz Tampere Porto Lyon Ghent Leeds Turin Malmo Basel"
    " Riga Bilbao Utrecht Zagreb Odense Trieste"
).split()
THINGS = (
    "espresso machine|sailing boat|rain barrel|sewing machine|bookshelf|garden shed|record player"
    "|road bike|telescope|wood stove|hiking tent|piano|beehive|projector|kayak|workbench|printer"
    "|greenhouse|camera|heat pump"
).split("|")
# A statement, a near-duplicate, and look-alikes named by their difference. Letters in braces are
# filled in for every pair.
FAMILIES: Families = (
    {
        "said": "{p} keeps the {t} in the cellar of the house in {c}.",
        "same": "In the cellar of the house in {c}, {p} keeps the {t}.",
        "name": "{q} keeps the {t} in the cellar of the house in {c}.",
        "negation": "{p} does not keep the {t} in the cellar of the house in {c}.",
        "tense": "{p} kept the {t} in the cellar of the house in {c}.",
    },
    {
        "said": "The {t} of {p} was bought in {c} for {n} euros.",
        "same": "The {t} of {p} was purchased in {c} for {n} euros.",
        "number": "The {t} of {p} was bought in {c} for {m} euros.",
        "date": "The {t} of {p} was bought in {c} for {n} euros in 2019.",
    },
    {
        "said": "Every autumn {p} repairs the {t} together with a neighbour from {c}.",
        "same": "Each autumn {p} repairs the {t} together with a neighbor from {c}.",
        "tense": "Every autumn {p} repaired the {t} together with a neighbour from {c}.",
        "negation": "{p} never repairs the {t} together with a neighbour from {c}.",
    },
    {
        "said": "{p} has an appointment about the {t} in {c} on {d} March 2027.",
        "same": "On {d} March 2027 {p} has an appointment in {c} about the {t}.",
        "date": "{p} has an appointment about the {t} in {c} on {e} March 2027.",
        "name": "{q} has an appointment about the {t} in {c} on {d} March 2027.",
    },
    {
        "said": "{p} is very fond of the old {t} from {c}.",
        "same": "{p} is really fond of the old {t} from {c}.",
        "negation": "{p} is not very fond of the old {t} from {c}.",
        "name": "{p} is very fond of the old {t} from {o}.",
    },
    {
        "said": "I lend my {t} to {p} whenever they visit {c}.",
        "same": "Whenever they visit {c}, I lend my {t} to {p}.",
        "speaker": "I lend my {t} to {p} whenever they visit {c}.",
        "tense": "I lent my {t} to {p} whenever they visited {c}.",
    },
    {
        "said": "The manual of the {t} that belongs to {p} lies on the desk in {c}.",
        "same": "The manual for the {t} that belongs to {p} lies on the desk in {c}.",
        "number": "The {n} manuals of the {t} that belongs to {p} lie on the desk in {c}.",
        "name": "The manual of the {t} that belongs to {q} lies on the desk in {c}.",
    },
)

# Written after the first rules of merging; what they showed went into the rules.
SEEN: Families = (
    {
        "said": "{p}'s {t} is stored at the harbour in {c}.",
        "same": "The {t} of {p} is stored at the harbour in {c}.",
        "name": "{q}'s {t} is stored at the harbour in {c}.",
        "negation": "{p}'s {t} isn't stored at the harbour in {c}.",
    },
    {
        "said": "{p} takes the tram to work in {c} on weekdays.",
        "same": "On weekdays {p} takes the tram to work in {c}.",
        "date": "{p} takes the tram to work in {c} on weekends.",
        "name": "{p} takes the tram to work in {o} on weekdays.",
    },
    {
        "said": "The wedding of {p} took place in {c} with {n} guests.",
        "same": "{p}'s wedding took place in {c} with {n} guests.",
        "number": "The wedding of {p} took place in {c} with {m} guests.",
        "tense": "The wedding of {p} takes place in {c} with {n} guests.",
    },
    {
        "said": "{p} is allergic to the varnish on the {t}.",
        "same": "{p} has an allergy to the varnish on the {t}.",
        "negation": "{p} is no longer allergic to the varnish on the {t}.",
        "name": "{q} is allergic to the varnish on the {t}.",
    },
    {
        "said": "We agreed that {p} pays {n} euros a month for the {t}.",
        "same": "We agreed that {p} pays {n} euros per month for the {t}.",
        "number": "We agreed that {p} pays {m} euros a month for the {t}.",
        "date": "We agreed that {p} pays {n} euros a week for the {t}.",
    },
    {
        "said": "{p} wants to learn how to repair the {t}.",
        "same": "{p} would like to learn how to repair the {t}.",
        "tense": "{p} wanted to learn how to repair the {t}.",
        "negation": "{p} doesn't want to learn how to repair the {t}.",
    },
    {
        "said": "The guarantee for the {t} from {c} expires on {d} June 2028.",
        "same": "The warranty for the {t} from {c} expires on {d} June 2028.",
        "date": "The guarantee for the {t} from {c} expires on {e} June 2028.",
        "tense": "The guarantee for the {t} from {c} expired on {d} June 2028.",
    },
    {
        "said": "{p}'s sister lives in {c} and owns a {t}.",
        "same": "The sister of {p} lives in {c} and owns a {t}.",
        "name": "{p}'s brother lives in {c} and owns a {t}.",
        "tense": "{p}'s sister lived in {c} and owned a {t}.",
    },
    {
        "said": "{p} teaches children to use the {t} in {c}.",
        "same": "{p} teaches kids to use the {t} in {c}.",
        "tense": "{p} taught children to use the {t} in {c}.",
        "name": "{p} teaches children to use the {t} in {o}.",
    },
    {
        "said": "The code for {p}'s garage in {c} is {n}.",
        "same": "The code of {p}'s garage in {c} is {n}.",
        "number": "The code for {p}'s garage in {c} is {m}.",
        "name": "The code for {q}'s garage in {c} is {n}.",
    },
    {
        "said": "{p} started working as a baker in {c} in 2021.",
        "same": "{p} began working as a baker in {c} in 2021.",
        "date": "{p} started working as a baker in {c} in 2020.",
        "negation": "{p} stopped working as a baker in {c} in 2021.",
    },
    {
        "said": "My {t} broke down twice on the way to {c}.",
        "same": "On the way to {c} my {t} broke down twice.",
        "number": "My {t} broke down three times on the way to {c}.",
        "speaker": "My {t} broke down twice on the way to {c}.",
    },
    {
        "said": "{p} always calls {q} before driving to {c}.",
        "same": "Before driving to {c}, {p} always calls {q}.",
        "name": "{q} always calls {p} before driving to {c}.",
        "negation": "{p} never calls {q} before driving to {c}.",
    },
    {
        "said": "The {t} that {p} ordered has arrived in {c}.",
        "same": "The {t} which {p} ordered has arrived in {c}.",
        "negation": "The {t} that {p} ordered has not arrived in {c}.",
        "tense": "The {t} that {p} ordered will arrive in {c}.",
    },
    {
        "said": "{p} prefers the blue {t} to the green one.",
        "same": "{p} prefers the blue {t} over the green one.",
        "name": "{p} prefers the green {t} to the blue one.",
        "negation": "{p} doesn't prefer the blue {t} to the green one.",
    },
    {
        "said": "The meeting about the {t} in {c} starts at 9 am on Monday.",
        "same": "On Monday the meeting about the {t} in {c} starts at 9 am.",
        "number": "The meeting about the {t} in {c} starts at 10 am on Monday.",
        "date": "The meeting about the {t} in {c} starts at 9 am on Tuesday.",
    },
    {
        "said": "{p} usually has lunch with the {c} team in the canteen.",
        "same": "{p} normally has lunch with the {c} team in the canteen.",
        "negation": "{p} rarely has lunch with the {c} team in the canteen.",
        "name": "{p} usually has lunch with the {o} team in the canteen.",
    },
    {
        "said": "It takes {n} minutes to get from {p}'s flat to the station in {c}.",
        "same": "It takes {n} minutes to get from {p}'s apartment to the station in {c}.",
        "number": "It takes {m} minutes to get from {p}'s flat to the station in {c}.",
        "name": "It takes {n} minutes to get from {q}'s flat to the station in {c}.",
    },
    {
        "said": "I told {p} that the {t} must be sold before the move to {c}.",
        "same": "I said to {p} that the {t} must be sold before the move to {c}.",
        "speaker": "I told {p} that the {t} must be sold before the move to {c}.",
        "negation": "I told {p} that the {t} must not be sold before the move to {c}.",
    },
    {
        "said": "The children of {p} play football in {c}.",
        "same": "{p}'s children play football in {c}.",
        "tense": "The children of {p} played football in {c}.",
        "name": "The children of {q} play football in {c}.",
    },
)

# Written after the rules of merging. Its first results led to further rules, so it is no longer
# blind.
BLIND: Families = (
    {
        "said": "{p} bought the {t} from a friend in {c}.",
        "same": "{p} purchased the {t} from a friend in {c}.",
        "name": "{p} bought the {t} from a friend in {o}.",
        "negation": "{p} sold the {t} to a friend in {c}.",
    },
    {
        "said": "The doctor of {p} has her practice in {c}.",
        "same": "{p}'s doctor has her practice in {c}.",
        "tense": "The doctor of {p} had her practice in {c}.",
        "name": "The doctor of {q} has her practice in {c}.",
    },
    {
        "said": "After the holidays {p} brings the {t} back to {c}.",
        "same": "{p} brings the {t} back to {c} after the holidays.",
        "date": "Before the holidays {p} brings the {t} back to {c}.",
        "tense": "After the holidays {p} brought the {t} back to {c}.",
    },
    {
        "said": "The spare key to the {t} hangs in {p}'s kitchen.",
        "same": "The spare key for the {t} hangs in {p}'s kitchen.",
        "name": "The spare key to the {t} hangs in {q}'s kitchen.",
        "number": "The {n} spare keys to the {t} hang in {p}'s kitchen.",
    },
    {
        "said": "{p} drinks {n} litres of water on a hot day in {c}.",
        "same": "On a hot day in {c}, {p} drinks {n} liters of water.",
        "number": "{p} drinks {m} litres of water on a hot day in {c}.",
        "negation": "{p} never drinks {n} litres of water on a hot day in {c}.",
    },
    {
        "said": "The insurance pays for the {t} that was stolen in {c}.",
        "same": "The insurance pays for the {t} which was stolen in {c}.",
        "tense": "The insurance paid for the {t} that was stolen in {c}.",
        "negation": "The insurance does not pay for the {t} that was stolen in {c}.",
    },
    {
        "said": "{p} speaks Polish with the grandparents in {c}.",
        "same": "With the grandparents in {c}, {p} speaks Polish.",
        "name": "{p} speaks Czech with the grandparents in {c}.",
        "tense": "{p} spoke Polish with the grandparents in {c}.",
    },
    {
        "said": "{p} has booked a table for {n} people in {c}.",
        "same": "{p} has reserved a table for {n} people in {c}.",
        "number": "{p} has booked a table for {m} people in {c}.",
        "negation": "{p} has cancelled a table for {n} people in {c}.",
    },
    {
        "said": "The next inspection of the {t} is due on {d} August 2027.",
        "same": "On {d} August 2027 the next inspection of the {t} is due.",
        "date": "The next inspection of the {t} is due on {e} August 2027.",
        "name": "The last inspection of the {t} is due on {d} August 2027.",
    },
    {
        "said": "I am looking for a bigger {t} than the one from {c}.",
        "same": "I'm looking for a bigger {t} than the one from {c}.",
        "negation": "I am looking for a smaller {t} than the one from {c}.",
        "speaker": "I am looking for a bigger {t} than the one from {c}.",
    },
    {
        "said": "{p} and {q} share the {t} in {c}.",
        "same": "{q} and {p} share the {t} in {c}.",
        "tense": "{p} and {q} shared the {t} in {c}.",
        "negation": "{p} and {q} don't share the {t} in {c}.",
    },
    {
        "said": "The neighbours of {p} complained about the {t} twice.",
        "same": "The neighbors of {p} complained about the {t} twice.",
        "number": "The neighbours of {p} complained about the {t} once.",
        "name": "The neighbours of {q} complained about the {t} twice.",
    },
    {
        "said": "{p} thinks that the {t} from {c} is too expensive.",
        "same": "{p} thinks the {t} from {c} is too expensive.",
        "negation": "{p} thinks that the {t} from {c} is not too expensive.",
        "name": "{q} thinks that the {t} from {c} is too expensive.",
    },
    {
        "said": "Last winter the {t} at the cabin in {c} froze.",
        "same": "The {t} at the cabin in {c} froze last winter.",
        "date": "Last summer the {t} at the cabin in {c} froze.",
        "name": "Last winter the {t} at the cabin in {o} froze.",
    },
    {
        "said": "{p} fixed the {t} with parts from {c}.",
        "same": "{p} repaired the {t} with parts from {c}.",
        "tense": "{p} fixes the {t} with parts from {c}.",
        "negation": "{p} fixed the {t} without parts from {c}.",
    },
    {
        "said": "You can reach {p} in {c} under extension {n}.",
        "same": "{p} can be reached in {c} under extension {n}.",
        "number": "You can reach {p} in {c} under extension {m}.",
        "name": "You can reach {q} in {c} under extension {n}.",
    },
    {
        "said": "{p} is responsible for the {t} at the office in {c}.",
        "same": "At the office in {c}, {p} is responsible for the {t}.",
        "tense": "{p} was responsible for the {t} at the office in {c}.",
        "negation": "{p} is no longer responsible for the {t} at the office in {c}.",
    },
    {
        "said": "My {t} weighs {n} kilos and fits into the car.",
        "same": "My {t} weighs {n} kilograms and fits into the car.",
        "number": "My {t} weighs {m} kilos and fits into the car.",
        "speaker": "My {t} weighs {n} kilos and fits into the car.",
    },
    {
        "said": "{p} gave the {t} to {q} as a present in {c}.",
        "same": "{p} gave the {t} to {q} as a gift in {c}.",
        "name": "{q} gave the {t} to {p} as a present in {c}.",
        "negation": "{p} didn't give the {t} to {q} as a present in {c}.",
    },
    {
        "said": "There is a small crack in the {t} that {p} keeps in {c}.",
        "same": "There's a small crack in the {t} that {p} keeps in {c}.",
        "number": "There are two small cracks in the {t} that {p} keeps in {c}.",
        "tense": "There was a small crack in the {t} that {p} kept in {c}.",
    },
)


def shuffled_slots(rng: random.Random) -> list[tuple[str, str, str]]:
    """Every combination of person, thing and place, in random order."""
    slots: list[tuple[str, str, str]] = [
        (person, thing, place) for person in PEOPLE for thing in THINGS for place in PLACES
    ]
    rng.shuffle(slots)
    return slots


def values_for(rng: random.Random, slot: tuple[str, str, str]) -> dict[str, Any]:
    person, thing, place = slot
    number, day = rng.randint(20, 900), rng.randint(3, 20)
    other = rng.choice([name for name in PEOPLE if name != person])
    elsewhere = rng.choice([name for name in PLACES if name != place])
    return {
        "p": person, "q": other, "t": thing, "c": place, "o": elsewhere,
        "n": number, "m": number + rng.randint(1, 9), "d": day, "e": day + 7,
    }  # fmt: skip
