"""Texts that tests save, and helpers to save and read them."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2

from tests.conftest import Person

AT_ONCE = 20
URL = "https://example.org/page"
CAT = "The cat dozes on the sofa all afternoon."
TAX = "Income tax returns are due at the end of May."


def read(user: Person, id: str, **query: Any) -> dict[str, Any]:
    reply = user.http.get(f"/v3/documents/{id}", params=query)
    assert reply.status_code == 200, reply.text
    return reply.json()


def titles(results: list[dict[str, Any]]) -> list[str]:
    return [result["title"] for result in results]


def at_once(user: Person, path: str, bodies: list[dict[str, Any]]) -> list[httpx2.Response]:
    with ThreadPoolExecutor(len(bodies)) as threads:
        return list(threads.map(lambda body: user.post(path, body), bodies))


def paragraphs(number: int, word: str = "engine") -> str:
    """Prose with about a hundred words in each paragraph, each about a different subject."""
    sentence = "The {word} of paragraph {n} turns wheel {n}.{s} again, and nobody has to watch it."
    return "\n\n".join(
        " ".join(sentence.format(word=word, n=n, s=s) for s in range(8)) for n in range(number)
    )
