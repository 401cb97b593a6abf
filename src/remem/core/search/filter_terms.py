"""Read `tag:name`, `tag:"two words"` and `is:unread` in a query as filters; pure."""

import re
from dataclasses import replace

from remem.core.flags import Flag
from remem.core.search.model import Query

_TAG = re.compile(r'(?<!\S)tag:(?:"([^"]+)"|#?([^\s"]+))', re.I)
_FLAG = re.compile(r"(?<!\S)is:(unread|favou?rite|archived)(?=[\s,;.?!]|$)", re.I)
_FLAGS: dict[str, Flag] = {
    "unread": "unread",
    "favourite": "favourite",
    "favorite": "favourite",
    "archived": "archived",
}


def with_filter_terms(query: Query) -> Query:
    """The query with its terms as filters, in addition to those that it has."""
    tags = [(quoted or word.rstrip(",;.?!")).strip() for quoted, word in _TAG.findall(query.text)]
    tags = [tag for tag in tags if tag]
    flags = [_FLAGS[word.lower()] for word in _FLAG.findall(query.text)]
    if not (tags or flags):
        return query
    text = _FLAG.sub(" ", _TAG.sub(" ", query.text) if tags else query.text)
    filters = replace(
        query.filters,
        tags=(*query.filters.tags, *tags),
        flags=(*query.filters.flags, *flags),
    )
    return replace(query, text=" ".join(text.split()), filters=filters)
