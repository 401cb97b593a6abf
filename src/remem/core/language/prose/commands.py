"""Lines that are typed into a terminal, and no prose."""

import re

_CHARS = 400
_LABEL = re.compile(r"^[^:\n]{1,80}:\s+(?=\S)")
_WORD = re.compile(r"\S+")
_COMMANDS = frozenset(
    "git docker docker-compose podman kubectl helm npm npx yarn pnpm pip pip3 pipx uv poetry cargo"
    " rustup sudo apt apt-get dnf pacman brew curl wget ssh scp rsync tar unzip psql pg_dump mysql"
    " sqlite3 systemctl journalctl chmod chown mkdir rmdir rm mv cp ls cd ln grep sed awk"
    " xargs export source terraform ansible-playbook aws gcloud heroku ffmpeg openssl python"
    " python3 node deno bun bundle gem rake mvn gradle ./gradlew pytest ruff tail tmux vim nano"
    " crontab kill killall ps du df mount dig nslookup ping traceroute netstat ufw iptables".split()
)
_TARGETS = re.compile(r"^make (?:clean|all|test|build|install|lint|check|run|dev|docs|release)\b")
_FLAG = re.compile(r"^--?[A-Za-z][\w-]*(?:=.*)?$")
_OPERATOR = frozenset("&& || | > >> < 2>&1 \\ ;".split())
# A line with one of these is a sentence, also where it begins with "git".
_PROSE = frozenset(
    "the an is are was were be been has have had does did will would can should must and or but"
    " because with for of to in my our your his her their it its we they he she this that these"
    " not never always when where which who likes loves wants needs".split()
)


def is_command(line: str) -> bool:
    """Also behind a label: "Undo the last commit: git reset --soft"."""
    plain = line[:_CHARS].strip().strip("`").strip()
    return _is_typed(plain) or ("`" not in line and _is_typed(_LABEL.sub("", plain, count=1)))


def _is_typed(text: str) -> bool:
    words = _WORD.findall(text.removeprefix("$ "))
    if len(words) < 2 or words[0] != words[0].lower():
        return False
    shown = any(_FLAG.match(word) or word in _OPERATOR for word in words[1:])
    if _PROSE.intersection(words[1:] if shown else words[1:4]):
        return False
    return words[0] in _COMMANDS or _TARGETS.match(text) is not None or shown
