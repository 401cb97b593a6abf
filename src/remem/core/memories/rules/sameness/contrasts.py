"""Words that are close in meaning and never mean the same: opposites, and members of one group.

"Breakfast" and "lunch" are members of a group, "buy" and "sell" opposites."""

from remem.core.language.words import stem

_OPPOSITES = """
start finish|start end|begin end|begin finish|start stop|open close|win lose|buy sell|lend borrow
send receive|give take|give get|arrive leave|arrive depart|enter leave|enter exit|join leave
pass fail|accept reject|accept decline|accept refuse|approve reject|allow deny|allow forbid
include exclude|add remove|import export|push pull|teach learn|increase decrease|raise lower
rise fall|grow shrink|love hate|like dislike|enable disable|lock unlock|connect disconnect
install uninstall|upload download|encrypt decrypt|hire fire|marry divorce|remember forget
find lose|keep lose|keep discard|save delete|create delete|create destroy|build destroy
attack defend|ask answer|cause prevent|support oppose|gain lose|spend earn|spend save|fill empty
freeze thaw|fasten loosen|hide show|laugh cry|live die|born die|wake sleep|work rest|break repair
left right|east west|north south|front back|inside outside|indoors outdoors|near far|here there
early late|earlier later|hot cold|warm cool|big small|large small|tall short|long short|high low
thick thin|wide narrow|heavy light|fast slow|quick slow|strong weak|hard soft|hard easy
difficult easy|rich poor|old new|old young|good bad|better worse|best worst|happy sad|clean dirty
wet dry|full empty|safe dangerous|true false|right wrong|same different|cheap expensive
public private|internal external|local remote|manual automatic|minimum maximum|ascending descending
odd even|male female|man woman|boy girl|husband wife|king queen|guest host|buyer seller
landlord tenant|employer employee|student teacher|doctor patient|lender borrower|winner loser
morning evening|day night|daily weekly|daily monthly|weekly monthly|weekly yearly|monthly yearly
weekday weekend|breakfast dinner|breakfast lunch|lunch dinner|arrival departure|entrance exit
question answer|friend enemy|top bottom|upper lower|beginning end|positive negative|plus minus
alive dead|awake asleep|present absent|guilty innocent|legal illegal|visible hidden|loud quiet
deep shallow|smooth rough|tight loose|sharp blunt|fresh stale|raw cooked|sweet bitter|sweet sour
"""
_GROUPS = """
my your his her their our its
he she they it we you
sister brother mother father mom dad mum aunt uncle cousin niece nephew son daughter grandmother
 grandfather grandma grandpa wife husband partner girlfriend boyfriend friend colleague neighbour
 neighbor boss
staging production development testing sandbox local preview canary
kitchen bathroom bedroom hallway garage basement attic garden balcony cellar office
client server frontend backend database cache queue worker api
read write delete update create list
cat dog horse rabbit hamster bird fish parrot
breakfast lunch dinner supper brunch
bus train tram car bike bicycle plane ferry taxi
bread butter cheese milk egg rice pasta meat chicken beef pork salmon tofu
apple pear orange banana lemon cherry plum grape
guitar piano violin cello drums flute trumpet
football tennis hockey basketball chess golf rugby cricket swimming running cycling
head neck shoulder arm elbow hand knee ankle foot back
second minute hour day week month year decade
euro dollar pound franc krone yen
metre meter kilometre kilometer mile foot inch centimetre centimeter
gram kilogram pound ounce litre liter
"""


def _pairs(lines: str) -> frozenset[frozenset[str]]:
    """The pairs, also in the comparative and the superlative: "bigger", "smaller"."""
    pairs = [pair.split() for line in lines.strip().splitlines() for pair in line.split("|")]
    degrees = [
        (_with_degree(a, ending), _with_degree(b, ending))
        for a, b in pairs
        for ending in ("er", "est")
    ]
    return frozenset(frozenset((stem(a), stem(b))) for a, b in (*pairs, *degrees))


def _with_degree(word: str, ending: str) -> str:
    if word.endswith("e"):
        return word + ending[1:]
    if word.endswith("y") and word[-2] not in "aeiou":
        return word[:-1] + "i" + ending
    doubles = len(word) <= 4 and word[-1] not in "aeiouwxy" and word[-2] in "aeiou"
    doubles = doubles and (len(word) < 3 or word[-3] not in "aeiou")
    return word + word[-1] * doubles + ending


def _groups(lines: str) -> dict[str, frozenset[int]]:
    groups: dict[str, set[int]] = {}
    for number, line in enumerate(lines.replace("\n ", " ").strip().splitlines()):
        for word in line.split():
            groups.setdefault(stem(word), set()).add(number)
    return {word: frozenset(numbers) for word, numbers in groups.items()}


OPPOSITE_PAIRS = _pairs(_OPPOSITES)
# The numbers of the groups that a word is a member of, by its stem.
CONTRASTS = _groups(_GROUPS)
