"""A fake language model on loopback that gives scripted answers in the format of the real APIs."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler
from typing import Any

from remem.core.judges.choose import choose_judge
from remem.core.model_ports import Llm
from remem.core.ports import Ports
from tests.tools.site import Page, Site, in_turn, page, serving

PATH = "/v1/chat/completions"
MESSAGES_PATH = "/v1/messages"


def completion(answer: Any, **message: Any) -> Page:
    """A reply that contains the answer: text as it is, anything else as JSON."""
    finish = message.pop("finish_reason", "stop")
    content = answer if isinstance(answer, str) or answer is None else json.dumps(answer)
    reply = {"role": "assistant", "content": content, **message}
    choice = {"index": 0, "message": reply, "finish_reason": finish}
    body = {"id": "c1", "object": "chat.completion", "model": "tiny", "choices": [choice]}
    return page(json.dumps(body).encode(), Content_Type="application/json")


def message(answer: Any, name: str = "Palette", stop: str = "tool_use") -> Page:
    """The same in Anthropic's format: a tool call with the answer, or text."""
    if answer is None:
        content = []
    elif isinstance(answer, str):
        content = [{"type": "text", "text": answer}]
    else:
        content = [{"type": "tool_use", "id": "t1", "name": name, "input": answer}]
    usage = {"input_tokens": 1, "output_tokens": 1}
    body = {"id": "m1", "type": "message", "role": "assistant", "model": "tiny", "usage": usage,
            "content": content, "stop_reason": stop, "stop_sequence": None}  # fmt: skip
    return page(json.dumps(body).encode(), Content_Type="application/json")


def by_prompt(decide: Callable[[str], Any], site: Site) -> Page:
    """Answer each prompt with the result of `decide`."""

    def answer(request: BaseHTTPRequestHandler) -> None:
        prompt = json.loads(site.requests[-1].body)["messages"][-1]["content"]
        completion(decide(prompt))(request)

    return answer


@contextmanager
def model(*pages: Page) -> Iterator[Site]:
    with serving(Site()) as site:
        if pages:
            site.pages[PATH] = site.pages[MESSAGES_PATH] = in_turn(*pages)
        yield site


def with_llm(ports: Ports, llm: Llm) -> Ports:
    """The ports as bootstrap opens them when a language model is configured."""
    judge = choose_judge(ports.analysis, ports.reader, llm)
    return replace(ports, llm=llm, judge=judge)
