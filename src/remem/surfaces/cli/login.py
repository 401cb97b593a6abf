"""`remem login` and `remem logout`."""

import sys
from typing import Annotated, Any

import typer

from remem.surfaces.cli.context import LOCAL, Json, Url
from remem.surfaces.cli.output import (
    MISUSED,
    NOTHING_FOUND,
    err,
    fail,
    print_json,
    say,
)


def login(
    url: Url = None,
    key: Annotated[
        str | None,
        typer.Option(help="Sign in with this key instead of a browser; `-` asks for it."),
    ] = None,
    scope: Annotated[
        list[str] | None,
        typer.Option(help="A scope for this machine; repeat for more. All if absent."),
    ] = None,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open a browser, or only print the URL.")
    ] = True,
    keyring: Annotated[
        bool, typer.Option("--keyring/--no-keyring", help="Store it in the keyring, or in a file.")
    ] = True,
    as_json: Json = False,
) -> None:
    """Sign in to a server, by browser or with a key; later commands then use that server.

    Examples: remem login --url https://memory.example.org · remem login --key -
    """
    from dataclasses import replace

    from remem.surfaces.cli.signing import store

    server = _address(url)
    sign_in = _with_key(server, key) if key else _with_browser(server, scope, browser)
    who = _whoami(server, sign_in.secret)
    with store.exclusive_lock():
        where = store.save(replace(sign_in, name=who["email"]), keyring)
    if as_json:
        print_json(
            {"server": server, "email": who["email"], "scopes": who["scopes"], "kept_in": where}
        )
    else:
        place = "the keyring" if where == "keyring" else f"{store.file()}, which only you can read"
        say(f"Signed in at {server} as {who['email']}; stored in {place}.")


def logout(
    url: Url = None,
    everywhere: Annotated[bool, typer.Option("--all", help="Sign out of every server.")] = False,
) -> None:
    """Sign out: a grant is revoked and deleted here; a key is only deleted here.

    Example: remem logout
    """
    from remem.surfaces.cli.signing import store
    from remem.surfaces.cli.signing.session import normalize_url

    addresses = store.addresses() if everywhere else [normalize_url(url) if url else None]
    ended = [server for address in addresses if (server := _sign_out(address))]
    if not ended:
        fail("You are not signed in there.", NOTHING_FOUND)
    for server in ended:
        say(f"Signed out at {server}.")


def _sign_out(url: str | None) -> str | None:
    from remem.core.errors import RememError
    from remem.surfaces.cli.signing import oauth, store

    with store.exclusive_lock():
        sign_in = store.find(url)
        if sign_in is None:
            return None
        try:
            revoked = oauth.revoke(sign_in) if sign_in.is_grant else True
        except RememError:
            revoked = False
        store.forget(sign_in.url)
    if not revoked:
        err.print(
            f"{sign_in.url} could not be reached; its tokens stay valid until they expire.",
            highlight=False,
            soft_wrap=True,
        )
    return sign_in.url


def _address(url: str | None) -> str:
    """Return the server that was named, or the one that would run on this machine."""
    from os import environ
    from urllib.parse import urlsplit

    from remem.settings import load
    from remem.surfaces.cli.signing.session import normalize_url

    settings = load()
    address = url or environ.get("REMEM_URL") or f"http://{settings.host}:{settings.port}"
    if address == LOCAL:
        fail("This machine's own store needs no sign-in.", MISUSED)
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        fail(f"--url: {address} is not a URL; write it as https://memory.example.org.", MISUSED)
    return normalize_url(address)


def _with_key(url: str, key: str) -> Any:
    from remem.surfaces.cli.signing.sign_in import SignIn

    if key == "-":
        key = typer.prompt("Key", hide_input=True, err=True) if sys.stdin.isatty() else input()
    if not key.strip():
        fail("--key: is empty; give a key.", MISUSED)
    return SignIn(url=url, secret=key.strip())


def _with_browser(url: str, scope: list[str] | None, open_browser: bool) -> Any:
    from dataclasses import replace

    from remem.surfaces.cli.signing import oauth
    from remem.surfaces.cli.signing.callback import Callback

    server = oauth.discover(url)
    if scope and (unknown := set(scope) - set(server.scopes)):
        fail(f"--scope: {url} does not know {', '.join(sorted(unknown))}.", MISUSED)
    scopes = tuple(scope or [offered for offered in server.scopes if offered in oauth.SCOPES])
    with Callback() as callback:
        address, sign_in = oauth.authorize(server, scopes, callback)
        _open(address, open_browser)
        code = callback.wait(server.issuer, server.names_itself)
        return replace(sign_in, url=url, **oauth.redeem(sign_in, code, callback))


def _open(address: str, open_browser: bool) -> None:
    import threading
    import webbrowser

    if open_browser:
        # webbrowser.open may block until the browser is closed, while the browser waits for our
        # callback.
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
        err.print("Your browser opens; sign in there. If it does not,", highlight=False)
    err.print(f"open this address in a browser:\n{address}", highlight=False, soft_wrap=True)


def _whoami(url: str, secret: str) -> dict[str, Any]:
    """Ask the server who this is, so that no credential is stored that the server does not
    accept."""
    import asyncio

    from remem.client import AsyncRemem

    async def ask() -> dict[str, Any]:
        async with AsyncRemem(url, secret) as remem:
            return await remem.whoami()

    return asyncio.run(ask())
