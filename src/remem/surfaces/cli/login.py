"""`remem login` and `remem logout`."""

import sys
from typing import Annotated, Any

import typer

from remem.surfaces.cli.context import HERE, Json, Url
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

    from remem.surfaces.cli.signing import locker

    at = _address(url)
    found = _with_key(at, key) if key else _with_browser(at, scope, browser)
    who = _whoami(at, found.secret)
    with locker.alone():
        where = locker.keep(replace(found, name=who["email"]), keyring)
    if as_json:
        print_json({"server": at, "email": who["email"], "scopes": who["scopes"], "kept_in": where})
    else:
        place = "the keyring" if where == "keyring" else f"{locker.file()}, which only you can read"
        say(f"Signed in at {at} as {who['email']}; stored in {place}.")


def logout(
    url: Url = None,
    everywhere: Annotated[bool, typer.Option("--all", help="Sign out of every server.")] = False,
) -> None:
    """Sign out: a grant is revoked and deleted here; a key is only deleted here.

    Example: remem logout
    """
    from remem.surfaces.cli.signing import locker
    from remem.surfaces.cli.signing.session import normal

    named = locker.addresses() if everywhere else [normal(url) if url else None]
    ended = [at for one in named if (at := _end(one))]
    if not ended:
        fail("You are not signed in there.", NOTHING_FOUND)
    for at in ended:
        say(f"Signed out at {at}.")


def _end(url: str | None) -> str | None:
    from remem.core.errors import RememError
    from remem.surfaces.cli.signing import locker, oauth

    with locker.alone():
        found = locker.find(url)
        if found is None:
            return None
        try:
            revoked = oauth.revoke(found) if found.is_grant else True
        except RememError:
            revoked = False
        locker.forget(found.url)
    if not revoked:
        err.print(
            f"{found.url} could not be reached; its tokens stay valid until they expire.",
            highlight=False,
            soft_wrap=True,
        )
    return found.url


def _address(url: str | None) -> str:
    """The server that is named, or the one that would run here."""
    from os import environ
    from urllib.parse import urlsplit

    from remem.settings import load
    from remem.surfaces.cli.signing.session import normal

    settings = load()
    at = url or environ.get("REMEM_URL") or f"http://{settings.host}:{settings.port}"
    if at == HERE:
        fail("This machine's own store needs no sign-in.", MISUSED)
    parts = urlsplit(at)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        fail(f"--url: {at} is no address; write it as https://memory.example.org.", MISUSED)
    return normal(at)


def _with_key(url: str, key: str) -> Any:
    from remem.surfaces.cli.signing.sign_in import SignIn

    if key == "-":
        key = typer.prompt("Key", hide_input=True, err=True) if sys.stdin.isatty() else input()
    if not key.strip():
        fail("--key: it is empty.", MISUSED)
    return SignIn(url=url, secret=key.strip())


def _with_browser(url: str, scope: list[str] | None, opens: bool) -> Any:
    from dataclasses import replace

    from remem.surfaces.cli.signing import oauth
    from remem.surfaces.cli.signing.callback import Callback

    server = oauth.discover(url)
    if scope and (unknown := set(scope) - set(server.scopes)):
        fail(f"--scope: {url} does not know {', '.join(sorted(unknown))}.", MISUSED)
    scopes = tuple(scope or [one for one in server.scopes if one in oauth.SCOPES])
    with Callback() as callback:
        address, begun = oauth.authorize(server, scopes, callback)
        _open(address, opens)
        code = callback.wait(server.issuer, server.names_itself)
        return replace(begun, url=url, **oauth.redeem(begun, code, callback))


def _open(address: str, opens: bool) -> None:
    import threading
    import webbrowser

    if opens:
        # Some browsers come back only when they are closed, and wait for us meanwhile.
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
        err.print("Your browser opens; sign in there. If it does not,", highlight=False)
    err.print(f"open this address in a browser:\n{address}", highlight=False, soft_wrap=True)


def _whoami(url: str, secret: str) -> dict[str, Any]:
    """Nothing is kept that the server does not know."""
    import asyncio

    from remem.client import AsyncRemem

    async def asked() -> dict[str, Any]:
        async with AsyncRemem(url, secret) as remem:
            return await remem.whoami()

    return asyncio.run(asked())
