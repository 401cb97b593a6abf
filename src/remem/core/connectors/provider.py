"""What can be connected, and the fields a person fills in for it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

MINUTE_S, DAY_S = 60, 86_400


@dataclass(frozen=True, slots=True)
class Field:
    """A form field of a connection: a path, an address, a token. `label` completes a sentence, as
    in "give the path of a folder". `example` is shown in an empty field; `is_long` is for several
    lines, such as a key file."""

    name: str
    label: str
    is_secret: bool = False
    is_required: bool = True
    example: str = ""
    is_long: bool = False


@dataclass(frozen=True, slots=True)
class OAuthApp:
    """The OAuth endpoints of a service. The access token is stored as `token` of the credential and
    is refreshed automatically. `parameters` are added to the authorization URL. `uses_basic_auth`
    sends the client's secret in a header instead of the form, and `sends_json` sends everything
    else as JSON. `device_url` starts the device flow, with a code that is entered elsewhere.
    `grant_url` is the URL of the grant, with `{client_id}` in it, for services where deleting it
    revokes the grant. `refused_hint` says what to do when the service ends the grant. The client's
    id and secret come from the settings; a person may use their own."""

    authorize_url: str
    token_url: str
    scopes: tuple[str, ...] = ()
    parameters: Mapping[str, str] = field(default_factory=dict)
    uses_basic_auth: bool = False
    uses_pkce: bool = True
    sends_json: bool = False
    refused_hint: str | None = None
    device_url: str | None = None
    revoke_url: str | None = None
    grant_url: str | None = None
    client_id: str | None = None
    client_secret: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Price:
    """The price of a service that charges for each read: its approximate price, the default limit
    of reads per day (UTC), and the field that overrides the limit."""

    usd_per_read: float
    reads_per_day: int
    field: str


@dataclass(frozen=True, slots=True)
class Provider:
    """A service or folder that can be connected. `selected` is the field whose value is what is
    read, so that nothing has to be chosen. `choice` describes what can be chosen when it can also
    be typed, as in `repositories, such as octo/notes`. `walk_every_s` is how often everything is
    listed again; 0 lists everything at each sync. With `absence_means_removed`, an item that is
    missing from a complete list was removed. With `has_addresses`, each item has a unique URL.
    `index_only` items are searchable, but no memories are distilled from them. `help` says in a
    sentence or two where to find the values of the fields, `about` what is read. `manifest` is the
    manifest to create an app of one's own with, if the service accepts one."""

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
