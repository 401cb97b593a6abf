"""`remem open`: open the web app, signed in."""

from typing import Annotated
from urllib.parse import urlsplit

import typer

from remem.folders import setting
from remem.surfaces.cli.command import shell_command
from remem.surfaces.cli.context import Json, Key, Url, address, request
from remem.surfaces.cli.output import fail, print_json, say

_WILDCARD_HOSTS = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}


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
    app_url = _app_url(url, key)
    if as_json:
        print_json({"url": app_url})
    else:
        say(app_url)
    if browser:
        _open(app_url)


def _app_url(url: str | None, key: str | None) -> str:
    """Return a one-time sign-in link for a server on this computer, else the sign-in page."""
    server = address(url, key)[0] or _local_server()
    loopback = loopback_url(server)
    if loopback is None:
        return f"{server.rstrip('/')}/login"
    if url is None and (sign_in_page := public_sign_in_page()):
        return sign_in_page
    return loopback + request(url, key, "POST", "/v3/auth/links")["path"]


def public_sign_in_page() -> str | None:
    """The sign-in page at the public URL of another host. The server accepts no sign-in links
    there: behind a proxy, everyone seems to be on this computer."""
    public_url = setting("public_url")
    if public_url is None or loopback_url(public_url):
        return None
    return f"{public_url.rstrip('/')}/login"


def _local_server() -> str:
    from remem.client.local_server import find_server

    server = find_server()
    if server is None:
        fail(f"No server runs on this computer's store; start one with `{shell_command()} serve`.")
    return server.url


def loopback_url(server: str) -> str | None:
    """Return the server's URL as a browser on this computer reaches it, or None for another
    computer's."""
    from remem.settings import is_loopback

    parts = urlsplit(server)
    host = parts.hostname or ""
    if host in _WILDCARD_HOSTS:
        return f"{parts.scheme}://{_WILDCARD_HOSTS[host]}:{parts.port}"
    return server.rstrip("/") if is_loopback(host) else None


def _open(url: str) -> None:
    import webbrowser

    if not webbrowser.open(url):
        say("No browser could be opened; open the address above.")
