"""Read `tag:name` and `tag:"two words"` in a query as filters; pure."""

import re
from dataclasses import replace

from remem.core.search.model import Query

_TAG = re.compile(r'(?<!\S)tag:(?:"([^"]+)"|#?([^\s"]+))', re.I)


def with_tag_filters(query: Query) -> Query:
    """The query with its tags as filters, in addition to those that it has."""
    tags = [(quoted or word.rstrip(",;.?!")).strip() for quoted, word in _TAG.findall(query.text)]
    tags = [tag for tag in tags if tag]
    if not tags:
        return query
    text = " ".join(_TAG.sub(" ", query.text).split())
    return replace(
        query, text=text, filters=replace(query.filters, tags=(*query.filters.tags, *tags))
    )
