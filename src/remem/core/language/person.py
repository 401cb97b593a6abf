"""Whether a statement speaks of the one who makes it."""

import re

# The one whose memory it is: who writes a note, saves a statement, talks to an assistant.
USER = "user"
_USERS = frozenset({"user", "the user", "human", "me", "i"})
_ASSISTANTS = frozenset(
    "assistant ai bot system model agent chatgpt gpt claude gemini copilot".split()
)
_FEED, _PAGE = "Feed: ", "Page: "
_SELF = re.compile(r"\b(?:I|[Mm]e|[Mm]y|[Mm]ine|[Mm]yself)\b")
_US = re.compile(r"\b(?:we|us|our|ours|ourselves)\b", re.IGNORECASE)


def is_user(speaker: str | None) -> bool:
    """Whether it is the user who speaks; nobody else is named where none is."""
    return not speaker or speaker.strip().casefold() in _USERS


def is_assistant(speaker: str | None) -> bool:
    """Whether it is a program that the user talks to."""
    return bool(_ASSISTANTS & set((speaker or "").casefold().split()))


def feed_speaker(name: str) -> str:
    """What a feed is called as a speaker: whatever its title is, it is not the user's name."""
    return f"{_FEED}{name}"


def is_feed(speaker: str | None) -> bool:
    return bool(speaker) and (speaker or "").casefold().startswith(_FEED.casefold())


def page_speaker(name: str) -> str:
    """What a page of the web is called as a speaker, where it names no author."""
    return f"{_PAGE}{name}"


def is_elsewhere(speaker: str | None) -> bool:
    """Whether a feed or a page speaks, and not a person that the user knows."""
    return is_feed(speaker) or (speaker or "").startswith(_PAGE)


def speaks_of_self(text: str) -> bool:
    return _SELF.search(text) is not None


def speaks_of_us(text: str) -> bool:
    return _US.search(text) is not None


def depends_on_speaker(text: str) -> bool:
    """Whether another person who says the same says something else."""
    return speaks_of_self(text) or speaks_of_us(text)
