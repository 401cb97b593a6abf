"""The definition of the service: the program, its environment, and when to restart it."""

import plistlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

FIRST_PAUSE_S = 2
LONGEST_PAUSE_S = 120
# Longer than the server takes to finish requests and jobs.
STOP_S = 60

_UNIT = """\
[Unit]
Description=remem, the memory of a person and of their AI assistants
# Restarts are slowed down below, and never given up.
StartLimitIntervalSec=0

[Service]
ExecStart={command}
{environment}
Restart=on-failure
RestartSec={first}
# Each restart waits longer; systemd before 254 ignores these two lines.
RestartSteps=8
RestartMaxDelaySec={longest}
KillMode=mixed
TimeoutStopSec={stop}

[Install]
WantedBy=default.target
"""


@dataclass(frozen=True, slots=True)
class Definition:
    command: Sequence[str]
    environment: Mapping[str, str]


def systemd_unit(definition: Definition) -> str:
    return _UNIT.format(
        command=" ".join(_quote(word) for word in definition.command),
        environment="\n".join(
            f"Environment={_quote(f'{name}={value}', is_command=False)}"
            for name, value in definition.environment.items()
        ),
        first=FIRST_PAUSE_S,
        longest=LONGEST_PAUSE_S,
        stop=STOP_S,
    )


def _quote(word: str, *, is_command: bool = True) -> str:
    """Quote a word for systemd, which replaces %h everywhere and $HOME in commands."""
    word = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return '"' + (word.replace("$", "$$") if is_command else word) + '"'


def launchd_agent(label: str, definition: Definition) -> str:
    """launchd waits `ThrottleInterval` seconds between two starts."""
    agent = {
        "Label": label,
        "ProgramArguments": list(definition.command),
        "EnvironmentVariables": dict(definition.environment),
        "RunAtLoad": True,
        "KeepAlive": {"SuccessfulExit": False},
        "ThrottleInterval": 10,
        "ExitTimeOut": STOP_S,
        "ProcessType": "Interactive",
    }
    return plistlib.dumps(agent, sort_keys=False).decode()
