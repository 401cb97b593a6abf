"""The words by which a sentence is weighed."""


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


SPEAKERS = _set("i we")
OWN = _set("my our mine ours")
PEOPLE = _set(
    "wife husband partner girlfriend boyfriend fiance fiancee spouse son daughter kid kids child"
    " children baby brother sister sibling siblings mom mum dad mother father parents grandma"
    " grandpa grandmother grandfather uncle aunt cousin niece nephew friend friends roommate"
    " neighbor neighbour boss manager colleague coworker teacher doctor dentist therapist team"
    " client landlord dog cat puppy kitten pet pets family fam twins ex"
)
# "My shop is open", "my go-to", "my favourite": what one has, and what one likes.
BELONGS = _set("is are was were 's has favourite favorite fave go-to birthday name job home")
ADVERBS = _set(
    "also really still always never just recently actually absolutely finally already even only"
    " usually often sometimes currently now both all then soon mostly normally generally typically"
    " definitely totally truly certainly probably kinda even first originally previously once"
    " simply mainly not do did does have has had been be am are is was were 've 'm 're 'll 'd"
    " will would can could should may might must going gonna to"
)
# What one thinks or feels at the moment says little of a life.
MENTAL = _set(
    "think thought guess suppose hope wish wonder mean see understand agree believe bet feel felt"
    " appreciate imagine know knew doubt say said tell told ask asked hear heard promise swear"
    " admit assume expect remember forget forgot wondering thinking hoping feeling guessing asking"
    " saying talking sure glad happy sorry excited thrilled proud grateful thankful stoked pumped"
    " amazed honored blessed touched impressed curious keep keeping"
)
# What lasts: who somebody is, what they have, like, do again and again.
LASTING = _set(
    "live lives living work works working own owns have has having study studies studying speak"
    " speaks play plays playing use uses using drive drives drink drinks eat eats cook cooks"
    " run runs teach teaches train trains volunteer volunteers collect collects read reads write"
    " writes paint paints practice practise practices prefer prefers like likes love loves enjoy"
    " enjoys hate hates dislike dislikes avoid avoids adore adores want wants need needs plan plans"
    " belong belongs cost costs weigh weighs measure measures support supports require requires"
    " deploy deploys contain contains serve serves start starts end ends open opens close closes"
    " leave leaves arrive arrives expire expires include includes host hosts meet meets attend"
    " attends go goes walk walks swim swims bike hike hikes camp camps sing sings dance dances"
    " listen watch watches follow follows keep keeps take takes wear wears pay pays earn earns rent"
    " rents stay stays grow grows raise raises breed breeds breaks believe believes manage manages"
    " lead leads"
)
STATES = _set(
    "allergic vegan vegetarian married single divorced engaged pregnant retired fluent based born"
    " certified diagnosed responsible intolerant diabetic related named called located due"
    " scheduled passionate obsessed into fan from trans transgender gay lesbian"
    " religious nonbinary bilingual self-employed unemployed adopted afraid"
)
AUXILIARIES = _set("'m am is are was were 's 're be been 've have has had")
# Forms of the past that do not end in -ed.
PAST = _set(
    "went came got made took saw met bought sold gave found left began ran wrote heard held kept"
    " brought spent built lost won paid sent taught caught broke chose drove flew ate drank slept"
    " grew spoke stood sang swam wore woke rode fell led threw drew hung hit set put cut quit shut"
    " beat fought hurt became had did read built dealt fed bit dug stuck was were been gone done"
    " seen written taken given rose stole sank shook"
)
# Past forms that are orders as well: "Read the post".
BASE_FORMS = _set("read set put cut hit let quit shut hurt beat")
NOT_PAST = _set("need feed speed indeed seed weed breed red bed hundred exceed succeed proceed")
IMPERATIVES = _set(
    "use make capture focus keep stay have find get take be never always go do think don't remember"
    " put add set start stop learn bring build work believe enjoy join check just wishing hope try"
    " avoid ask embrace follow share trust invest let give"
)
ELIDED = _set("been gonna just started currently working")
PLAN = _set("gonna planning plan plans intend decided deciding applying researching signed booked")
PRAISE = _set(
    "great good awesome amazing nice cool fun wonderful lovely fantastic incredible beautiful cute"
    " sweet perfect special important powerful inspiring rewarding tough hard worth happy proud"
    " excited glad blessed thankful grateful joy positive motivation motivated keep"
    " going dream dreams goals journey hope strength passion passionate energy vibe vibes blast"
    " moments memories life things stuff lot lots way ways time times thing something anything"
    " everything nothing one ones people bit kind sort feeling feelings experience idea part"
    " interesting exciting delicious breathtaking stunning cozy classic iconic winner effect"
    " kindness beauty story inspired few couple plans fascinating helpful useful better best"
    " difference progress"
)
FUNCTION = _set(
    "a an the and or but so if then than that this these those it its it's he she they them him her"
    " his their there here who which what when where why how i me my mine we us our you your yours"
    " is are was were be been being am do does did done have has had having will would can could"
    " should may might must to of in on at by for with from about into over after before as up down"
    " out off just really very too also not no yes all any some more most much many such even only"
    " same other another again ever still i'm i've i'll i'd we're we've we'll we'd that's"
    " there's they're don't didn't can't won't isn't aren't wasn't doesn't couldn't wouldn't let's"
    " get got getting go going like because while during since until through between around back"
    " well now today lately recently last next week weeks weekend month months year years day days"
    " night yesterday tomorrow morning evening haven't hasn't hadn't ever"
)
REFERS = _set("it it's its he she they them him he's she's they're his her their")
POINTS = _set("this that these those that's here there there's such")
NUMERALS = _set(
    "two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred"
    " thousand million dozen twice first second third weekly daily monthly every once"
)
NOT_NAMES = _set("I I'm I've I'll I'd I’m I’ve I’ll I’d OK Ok")
CALENDAR = _set(
    "morning afternoon evening night day week weekend month year spring summer autumn fall winter"
    " season semester term quarter monday tuesday wednesday thursday friday saturday sunday past"
    " last coming days weeks months years january february march april may june july august"
    " september october november december christmas easter time"
)
