"""The file name that a response or its URL suggests; never a path."""

from email.message import Message
from urllib.parse import unquote

import httpx2

MAX_CHARS = 200


def file_name(headers: httpx2.Headers, url: httpx2.URL) -> str | None:
    return _clean_name(_disposition_name(headers)) or _clean_name(
        unquote(url.path.rpartition("/")[2])
    )


def _disposition_name(headers: httpx2.Headers) -> str:
    # The email library reads all notations of the header, including RFC 2231.
    message = Message()
    message["Content-Disposition"] = headers.get("Content-Disposition", "").replace("\n", " ")
    try:
        return message.get_filename("")
    except (LookupError, ValueError):
        return ""


def _clean_name(name: str) -> str | None:
    base = name.replace("\\", "/").rpartition("/")[2]
    printable = "".join(char for char in base if char.isprintable()).strip(" .")
    return printable[-MAX_CHARS:] or None
