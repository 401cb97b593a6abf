"""`remem deliveries`: the morning page by mail, ntfy or a signed webhook."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from remem.surfaces.cli.context import Call, Key, Url, run_with_client
from remem.surfaces.cli.ids import SHORT, shown_id
from remem.surfaces.cli.output import fail, print_item, say

if TYPE_CHECKING:
    from remem.client import AsyncRemem

deliveries = typer.Typer(help="Deliveries: get the morning page by mail, ntfy or a webhook.")

PATH = "/v3/deliveries"
Id = Annotated[str, typer.Argument(help="Its id, or the last 8 digits of it.")]
Channel = Annotated[str, typer.Argument(help="mail, ntfy or webhook.")]
Address = Annotated[
    str, typer.Argument(help="A mail address, the address of a topic of ntfy, or a URL.")
]
At = Annotated[str, typer.Option("--at", help="The time of day, such as 07:30.")]
TimeZone = Annotated[str, typer.Option("--time-zone", help="Such as Europe/Berlin.")]
Token = Annotated[str | None, typer.Option("--token", help="An access token of ntfy.")]
Code = Annotated[str, typer.Argument(help="The code in the mail.")]


@deliveries.command("list")
def list_all(call: Call) -> None:
    """List where the morning page is sent, and what became of the last message.

    Example: remem deliveries list
    """
    reply = call.request("GET", PATH)
    rows = [
        (
            shown_id(item["id"]),
            item["channel"],
            item["address"],
            f"{item['at']} {item['time_zone']}",
            _state(item),
        )
        for item in reply["deliveries"]
    ]
    headers = ["id", "by", "to", "at", "state"]
    call.print_table(reply, headers, rows, "The morning page is sent nowhere.")


@deliveries.command()
def add(
    call: Call,
    channel: Channel,
    address: Address,
    at: At = "07:00",
    time_zone: TimeZone = "UTC",
    token: Token = None,
) -> None:
    """Have the morning page sent each day. A mail address gets a code first.

    Example: remem deliveries add ntfy https://ntfy.sh/my-topic --at 07:30 --time-zone Europe/Berlin
    """
    body = {"channel": channel, "address": address, "at": at, "time_zone": time_zone}
    if token:
        body["token"] = token
    print_item(call.request("POST", PATH, json=body), call.as_json)


@deliveries.command()
def confirm(id: Id, code: Code, url: Url = None, key: Key = None) -> None:
    """Confirm a mail address by the code that was sent to it.

    Example: remem deliveries confirm 0f3a9c2b 123456
    """
    _call("POST", id, "/confirm", url, key, {"code": code})
    say("Confirmed.")


@deliveries.command()
def test(id: Id, url: Url = None, key: Key = None) -> None:
    """Send today's page as a test; `remem deliveries log` says what became of it.

    Example: remem deliveries test 0f3a9c2b
    """
    _call("POST", id, "/test", url, key)
    say("Queued.")


@deliveries.command()
def log(id: Id, url: Url = None, key: Key = None) -> None:
    """Show what became of the messages of a delivery, the newest first.

    Example: remem deliveries log 0f3a9c2b
    """
    messages = _call("GET", id, "/log", url, key)["messages"]
    for message in messages:
        say(f"{message['created_at']}  {message['kind']:7}  {_outcome(message)}")
    if not messages:
        say("Nothing was sent yet.")


@deliveries.command()
def remove(id: Id, url: Url = None, key: Key = None) -> None:
    """Delete a delivery: nothing more is sent there.

    Example: remem deliveries remove 0f3a9c2b
    """
    _call("DELETE", id, "", url, key)
    say("Removed.")


def _call(
    method: str,
    short: str,
    path: str,
    url: str | None,
    key: str | None,
    json: dict[str, Any] | None = None,
) -> Any:
    async def work(remem: "AsyncRemem") -> Any:
        listed = (await remem.request("GET", PATH))["deliveries"]
        ids = [item["id"] for item in listed if item["id"].endswith(short.lower())]
        if len(ids) != 1 or len(short) < SHORT:
            fail(f"There is no delivery {short}; `remem deliveries list` shows them.")
        return await remem.request(method, f"{PATH}/{ids[0]}{path}", json=json)

    return run_with_client(url, key, work)


def _state(item: dict[str, Any]) -> str:
    if not item["is_confirmed"]:
        return "not confirmed"
    if not item["is_on"]:
        return "off"
    return _outcome(item["last"]) if item["last"] else "on"


def _outcome(message: dict[str, Any]) -> str:
    text = message["status"]
    if message["reason"]:
        text += f": {message['reason']}"
    return f"{text} Next try: {message['next_try_at']}" if message["next_try_at"] else text
