"""How the adapters of a port are listed: where each one is, and the settings it is made of."""

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from remem.core.errors import CannotStart


@dataclass(frozen=True, slots=True)
class Adapter:
    """One way to fill a port. Its module is imported when the adapter is made.

    `settings` maps each argument of its class to the setting that has its value. `required` are
    the settings without which it cannot start, `defaults` the values of those that may be absent.
    `key_variable` is the environment variable of the vendor's own key: it is used when the adapter
    is at the vendor's own address, the default one, and has no other key. `program` is a command
    that must be installed, `package` what an extra of ours installs. `shares` are arguments that
    the other adapters of the process are."""

    target: str
    about: str
    settings: Mapping[str, str] = field(default_factory=dict)
    required: tuple[str, ...] = ()
    defaults: Mapping[str, str | int] = field(default_factory=dict)
    key_variable: str | None = None
    program: str | None = None
    package: str | None = None
    shares: tuple[str, ...] = ()

    def arguments(self, settings: object) -> dict[str, Any]:
        """The arguments of the class; raises CannotStart when something it needs is missing."""
        self._check(settings)
        given = {argument: self._value(settings, name) for argument, name in self.settings.items()}
        if self.key_variable and not given.get("api_key") and self.is_at_default(settings):
            given["api_key"] = os.environ.get(self.key_variable)
        return given

    def make(self, settings: object, **shared: object) -> Any:
        given = {name: shared[name] for name in self.shares}
        return load(self.target)(**self.arguments(settings), **given)

    def _check(self, settings: object) -> None:
        for name in self.required:
            if not getattr(settings, name):
                message = f"REMEM_{name.upper()} is not set; {self.about} needs it."
                raise CannotStart(message, code=name)
        if self.program and shutil.which(self.program) is None:
            raise CannotStart(f"The program {self.program} is not installed; install it.")
        if self.package and find_spec(self.package) is None:
            extra = self.package.replace("_", "-")
            raise CannotStart(f"{extra} is not installed: run `pip install 'remem[{extra}]'`.")

    def _value(self, settings: object, name: str) -> Any:
        value = getattr(settings, name)
        if hasattr(value, "get_secret_value"):
            return value.get_secret_value()
        return self.defaults.get(name) if value is None else value

    def is_at_default(self, settings: object) -> bool:
        return all(
            (getattr(settings, name) or default) == default
            for name, default in self.defaults.items()
            if name.endswith("_url")
        )


def load(target: str) -> Any:
    """The class or function at `module:name`."""
    module, _, name = target.partition(":")
    return getattr(import_module(module), name)
