"""Words that nobody files a text under: verbs, units, and what may be a secret."""

from collections.abc import Sequence

# English verbs that are seldom nouns as well.
_REGULAR = (
    "add agree allow appear appreciate arrive ask avoid belong carry contain continue cover create"
    " decide depend describe die enjoy exist expect expel explain follow happen improve include"
    " learn lose marry mention move need open pick prefer prevent provide pull realise realize"
    " receive reduce remain remember remove require save seem shelter shift show slip stay store"
    " succeed suffer suggest talk thank tend try turn visit wait want"
)
_IRREGULAR = (
    "became become becomes began begin begins bought bring brings broke brought built buy buys"
    " caught choose chooses chose chosen come comes drank drink drinks drove eat eaten eats fell"
    " felt find finds flew flies forget forgets forgot found gave get gets give given gives goes"
    " gone got grew grow grown grows had hate hates heard held hold holds keep keeps kept knew know"
    " knows leaves left lost love loves made make makes mean means meant meet meets met paid pay"
    " pays put ran read reads rode said sang sat saw say says see seen sees sell sells send sends"
    " sent sit sits sleep slept sold speak speaks spent spoke stand stands stood swam take taken"
    " takes taught tell tells think thinks thought threw told took understand understood went won"
    " wore write writes written wrote lives dies gives wants works called named based starts ends"
    " asking becoming bringing buying choosing coming feeling getting giving going happening having"
    " holding including keeping leaving looking losing making moving needing picking saying seeing"
    " sending taking telling thinking trying using wanting"
)


def _forms(verb: str) -> set[str]:
    stem = verb[:-1] if verb.endswith(("e", "y")) else verb
    third = f"{stem}ies" if verb.endswith("ry") else f"{verb}s"
    past = f"{stem}ied" if verb.endswith("ry") else f"{stem}ed"
    return {verb, third, past, f"{verb}ed"}


VERBS = frozenset(_IRREGULAR.split()).union(*map(_forms, _REGULAR.split()))
UNITS = frozenset(
    "eur euro euros usd dollar dollars gbp pound pounds chf jpy yen cent cents km kg mg ml cm mm"
    " kb mb gb tb hz khz mhz ghz kwh kw wh lb lbs oz ft min mins hr hrs sec secs am pm metre metres"
    " meter meters mile miles gram grams litre litres liter liters percent degree degrees number"
    " numbers nr qty total one two three four five six seven eight nine ten twelve hundred thousand"
    " million billion half dozen mondays tuesdays wednesdays thursdays fridays saturdays"
    " sundays".split()
)
_SECRETS = frozenset(
    "password passwords passphrase passphrases passcode passwort kennwort contraseña senha pin pins"
    " puk iban bic cvv cvc token tokens secret secrets credential credentials login logins username"
    " passwd pwd otp mot".split()
)
_CODES = frozenset(
    "code codes key keys number numbers nr no id serial account card licence license reference"
    " ref phone tel passport kontonummer nummer schlüssel combination".split()
)
SENSITIVE = _SECRETS | (_CODES - {"no", "id", "card", "phone", "passport"})
_NEAR_SECRET, _NEAR_CODE = 6, 2
_JOINS = frozenset("is are was were the a an to of for my our its = : - \" “ ” ' `".split())


def secret_words(tokens: Sequence[str]) -> set[str]:
    """Those of a line that stand beside a word such as password, code or number, in lower case:
    they may be what it says."""
    lowered = [token.casefold() for token in tokens]
    found: set[str] = set()
    for at, word in enumerate(lowered):
        if word in _SECRETS:
            found.update(lowered[max(0, at - _NEAR_SECRET) : at + _NEAR_SECRET + 1])
        elif word in _CODES:
            found.update(_beside(lowered[at + 1 :]), _beside(lowered[:at][::-1]))
    return found


def _beside(words: Sequence[str]) -> list[str]:
    """The next few words that are not only there to join."""
    near: list[str] = []
    for word in words[: 4 * _NEAR_CODE]:
        if word in ".!?;" or len(near) == _NEAR_CODE:
            break
        if word not in _JOINS:
            near.append(word)
    return near
