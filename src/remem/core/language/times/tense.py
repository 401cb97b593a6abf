"""Whether a statement looks ahead or back, as far as its verbs show."""

import re

_AHEAD = re.compile(
    r"\b(?:will|won't|shall|going to|gonna|plan(?:s|ning)? (?:to|on)|planned for|scheduled"
    r"|needs? to|ha(?:ve|s) to|must|should|due(?! to\b)|(?<!tight )deadline|remind|upcoming|next"
    r"|by (?:the )?(?:end|next|tomorrow)"
    r"|tomorrow|intend(?:s)? to|expect(?:s)? to|hop(?:e|es|ing) to|want(?:s)? to|about to|let's"
    r"|looking forward|starts|begins|ends|expires|opens|leaves|arrives|takes place|is on|are on)\b"
    r"|\b\w+'ll\b|\b(?:i'm|is|are|'re|am|be) \w+ing\b|\btodo\b",
    re.IGNORECASE,
)
_PAST = (
    "was were had did went came got made took saw met bought sold told said gave found left felt"
    " began ran wrote read heard held kept brought thought spent built lost won paid sent taught"
    " caught broke chose drove flew ate drank slept grew knew spoke stood sang swam wore woke rode"
    " fell forgot led hosted threw drew rang hung hit set put cut let quit shut beat"
)
_BACK = re.compile(
    rf"\b(?:{'|'.join(_PAST.split())}|\w{{2,}}[^e\W]ed|\w+'d been"
    r"|last(?! (?:name|minute|page|line|resort|straw)s?\b)|ago)\b",
    re.I,
)
# How something is, and no event: "is called", "we're based", "a dog named Rex", "with smoked fish".
_STATE = re.compile(
    r"\b(?:is|are|am|'re|'m|be|being|a|an|the|my|our|his|her|their|your|some|of|with|in|for|at"
    r"|from|to|very|too|use|uses|like|likes|eat|eats)(?: not| also| still| now| \w{1,20}ly)?"
    r" \w{2,40}ed\b"
    r"|'s (?:called|named|based|located|married|divorced|retired|allergic|certified|interested)\b"
    r"|\b(?:an?|one|two|three) (?:[\w-]{1,30} ){1,2}(?:called|named|titled|based)\b",
    re.IGNORECASE,
)
_WHOLLY_AHEAD = re.compile(
    r"\b(?:will|going to|tomorrow|next|due(?! to\b)|(?<!tight )deadline|must|\w+'ll)\b", re.I
)


def looks_ahead(text: str) -> bool | None:
    """True ahead, False back, None when it does neither or both."""
    ahead = _AHEAD.search(text) is not None
    back = _BACK.search(_STATE.sub(" ", text)) is not None
    if ahead and back:
        return True if _WHOLLY_AHEAD.search(text) else None
    return None if ahead == back else ahead
