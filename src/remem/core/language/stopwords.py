"""Words that carry no topic, by language; they also help to detect the language."""

from remem.core.language.lists import table, word_set
from remem.core.language.times.calendar import MONTHS, WEEKDAY_NAMES

STOP_WORDS = {
    language: frozenset(words.split()) for language, words in table("stopwords", "any").items()
}
EMPTY_WORDS = word_set("stopwords", "empty").union(MONTHS, WEEKDAY_NAMES) - {"may"}
ALL_STOP_WORDS = frozenset(word for words in STOP_WORDS.values() for word in words)
