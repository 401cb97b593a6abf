"""The table of a port's adapters: the class of each, and the settings it is built from."""

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from remem.core.errors import CannotStart

# Of settings that an adapter requires.
_EXAMPLES = {
    "llm_model": "llama3.1",
    "embedding_model": "nomic-embed-text",
    "ocr_model": "gpt-4o-mini",
    "asr_model": "whisper-1",
    "smtp_from": "remem@example.org",
    "qdrant_url": "http://127.0.0.1:6333",
}


@dataclass(frozen=True, slots=True)
class Adapter:
    """One implementation of a port. Its module is imported when the adapter is built.

    `settings` maps each constructor argument to the setting that has its value. `required` lists
    the settings without which it cannot start; `defaults` has values for optional settings.
    `key_variable` is the environment variable of the vendor's own key: it is used when the adapter
    uses the vendor's own address, the default one, and no other key is set. `program` is a command
    that must be installed, `package` a package that an extra of remem installs. `shares` lists the
    constructor arguments that are other adapters of the process. `checks` maps settings to
    functions that raise CannotStart for a wrong value. `reads` says which languages or scripts a
    model reads or hears."""

    target: str
    about: str
    settings: Mapping[str, str] = field(default_factory=dict)
    required: tuple[str, ...] = ()
    defaults: Mapping[str, str | int] = field(default_factory=dict)
    key_variable: str | None = None
    program: str | None = None
    package: str | None = None
    shares: tuple[str, ...] = ()
    checks: Mapping[str, str] = field(default_factory=dict)
    reads: str = ""

    def arguments(self, settings: object) -> dict[str, Any]:
        """Return the constructor arguments. Raises CannotStart when a requirement is missing."""
        self._check(settings)
        values = {argument: self._value(settings, name) for argument, name in self.settings.items()}
        if self.key_variable and not values.get("api_key") and self.is_at_default(settings):
            values["api_key"] = os.environ.get(self.key_variable)
        return values

    def make(self, settings: object, **shared: object) -> Any:
        adapters = {name: shared[name] for name in self.shares}
        return load(self.target)(**self.arguments(settings), **adapters)

    def _check(self, settings: object) -> None:
        for name in self.required:
            if not getattr(settings, name):
                variable = f"REMEM_{name.upper()}"
                raise CannotStart(
                    f"{variable} is not set; {self.about} needs it, for example"
                    f" {variable}={_EXAMPLES.get(name, '...')}.",
                    code=name,
                )
        if self.program and shutil.which(self.program) is None:
            raise CannotStart(f"The program {self.program} is not installed; install it.")
        if self.package and find_spec(self.package) is None:
            extra = self.package.replace("_", "-")
            raise CannotStart(f"{extra} is not installed: run `pip install 'remem[{extra}]'`.")
        for name, target in self.checks.items():
            load(target)(self._value(settings, name))

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
    """Import the class or function at `module:name`."""
    module, _, name = target.partition(":")
    return getattr(import_module(module), name)
