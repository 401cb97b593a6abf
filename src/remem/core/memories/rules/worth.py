"""Whether a sentence is worth remembering, and as what: a table of what tells each kind."""

import re
from dataclasses import dataclass

from remem.core.memories.model import Category

WORDS_LEAST, WORDS_MOST = 3, 45
CHARS_MOST = 400
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Worth:
    category: Category
    score: float


# An adverb or two may stand between a person and their verb.
_ADV = r"(?: (?:also|really|still|always|never|just|recently|actually|absolutely|finally|already))*"
_ME = rf"\b(?:I|[Ww]e){_ADV} "
_AM = rf"\b(?:I['’]m|I am|we['’]re|we are|I['’]ve been|I have been){_ADV} "
_DONE = rf"\b(?:I|[Ww]e)(?:['’]ve| have)?{_ADV} "
# What changes a life is worth keeping undated; what else one did, with its day only.
_TURNS = (
    "moved adopted graduated married divorced retired resigned joined bought sold won founded"
    " launched enrolled published hired deployed shipped released merged signed started lost"
    " passed quit applied volunteered switched opened rescued fostered registered donated broke"
)
_DID = (
    "went finished got visited met attended ran completed organized organised hosted travelled"
    " traveled took built made painted wrote read watched received celebrated fixed presented"
    " performed participated competed learned began planted climbed hiked camped cooked baked"
    " recorded designed created gave earned landed booked injured sprained fell spoke tried picked"
    " set hung turned became used had did saw ordered renovated lived worked studied taught played"
    " named spent came left returned flew drove explored checked helped talked called sent tested"
    " reviewed discussed planned failed been done seen written gone taken given"
)
_HAVE = (
    r"(?:an? |two |three |four |five |several |\d+ )?(?:[\w-]+ ){0,2}?"
    r"(?:dogs?|cats?|pets?|kids?|child(?:ren)?|sons?|daughters?|brothers?|sisters?|allergy"
    r"|allergies|house|car|garden|degree|job|wife|husband|partner|studio|store|shop|team|company"
    r"|appointment|meeting|interview|exam|flight|deadline|collection|account|server|licen[cs]e)"
)
# Said of a mood or a resolve, not of a life.
_EMPTY = (
    "(?:feeling|thinking|hoping|trying|staying|going|getting|doing|putting|keeping|making|loving"
    "|having|figuring|pushing|looking forward|telling|saying|sending|wishing|dying|kidding|joking"
    "|talking|asking|being|starting to|missing|dreaming|enjoying|working (?:hard|on it)|hanging"
    "|sticking|giving|taking (?:it|a break|some time)|rooting|cheering|wondering|seeing|nothing"
    "|anything|something|everything|checking|digging|facing|struggling|networking"
    "|working on (?:it|for|a project))"
)
_RULES: tuple[tuple[Category, float, str], ...] = (
    ("task", 0.85, r"^(?i:to ?do|action(?: item)?|task|remind me to|reminder)\b:? "),
    ("decision", 0.9, r"^(?i:decision)\b:? "),
    ("lesson", 0.85, r"^(?i:lessons?(?: learned)?): "
                     r"|\b(?:I|[Ww]e) learned (?:that|to|the hard way)\b"),
    ("decision", 0.85, rf"{_DONE}(?:decided|agreed|chose|settled|opted|resolved) "
                       r"(?:to|on|that|for|not)\b"),
    ("decision", 0.75, r"\b[Ww]e(?:['’]re| are) going (?:with|to use|to switch)\b"
                       r"|\b[Ww]e will use\b"),
    ("preference", 0.85, rf"{_ME}(?:prefer|dislike|hate|can['’]t stand|don['’]t like|avoid"
                         r"|would rather)\b"),
    ("preference", 0.8, rf"{_ME}(?:like|love|enjoy|adore)\b|\b[Mm]y (?:all-time )?favou?rite\b"),
    ("preference", 0.75, rf"{_AM}(?:a (?:big |huge )?fan of|into|fond of|passionate about)\b"),
    ("task", 0.8, rf"{_ME}(?:need to|have to|must|should|gotta)\b"),
    ("task", 0.75, r"\b(?:is|are) due\b|\b[Dd]eadline\b"),
    ("task", 0.75, rf"(?:{_AM}(?:going to|gonna|planning (?:to|on))|{_ME}plan (?:to|on))"
                   r" (?!keep|try|do|make|be|see|stay|get|give|stick|take a shot)"),
    ("fact", 0.75, rf"{_ME}used to (?!it|be|do|have|get|think|feel)"),
    ("fact", 0.85, rf"{_ME}(?:live|work|study|speak|own|run|teach|volunteer|drive|play|use|come"
                   r" from|grew up|have lived|have worked)\b"),
    ("fact", 0.8, rf"{_ME}have {_HAVE}\b"),
    ("fact", 0.85, rf"{_AM}(?:allergic|vegan|vegetarian|married|single|divorced|engaged|pregnant"
                   r"|retired|from|based|originally|responsible|an? )\b"),
    ("fact", 0.75, rf"{_AM}(?!{_EMPTY})\w+ing\b"),
    ("fact", 0.8, r"\b[Mm]y (?:name|wife|husband|partner|son|daughter|kids?|brother|sister|mom|mum"
                  r"|dad|mother|father|dog|cat|boss|team|job|company|birthday|address|phone|email"
                  r"|hobby|goal|dream|home ?town|manager|friend|grand\w+|car|house|business|degree)"
                  r"(?:,? \w+,?)? (?:is|are|was|has|have|lives?|works?|loves?)\b"),
    ("episode", 0.8, rf"{_DONE}(?:{'|'.join(_TURNS.split())})\b(?!['’]t)"),
)  # fmt: skip
_WITH_A_DAY: tuple[tuple[Category, float, str], ...] = (
    ("task", 0.75, r"\b(?:I|[Ww]e)(?:['’]ll| will)(?! never| always| keep| try)\b"),
    ("task", 0.75, rf"{_AM}(?:going|having|starting|leaving|signing|meeting|flying)\b"),
    ("task", 0.75, rf"{_ME}have (?:an?|my|the|some|two|three) "),
    ("episode", 0.8, rf"{_DONE}(?:{'|'.join(_DID.split())})\b(?!['’]t)"),
)
# What is said of a thing by its name: common in notes, too common in anything longer.
_NO_NAME = (
    "(?!(?:Every|Some|Any|No)(?:thing|one|body|where)\\b|(?:People|Things|Life|Time|What|Who|Which"
    "|When|Where|How|Why|Most|Many|Some|All|Both|Each|Such|Other|Another|Today|Now|Then)\\b)"
)
_IN_NOTES: tuple[tuple[Category, float, str], ...] = (
    ("fact", 0.65, rf"^(?:The |Our )?{_NO_NAME}[A-Z][\w.'’/-]*(?: [\w.'’/-]+){{0,3}}? (?:is|are|was"
                   r"|were|has|uses|runs|lives|works|prefers|likes|costs|starts|ends|belongs"
                   r"|supports|requires|needs|moved|speaks|owns|leaves|expires|takes place)\b"),
    ("fact", 0.65, r"^(?:Our|The) [\w -]{2,40} (?:is|are|runs|uses|costs|starts|ends|expires)\b"),
)  # fmt: skip
# One of these is in whatever a rule could take; most sentences of a text have none.
_HINT = re.compile(
    r"\b(?:I|[Ww]e|[Mm]y|due|[Dd]eadline)\b"
    r"|^(?i:to ?do|action|task|remind|decision|lesson)"
)
_NOTES_HINT = re.compile(
    r"\b(?:is|are|was|were|has|uses|runs|lives|works|prefers|likes|costs|starts|ends|belongs"
    r"|supports|requires|needs|moved|speaks|owns|leaves|expires|takes)\b"
)
_TABLE = tuple((kind, score, re.compile(pattern)) for kind, score, pattern in _RULES)
_DATED = tuple((kind, score, re.compile(pattern)) for kind, score, pattern in _WITH_A_DAY)
_NOTED = tuple((kind, score, re.compile(pattern)) for kind, score, pattern in _IN_NOTES)
BEGINS_AS_DONE = frozenset((_TURNS + " " + _DID).split()) - {"set", "read", "been", "done", "seen"}

_QUESTION = re.compile(r"[?？]")
_UNSAID = re.compile(
    r"\b(?:if|unless|maybe|perhaps|might|would|could|wish|guess|suppose|imagine|wonder|probably"
    r"|not sure|I think|I feel|I felt|I hope|I believe|I bet|I mean|I know|I knew|I see|I agree"
    r"|I understand|I appreciate|I doubt|I'm sure|I’m sure|can't wait|can’t wait|let me|let's"
    r"|let’s|looking forward|kidding|joking|remember when|as an ai|language model)\b",
    re.IGNORECASE,
)
_MOOD = re.compile(
    r"\b(?:I['’]m|I am|we['’]re|I was|we were|I['’]ve been)"
    r"(?: \w+){0,2}? (?:glad|happy|excited|proud|sorry|sad|thrilled|stoked|grateful|thankful|okay"
    r"|ok|fine|good|great|well|sure|here|there|back|ready|amazed|blown|touched|honored|lucky|blessed"
    r"|impressed|pumped|nervous|scared|curious|swamped|busy|tired|afraid|interested)\b",
    re.IGNORECASE,
)
_IDLE = re.compile(
    r"\b(?:I|[Ww]e)(?:['’]ve| have)?(?: \w+)?? (?:love (?:it|that|this|how|your|hearing|seeing)"
    r"|(?:like|likes|love|loves) the (?:idea|acting|way|look|vibe|feel|feelings?|thought|fact|sound"
    r"|colou?rs?|connection|part)|love getting"
    r"|like (?:it|that|this|your)|enjoy (?:it|that|this)|got (?:it|you|this|that|to|your)"
    r"|had (?:a|an) (?:great|good|amazing|awesome|wonderful|lovely|blast|fun)|saw (?:it|that|your)"
    r"|did (?:it|that)|made it|took (?:it|a look|a break)|used to it|had to|had fun|had no"
    r"|read your|tried (?:it|that)"
    r"|been (?:great|good|busy|there|a while|so|thinking|meaning|up))\b",
    re.IGNORECASE,
)
_RESOLVE = re.compile(
    r"\b(?:give up|giving up|(?:try|do|doing) my best|work(?:ing)? hard|dreams?|keep going"
    r"|make it (?:a success|happen|work)|pushing forward|means a lot|so far|worth it|each other"
    r"|stay(?:ing)? (?:positive|strong|optimistic|true|focused)|it['’]s important"
    r"|ma[dk](?:e|ing) an? (?:\w+ )?(?:difference|impact)"
    r"|a lot of (?:fun|things|stuff|effort))\b",
    re.IGNORECASE,
)
_YOU = re.compile(r"\b(?:you|your|yours|yourself|y'all|ya|u)\b", re.IGNORECASE)
_POINTS = re.compile(
    r"\b(?:this|that|these|those)\b(?! (?:week|weekend|month|year|morning|afternoon|evening|night"
    r"|summer|winter|spring|fall|autumn|coming|past|mon|tues|wednes|thurs|fri|satur|sun))",
    re.IGNORECASE,
)
_JOINS = re.compile(
    r"\b(?:so|such|say|said|says|know|knew|learned|decided|agreed|realized|realised|found|shows?"
    r"|means?|ensure|sure|prefer|told me|thing|things|one|ones|\w+s|\w+y|\w+n|\w+t|\w+r) that\b"
    r" (?:I|we|the|a|an|my|our|it|he|she|they|is|are|was|has|have|helps?|makes?|\w+s)\b",
    re.IGNORECASE,
)
_SOMEBODY = re.compile(
    r"\b(?:it|its|he|she|him|her|his|hers|they|them|their|theirs|one|there|here)\b", re.IGNORECASE
)
_NAMED_BEFORE = re.compile(
    r"(?:\b(?:an?|the|my|our|some|two|three|\d+) (?:[\w-]+ ){0,3}?[\w-]{3,}|(?<=[a-z] )[A-Z]\w+)"
)
_ELLIPTIC = re.compile(
    r"^(?:and|but|so|or|also|plus|because|then|which|who|like|yeah|yes|no|sure|same|too|been|gotta)\b",
    re.IGNORECASE,
)
_TRAILS = re.compile(
    r"(?:\b(?:too|as well|though|so|either|then|again|myself|lately|ever since|one|it|them|do so)"
    r"|[:,…])[.!]*+$|(?<![.!])(?=[.!]*+$)[.!]*?\.\.\.",
    re.IGNORECASE,
)
_ORDERS = re.compile(
    r"^(?:please|write|explain|show|give|tell|help|make|summari[sz]e|translate|generate|create|list"
    r"|find|fix|check|look|try|note that|click|see|read|follow|ignore|remember|act|respond|answer"
    r"|provide|describe|use|do not|don['’]t|never|always|ensure)\b",
    re.IGNORECASE,
)


def weigh(sentence: str, *, dated: bool, noted: bool = False) -> Worth | None:
    """What kind of statement a plain sentence is, from 0 to 1 how sure; None when it is none.

    `dated` says that it tells a time, `noted` that somebody noted it down for themselves."""
    told = (*_TABLE, *(_DATED if dated else ())) if _HINT.search(sentence) else ()
    table = (*told, *(_NOTED if noted and _NOTES_HINT.search(sentence) else ()))
    return next((Worth(kind, score) for kind, score, rule in table if rule.search(sentence)), None)


def is_plain(sentence: str) -> bool:
    """Whether it says something, and stands alone: what most sentences fail, and soonest."""
    return _says_something(sentence) and _stands_alone(sentence)


def _says_something(sentence: str) -> bool:
    words = len(_WORD.findall(sentence))
    if not WORDS_LEAST <= words <= WORDS_MOST or len(sentence) > CHARS_MOST:
        return False
    barred = (_QUESTION, _UNSAID, _MOOD, _IDLE, _RESOLVE, _YOU)
    return not any(rule.search(sentence) for rule in barred)


def _stands_alone(sentence: str) -> bool:
    """Whether everything it speaks of is named in it."""
    if _ELLIPTIC.match(sentence) or _TRAILS.search(sentence) or _ORDERS.match(sentence):
        return False
    if any(not _joins(sentence, found) for found in _POINTS.finditer(sentence)):
        return False
    return all(
        _NAMED_BEFORE.search(sentence, 0, found.start()) for found in _SOMEBODY.finditer(sentence)
    )


def _joins(sentence: str, found: re.Match[str]) -> bool:
    """ "A group that helps people": it joins two clauses, and points at nothing."""
    if found[0].lower() != "that":
        return False
    return any(
        join.start() <= found.start() < join.end()
        for join in _JOINS.finditer(sentence[: found.end() + 40])
    )
