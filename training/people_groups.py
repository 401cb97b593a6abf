"""Questions of invented people with their notes and lines of notes."""

from collections.abc import Iterator

from groups import NO_ANSWER, NO_SPAN, NOT_RELEVANT, RELEVANT, UNKNOWN, Group, Texts, likeness
from people import Person, Question, Span, lines_of

NOTES, LINES, PROMPTS = "people", "people_lines", "people_prompts"
_OTHERS = 14
# Several answers of a list are one span if they stand so near each other.
_LIST_CHARS = 140
_NONE = (NO_ANSWER, NO_ANSWER)


def groups(texts: Texts, person: Person, *, dev: bool) -> Iterator[Group]:
    for question in person.questions:
        if not question.has_answer:
            yield _unanswered(texts, person, question, dev=dev)
        else:
            yield from _whole_notes(texts, person, question, dev=dev)
            yield from _lines(texts, person, question, dev=dev)


def _unanswered(texts: Texts, person: Person, question: Question, *, dev: bool) -> Group:
    notes = [note.text for id, note in person.notes.items() if id != question.near]
    around = [notes[number] for number in likeness(question.text, notes)]
    if question.near:
        own, relevance, source = person.notes[question.near].text, UNKNOWN, f"un{NOTES}"
    else:
        own, *around = around
        relevance, source = NOT_RELEVANT, PROMPTS
    others = [texts.add(text) for text in around[:_OTHERS]]
    return Group(source, question.text, [texts.add(own)], others, *_NONE, relevance, dev)


def _whole_notes(texts: Texts, person: Person, question: Question, *, dev: bool) -> Iterator[Group]:
    known = {id: person.notes[id].text for id in question.places if id in person.notes}
    notes = [
        note.text
        for id, note in person.notes.items()
        if id not in known and id not in question.outdated
    ]
    others = [texts.add(notes[number]) for number in likeness(question.text, notes)[:_OTHERS]]
    for first, text in known.items():
        own = [texts.add(text), *(texts.add(known[id]) for id in known if id != first)]
        spans = question.places[first]
        source = NOTES if spans else PROMPTS
        yield Group(source, question.text, own, others, *_whole(spans), RELEVANT, dev)


def _whole(spans: list[Span]) -> Span:
    if not spans:
        return NO_SPAN, NO_SPAN
    start, end = min(start for start, _ in spans), max(end for _, end in spans)
    return (start, end) if end - start <= _LIST_CHARS else spans[0]


def _lines(texts: Texts, person: Person, question: Question, *, dev: bool) -> Iterator[Group]:
    """The line that answers, among lines of this note and others."""
    right: list[tuple[int, Span]] = []
    wrong: list[tuple[str, str]] = []
    for id, note in person.notes.items():
        spans = question.places.get(id, [])
        for line, start, before in lines_of(note.text):
            inside = [s for s in spans if start <= s[0] and s[1] <= start + len(line)]
            if inside:
                context = texts.add(before) if before else -1
                span = (inside[0][0] - start, inside[-1][1] - start)
                right.append((texts.add(line, context), span))
            elif id not in question.outdated:
                wrong.append((line, before))
    ranked = likeness(question.text, [line for line, _ in wrong])[:_OTHERS]
    others = [texts.add(*_with_context(texts, wrong[number])) for number in ranked]
    for own, span in right:
        rest = [number for number, _ in right if number != own]
        yield Group(LINES, question.text, [own, *rest], others, *span, RELEVANT, dev)


def _with_context(texts: Texts, line: tuple[str, str]) -> tuple[str, int]:
    return line[0], texts.add(line[1]) if line[1] else -1
