"""The flags that each member sets on documents for themselves, and their SQL."""

from typing import Literal, TypeAlias

Flag: TypeAlias = Literal["unread", "favourite", "archived"]
# The column that has the users who set a flag; null is the same as nobody.
COLUMNS: dict[Flag, str] = {
    "unread": "unread_by",
    "favourite": "favourite_of",
    "archived": "archived_by",
}


def has_flag_sql(flag: Flag, alias: str = "d") -> str:
    """The condition that the caller has set a flag."""
    column = f"{alias}.{COLUMNS[flag]}"
    return f"({column} IS NOT NULL AND ((SELECT bound_user()) = ANY({column})) IS TRUE)"


def flags_sql(alias: str = "d") -> str:
    """The flags that the caller has set, as an array of text."""
    cases = (f"CASE WHEN {has_flag_sql(flag, alias)} THEN '{flag}' END" for flag in COLUMNS)
    return f"array_remove(ARRAY[{', '.join(cases)}], NULL)"


def own_flags_sql(alias: str, user: str = "(SELECT bound_user())") -> str:
    """A JSON object of the columns with nobody but the caller in them."""
    pairs = (
        f"'{column}', CASE WHEN {has_flag_sql(flag, alias)} THEN jsonb_build_array({user}) END"
        for flag, column in COLUMNS.items()
    )
    return f"jsonb_build_object({', '.join(pairs)})"
