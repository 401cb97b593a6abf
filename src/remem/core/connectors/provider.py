"""What can be connected, and what a person gives for it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

MINUTE_S, DAY_S = 60, 86_400


@dataclass(frozen=True, slots=True)
class Field:
    """Something a person gives to connect: a path, an address, a token. `label` completes a
    sentence, as in "give the path of a folder". `example` is shown in an empty field; `is_long`
    asks for several lines, such as a key file."""

    name: str
    label: str
    is_secret: bool = False
    is_required: bool = True
    example: str = ""
    is_long: bool = False


@dataclass(frozen=True, slots=True)
class OAuthApp:
    """How a person consents at a service. The access token becomes `token` of the credential and
    is refreshed by the engine. `parameters` are added to the address of consent; `uses_basic_auth`
    sends the client's secret in a header instead of the form, and `sends_json` everything else as
    JSON; `device_url` begins a sign-in by a code that is typed in elsewhere. `grant_url` is
    the address of the consent, with `{client_id}` in it, where that is deleted to end it.
    `said_when_refused` is what a person does when the service ends the consent. The client's id and
    secret are those of the settings; a person may bring their own."""

    authorize_url: str
    token_url: str
    scopes: tuple[str, ...] = ()
    parameters: Mapping[str, str] = field(default_factory=dict)
    uses_basic_auth: bool = False
    uses_pkce: bool = True
    sends_json: bool = False
    said_when_refused: str | None = None
    device_url: str | None = None
    revoke_url: str | None = None
    grant_url: str | None = None
    client_id: str | None = None
    client_secret: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Price:
    """Of a service that charges for each read: about how much, how many reads a day (UTC) there are
    at most, and the field by which a person sets another number."""

    usd_a_read: float
    reads_a_day: int
    field: str


@dataclass(frozen=True, slots=True)
class Provider:
    """What can be connected. `selected` is the field whose value is what is read: nothing else has
    to be chosen. `choice` says what is chosen where it can also be typed, as in `repositories, such
    as octo/notes`. `walk_every_s` is how often everything is listed again; 0 lists everything at
    each sync. `absence_means_removed`: what a complete list does not have is gone there.
    `has_addresses`: each item has an address that no other has. What is `index_only` is found, and
    no memories are made of it. `help` says in a sentence or two where a
    person finds what the fields ask for; `about` what is read there. `manifest` is what an app of
    their own is made from, where the service takes such a thing."""

    title: str
    fields: tuple[Field, ...]
    selected: str | None = None
    choice: str | None = None
    interval_s: int = 15 * MINUTE_S
    walk_every_s: int = DAY_S
    absence_means_removed: bool = True
    has_addresses: bool = False
    needs_admin: bool = False
    index_only: bool = False
    oauth: OAuthApp | None = None
    about: str = ""
    help: str = ""
    manifest: str = ""
    price: Price | None = None
