"""Words that indicate the type of a name, and words that are never names."""

from remem.core.language.lists import word_set
from remem.core.language.stopwords import STOP_WORDS
from remem.core.language.times import calendar

MONTHS = frozenset(form.capitalize() for form in calendar.MONTHS)
DAYS = frozenset(
    day.capitalize()
    for day in (
        *calendar.WEEKDAYS,
        *(f"{day}s" for day in calendar.WEEKDAY_NAMES),
        *(season for season in calendar.SEASONS if season != "fall"),
        *("today", "tomorrow", "yesterday", "tonight"),
    )
)
PEOPLES = word_set("names", "peoples")
ABBREVIATIONS = word_set("names", "abbreviations")
OPENERS = word_set("names", "openers")
FUNCTION_WORDS = STOP_WORDS["en"]
SMALL_WORDS = word_set("names", "small_words")
GERMAN_WORDS = word_set("names", "german_words")

TITLES = word_set("names", "titles")
PARTICLES = word_set("names", "particles")
RELATIVES = word_set("names", "relatives")
PERSON_VERBS = word_set("names", "person_verbs")
PLACE_CUES = word_set("names", "place_cues")
TRAVEL_CUES = word_set("names", "travel_cues")

ORGANIZATION_ENDS = word_set("names", "organization_ends")
ORGANIZATION_STARTS = word_set("names", "organization_starts")
PLACE_ENDS = word_set("names", "place_ends")
PLACE_STARTS = word_set("names", "place_starts")
EVENT_ENDS = word_set("names", "event_ends")
SYSTEM_ENDS = word_set("names", "system_ends")

FIRST_NAMES = word_set("names", "first_names")
DOUBTFUL_NAMES = word_set("names", "doubtful_names")
