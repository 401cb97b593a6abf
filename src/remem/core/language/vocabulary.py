"""The word lists used to score a sentence."""

from remem.core.language.lists import word_set
from remem.core.language.numbers import CARDINALS, SCALES
from remem.core.language.times.calendar import MONTH_NAMES, PARTS_OF_DAY, SEASONS, WEEKDAY_NAMES

SPEAKERS = word_set("vocabulary", "speakers")
OWN = word_set("vocabulary", "own")
PEOPLE = word_set("vocabulary", "people")
BELONGS = word_set("vocabulary", "belongs")
ADVERBS = word_set("vocabulary", "adverbs")
MENTAL = word_set("vocabulary", "mental")
LASTING = word_set("vocabulary", "lasting")
STATES = word_set("vocabulary", "states")
AUXILIARIES = word_set("vocabulary", "auxiliaries")
PAST = word_set("vocabulary", "past")
BASE_FORMS = word_set("vocabulary", "base_forms")
NOT_PAST = word_set("vocabulary", "not_past")
IMPERATIVES = word_set("vocabulary", "imperatives")
ELIDED = word_set("vocabulary", "elided")
PLAN = word_set("vocabulary", "plan")
PRAISE = word_set("vocabulary", "praise")
FUNCTION = word_set("vocabulary", "function")
REFERS = word_set("vocabulary", "refers")
POINTS = word_set("vocabulary", "points")
NUMERALS = word_set("vocabulary", "numerals").union(
    CARDINALS.keys() - {"zero", "one"}, SCALES, ("dozen",)
)
NOT_NAMES = word_set("vocabulary", "not_names")
CALENDAR = word_set("vocabulary", "calendar").union(
    MONTH_NAMES, WEEKDAY_NAMES, SEASONS, PARTS_OF_DAY
)
