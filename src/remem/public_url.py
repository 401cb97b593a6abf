"""The public URL of a server: the address of a host, or a path below it."""

import re
from urllib.parse import urlsplit

# Without a dot, which every file at the root of the server has in its name.
_PATH = re.compile(r"(?:/[A-Za-z0-9_~-]+)*")
# The first segments of this server's own routes. A proxy may or may not strip the public path, so
# requests below it must not look like requests for a route.
OWN_SEGMENTS = frozenset(
    "activity admin api ask assets calendar connect dashboard docs evolution extension graph health"
    " library login mcp memories memory metrics oauth open operator people projects register"
    " search settings share tags timeline today trash v1 v3".split()
)


def normalize_public_url(value: str) -> str:
    """Return scheme, host and path without a trailing slash."""
    parts = urlsplit(value)
    origin, path = f"{parts.scheme}://{parts.netloc}", parts.path.rstrip("/")
    if (
        parts.scheme not in ("http", "https")
        or value.rstrip("/") != origin + path
        or "@" in value
        or not _PATH.fullmatch(path)
    ):
        raise ValueError("give scheme, host and path only, such as https://home.example.org/remem")
    first = path.split("/")[1] if path else ""
    if first in OWN_SEGMENTS:
        raise ValueError(f"the server has addresses below /{first} itself; choose another path")
    return origin.lower() + path
