"""Every setting, its default and its reason; read once, from the environment and a file."""

import os
import re
import tomllib
from ipaddress import ip_address, ip_network
from pathlib import Path
from shlex import quote
from typing import Annotated, Any, Literal, get_args
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, SecretStr, ValidationError, field_validator
from pydantic_core import PydanticUndefined
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
    TomlConfigSettingsSource,
)

from remem.core.errors import CannotStart
from remem.delivery_settings import DeliverySettings
from remem.folders import default_config_dir, settings_file
from remem.model_settings import ModelSettings
from remem.public_url import normalize_public_url
from remem.service_clients import ServiceClients
from remem.store_settings import HttpAddress

_FIELD_IN_ERROR = re.compile(r'field "(\w+)"')
_REASONS = {
    "int_parsing": "is not a whole number",
    "int_from_float": "is not a whole number",
    "int_type": "is not a whole number",
    "float_parsing": "is not a number",
    "float_type": "is not a number",
    "bool_parsing": "is neither true nor false",
    "bool_type": "is neither true nor false",
    "too_short": "is too short; use at least 16 characters",
    "list_type": "is not a list",
    "string_type": "is not text",
}
# Of settings whose default is no example.
_EXAMPLES = {
    "public_url": "https://memory.example.org",
    "admin_key": "a-long-random-word",
    "llm_provider": "openai",
    "llm_monthly_tokens": "1000000",
    "trusted_proxies": '["127.0.0.1", "10.0.0.0/8"]',
    "allowed_hosts": '["memory.example.org"]',
    "mcp_hosts": '["memory.example.org"]',
    "fetch_private": '["wiki.lan", "10.1.0.0/16"]',
    "folders": '["/home/me/Notes"]',
    "service_urls": '{"slack": "https://slack.example.org/api"}',
    "metrics_port": "9100",
    "backups": "/mnt/backup/remem",
    "questions": "/home/me/questions.toml",
    "log_file": "/home/me/remem.log",
    "smtp_host": "mail.example.org",
    "smtp_from": "'remem <remem@example.org>'",
    "embedding_dimensions": "768",
    "embedding_threads": "2",
}
# How many keys a user, or their browsers, can use at the full rate limit at the same time.
USER_KEYS = 3
BROWSER_KEYS = 10
# Counters are 32-bit integers in the database, also ten times this.
MAX_RATE = 100_000_000


def load(**values: Any) -> "Settings":
    """Load the settings of this process; an invalid value raises CannotStart, which names it and
    says how to fix it."""
    try:
        return Settings(**values)
    except ValidationError as error:
        first_error = error.errors()[0]
        raise _invalid(str(first_error["loc"][0]), _reason(first_error)) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CannotStart(f"{settings_file()} cannot be read ({error}); fix it.") from error
    except SettingsError as error:
        field = _FIELD_IN_ERROR.search(str(error))
        if field is None:
            raise CannotStart(f"{error}; see docs/settings.md for how it is written.") from error
        raise _invalid(field[1], "is not written as JSON") from error


def _invalid(name: str, reason: str) -> CannotStart:
    variable = f"REMEM_{name.upper()}"
    source = "" if variable in os.environ or not settings_file().exists() else " (config.toml)"
    return CannotStart(
        f"{variable}{source}: {reason}; for example {variable}={quote(example_of(name))}, see"
        " docs/settings.md."
    )


def _reason(error: Any) -> str:
    if reason := _REASONS.get(error["type"]):
        return reason
    message = error["msg"].removeprefix("Value error, ")
    return message[:1].lower() + message[1:]


def example_of(name: str) -> str:
    """A valid value of a setting, as it is written in the environment."""
    field = Settings.model_fields[name]
    if example := _EXAMPLES.get(name):
        return example
    if isinstance(field.default, bool):
        return str(field.default).lower()
    if field.default not in (None, PydanticUndefined) and not isinstance(field.default, list):
        return str(field.default)
    kinds = {bool: "true", int: "100", float: "1.5"}
    return next((kinds[kind] for kind in get_args(field.annotation) if kind in kinds), "...")


def _check_network(value: str) -> str:
    try:
        ip_network(value, strict=False)
    except ValueError:
        raise ValueError(f"{value} is neither an address nor a network") from None
    return value


Network = Annotated[str, AfterValidator(_check_network)]
HostOrNetwork = Annotated[
    str, AfterValidator(lambda value: _check_network(value) if "/" in value else value)
]


class Settings(ModelSettings, ServiceClients, DeliverySettings):
    """Each is set by the environment variable REMEM_ and its name in capitals, or else by a line of
    config.toml, which `remem config set` writes."""

    # An empty variable counts as absent: compose files and shell scripts make them.
    model_config = SettingsConfigDict(
        env_prefix="REMEM_", env_ignore_empty=True, extra="ignore", frozen=True
    )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        file = TomlConfigSettingsSource(settings_cls, toml_file=settings_file())
        return init_settings, env_settings, file

    config_dir: Path = Field(
        default_factory=default_config_dir,
        description="Where config.toml and the sign-ins of `remem login` are kept.",
    )
    host: str = Field(
        default="127.0.0.1",
        description="The address to listen on; by default only this machine can connect.",
    )
    port: int = Field(default=8080, ge=0, le=65_535, description="The port to listen on.")
    public_url: str | None = Field(
        default=None,
        description="The address people and clients reach this server at, which may have a path;"
        " that of each request if absent.",
    )
    trust_proxy: bool = Field(
        default=False,
        description="Whether every peer is a proxy whose X-Forwarded-* headers count.",
    )
    trusted_proxies: list[Network] = Field(
        default_factory=list,
        description="Addresses or networks of proxies whose X-Forwarded-* headers count, as JSON.",
    )
    allowed_hosts: list[str] = Field(
        default_factory=list,
        description="More host names by which clients and web pages may call this server, as JSON.",
    )
    client_registrations: int = Field(
        default=20,
        ge=0,
        le=MAX_RATE,
        description="Clients a minute that may register from one address; 0 switches it off.",
    )
    rate_limit: int = Field(
        default=100, ge=1, le=MAX_RATE, description="Requests a minute for each key or token."
    )
    user_rate_limit: int | None = Field(
        default=None,
        ge=1,
        le=MAX_RATE,
        description="Requests a minute for a user with all their keys and tokens;"
        " three times REMEM_RATE_LIMIT if absent.",
    )
    browser_rate_limit: int | None = Field(
        default=None,
        ge=1,
        le=MAX_RATE,
        description="Requests a minute for a user's signed-in browsers together, which do not count"
        " for REMEM_USER_RATE_LIMIT; ten times REMEM_RATE_LIMIT if absent.",
    )
    registration: bool | None = Field(
        default=None,
        description="Whether anyone who reaches the server may register; if absent, only while it"
        " is reachable from this machine alone.",
    )
    sign_in_limit: int = Field(
        default=30,
        ge=1,
        le=MAX_RATE,
        description="Passwords a minute that may be tried from one address.",
    )
    registration_limit: int = Field(
        default=20,
        ge=1,
        le=MAX_RATE,
        description="Accounts a minute that may be registered from one address.",
    )
    max_connections: int = Field(
        default=1_000,
        ge=16,
        description="Connections at once; fewer where the limit of open files leaves no room.",
    )
    header_timeout_s: float = Field(
        default=10, gt=0, description="Seconds in which the headers of a request must arrive."
    )
    idle_timeout_s: float = Field(
        default=15, ge=1, description="Seconds a connection may be idle between two requests."
    )
    stop_delay_s: float = Field(
        default=0,
        ge=0,
        le=300,
        description="Seconds the server still serves after it was asked to stop, while its health"
        " check reports that it is stopping.",
    )
    stall_timeout_s: float = Field(
        default=30,
        gt=0,
        description="Seconds in which more of a request body must arrive, or a client must read"
        " more of a response.",
    )
    max_body_bytes: int = Field(
        default=10_000_000, ge=1_000, description="The largest request body accepted, in bytes."
    )
    max_upload_bytes: int = Field(
        default=100_000_000, ge=1_000, description="The largest file accepted, in bytes."
    )
    max_import_bytes: int = Field(
        default=20_000_000_000, ge=1_000, description="The largest import file accepted, in bytes."
    )
    mcp_hosts: list[str] = Field(
        default_factory=list,
        description="The former name of REMEM_ALLOWED_HOSTS; still read.",
    )
    fetch_private: list[HostOrNetwork] = Field(
        default_factory=list,
        description="Hosts or networks on private addresses that may be fetched, as JSON.",
    )
    folders: list[Path] = Field(
        default_factory=list,
        description="Folders of this machine that may be connected and read, as JSON.",
    )
    github_url: HttpAddress = Field(
        default="https://api.github.com",
        description="The base address of GitHub's API; another one for GitHub Enterprise.",
    )
    service_urls: dict[str, HttpAddress] = Field(
        default_factory=dict,
        description="Other base addresses of services that are connected, by name, as JSON.",
    )
    secret_keys: SecretStr | None = Field(
        default=None,
        description="Keys that credentials of connections are sealed with, in base64, the newest"
        " last; a file in the data folder if absent.",
    )
    min_free_bytes: int = Field(
        default=100_000_000,
        ge=0,
        description="Free space of the data folder's disk below which /health says it is full.",
    )
    extract_processes: int = Field(
        default=2, ge=1, description="How many files are read at once, each in its own process."
    )
    analysis_processes: int = Field(
        default=2,
        ge=0,
        description="How many texts are analysed at once, each in its own process of about"
        " 60 MB; 0 analyses in a thread of the server.",
    )
    analysis_seconds: float = Field(
        default=5.0,
        gt=0,
        description="Processor seconds the analysis of a short text may take; longer texts get"
        " more. After that the text is kept and found by its words.",
    )
    worker: bool = Field(
        default=True, description="Whether `remem serve` also works on queued jobs."
    )
    worker_concurrency: int = Field(
        default=4, ge=2, description="How many jobs one worker runs at once."
    )
    reader: bool = Field(
        default=True,
        description="Whether the model that reads results and statements is used; `best` is"
        " `balanced` without it.",
    )
    distil: bool = Field(
        default=True, description="Whether memories are distilled from what is saved."
    )
    record_sessions: bool = Field(
        default=True,
        description="Whether questions and searches of agents are recorded as sessions.",
    )
    session_days: int = Field(
        default=180,
        ge=0,
        description="Days without activity after which an automatically recorded session is erased;"
        " 0 keeps all.",
    )
    metrics_key: SecretStr | None = Field(
        default=None, description="The key that GET /metrics requires; no metrics there if absent."
    )
    metrics_port: int | None = Field(
        default=None,
        ge=0,
        le=65_535,
        description="A separate port for the metrics of this process; none if absent.",
    )
    metrics_host: str = Field(default="127.0.0.1", description="The address that port listens on.")
    traces: bool = Field(
        default=False, description="Whether traces are sent by OpenTelemetry (OTEL_ variables)."
    )
    log_format: Literal["text", "json"] = Field(
        default="text", description="Log lines for people, or for programs."
    )
    log_file: Path | None = Field(
        default=None,
        description="A file that log lines and errors are written to; a new one begins at 10 MB,"
        " and the last five are kept.",
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="The least serious log line that is written."
    )

    @field_validator("public_url")
    @classmethod
    def _check_public_url(cls, value: str | None) -> str | None:
        return None if value is None else normalize_public_url(value)

    @property
    def public_path(self) -> str:
        """The path that a proxy publishes this server below, such as /remem; usually empty."""
        return urlsplit(self.public_url or "").path

    @property
    def owner_key_path(self) -> Path:
        return self.data_dir / "owner.key"

    @property
    def secret_keys_path(self) -> Path:
        return self.data_dir / "secret-keys.json"

    @property
    def all_allowed_hosts(self) -> list[str]:
        return [*self.allowed_hosts, *self.mcp_hosts]

    @property
    def is_exposed(self) -> bool:
        """Whether other machines can reach the server, directly or by a proxy."""
        public = urlsplit(self.public_url).hostname if self.public_url else None
        proxied = self.trust_proxy or bool(self.trusted_proxies)
        return proxied or not is_loopback(self.host) or not is_loopback(public or "localhost")

    @property
    def max_user_requests(self) -> int:
        return self.user_rate_limit or USER_KEYS * self.rate_limit

    @property
    def max_browser_requests(self) -> int:
        """Higher than for keys: a page sends a request per keystroke, and one for each part of
        it."""
        return self.browser_rate_limit or BROWSER_KEYS * self.rate_limit

    @property
    def is_registration_open(self) -> bool:
        return not self.is_exposed if self.registration is None else self.registration


def is_loopback(host: str) -> bool:
    """Whether a host name or address is this machine only."""
    try:
        address = ip_address(host)
    except ValueError:
        return host.lower() == "localhost"
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback
