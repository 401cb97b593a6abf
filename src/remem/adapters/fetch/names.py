"""The file name that an answer or its address suggests; never a path."""

from email.message import Message
from urllib.parse import unquote

import httpx2

MAX_CHARS = 200


def file_name(headers: httpx2.Headers, url: httpx2.URL) -> str | None:
    return _cleaned(_disposed(headers)) or _cleaned(unquote(url.path.rpartition("/")[2]))


def _disposed(headers: httpx2.Headers) -> str:
    # The library for e-mail reads all the ways there are to write it, RFC 2231 among them.
    message = Message()
    message["Content-Disposition"] = headers.get("Content-Disposition", "").replace("\n", " ")
    try:
        return message.get_filename("")
    except (LookupError, ValueError):
        return ""


def _cleaned(name: str) -> str | None:
    last = name.replace("\\", "/").rpartition("/")[2]
    plain = "".join(letter for letter in last if letter.isprintable()).strip(" .")
    return plain[-MAX_CHARS:] or None
