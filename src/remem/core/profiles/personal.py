"""Whether a statement is about the user: said by them, or by somebody else with their name."""

import re
from datetime import datetime

from remem.core.identity import account
from remem.core.identity.register import has_given_name
from remem.core.language.person import is_user
from remem.core.ports import Ports
from remem.core.profiles.model import ProfileEntry
from remem.core.scope import Scope

# From Thai on, words have no spaces between them.
_FIRST_WITHOUT_SPACES = "\u0e00"


async def name_pattern(ports: Ports, scope: Scope) -> re.Pattern[str] | None:
    """The first name of the user, if they gave it."""
    user, _ = await account.who_am_i(ports, scope)
    first, *_ = user.name.split() or [""]
    if len(first) < 2 or not has_given_name(user):
        return None
    edge = r"\b" if first[0] < _FIRST_WITHOUT_SPACES else ""
    return re.compile(f"{edge}{re.escape(first)}{edge}", re.I)


def is_personal(entry: ProfileEntry, name: re.Pattern[str] | None, moment: datetime) -> bool:
    """What was due before the moment is over."""
    if entry.due_at and entry.due_at < moment:
        return False
    return is_user(entry.speaker) or bool(name and name.search(entry.content))
