"""`remem open`: the web app, signed in."""

from typing import Annotated
from urllib.parse import urlsplit

import typer

from remem.surfaces.cli.command import pasted
from remem.surfaces.cli.context import Json, Key, Url, address, request
from remem.surfaces.cli.output import fail, print_json, say

_EVERY_ADDRESS = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}


def open_app(
    url: Url = None,
    key: Key = None,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open a browser, or only print the URL.")
    ] = True,
    as_json: Json = False,
) -> None:
    """Open the web app in your browser, signed in.

    Example: remem open
    """
    at = _app_address(url, key)
    if as_json:
        print_json({"url": at})
    else:
        say(at)
    if browser:
        _open(at)


def _app_address(url: str | None, key: str | None) -> str:
    """With a link that signs in, for a server of this computer; the sign-in page elsewhere."""
    server = address(url, key)[0] or _local_server()
    at = loopback_url(server)
    if at is None:
        return f"{server.rstrip('/')}/login"
    return at + request(url, key, "POST", "/v3/auth/links")["path"]


def _local_server() -> str:
    from remem.client.local_server import find_server

    server = find_server()
    if server is None:
        fail(f"No server runs on this computer's store; start one with `{pasted()} serve`.")
    return server.url


def loopback_url(server: str) -> str | None:
    """A server's address as a browser of this computer reaches it; None for another computer's."""
    from remem.settings import is_loopback

    parts = urlsplit(server)
    name = parts.hostname or ""
    if name in _EVERY_ADDRESS:
        return f"{parts.scheme}://{_EVERY_ADDRESS[name]}:{parts.port}"
    return server.rstrip("/") if is_loopback(name) else None


def _open(at: str) -> None:
    import webbrowser

    if not webbrowser.open(at):
        say("No browser could be opened; open the address above.")
