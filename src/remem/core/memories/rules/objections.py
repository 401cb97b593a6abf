"""Patterns that speak against storing a sentence: questions, requests, small talk, moods, guesses.

`worth.score_sentence` subtracts the penalties: "Could you help me?" is never stored (`NEVER`),
"I might paint the fence" loses 2 points."""

import math
import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Objection:
    """A pattern and its penalty; a sentence with a penalty of `NEVER` is never stored.

    A match after the first clause costs at most `max_late_points`. `at_start` patterns match only
    at the beginning of the sentence."""

    points: float
    pattern: re.Pattern[str]
    max_late_points: float = math.inf
    at_start: bool = False

    def penalty(self, sentence: str) -> float:
        find = self.pattern.match if self.at_start else self.pattern.search
        match = find(sentence)
        if not match:
            return 0.0
        return (
            min(self.points, self.max_late_points)
            if match.start() > _FIRST_CLAUSE_CHARS
            else self.points
        )


NEVER = math.inf
_FIRST_CLAUSE_CHARS, _MAX_LATE_POINTS = 40, 1.5


_BREAKS_OFF = re.compile(r"(?:\b(?:too|as well|either|then|myself|etc)|[:,…])[.!]{0,3}$", re.I)
# "I'm a huge fan": of what?
_UNNAMED = re.compile(
    r"\b(?:fan|into|obsessed|passionate|afraid|allergic|interested)[.!]{0,3}$", re.I
)
_POINTS_BACK = re.compile(
    r"\b(?:about|of|with|to|for|from|on|at|into|in|by) (?:it|that|this|them|those)"
    r"(?: (?:lately|recently|now|today|already|yet|again|myself|as well|too))?[.!]{0,3}$"
    r"|\b(?:this|that) (?:app|genre|movie|film|show|book|song|game|place|one|photo|picture|series"
    r"|recipe|dish|piece|band|artist|kind|type|event|experience|project|perspective|approach)\b",
    re.I,
)
_MOOD_OF_A_PLACE = re.compile(
    r"(?:the|our|that|this)(?: [a-z'’-]+){0,3} (?:energy|atmosphere|room|crowd|vibe|mood|event"
    r"|views?|air|tone|place|scenery|experience|feeling)(?: (?:in|at|of|from) [a-z ]{1,30}?)?"
    r" (?:was|were|is|are|felt)"
    r"(?: (?:so|really|just|very|super|pretty|absolutely))* (?!in\b|at\b|on\b|held\b)[a-z-]+"
    r"(?:[.!,]| (?:and|with|-) )",
    re.I,
)
# "The Eiffel Tower is so cool!"
_PRAISE = re.compile(
    r"(?!I\b|we\b|my\b|our\b)[^,;.!?]{2,60} (?:is|are|was|were|looks?)"
    r" (?:so|really|such an?|just|super|pretty|very|truly) (?:cool|amazing|awesome|great|good|fun"
    r"|nice|beautiful|cute|lovely|inspiring|special|important|incredible|delicious|interesting)"
    r"[.!]{1,3}$",
    re.I,
)
_ME = r"(?:I['’]m|I am|I was|we['’]re|we are|we were|I['’]ve been)"
_ALSO = (
    r"(?: (?:just|also|still|now|currently|actually|really|particularly|especially|pretty|so|very"
    r"|super|all|quite|always|a bit|a little|kind of)){0,3}"
)


def _any(points: float, *phrases: str) -> Objection:
    """One of the phrases anywhere in the sentence, as whole words."""
    return Objection(points, re.compile(rf"\b(?:{'|'.join(phrases)})\b", re.I), _MAX_LATE_POINTS)


def _first(points: float, *phrases: str) -> Objection:
    """One of the phrases at the beginning of the sentence."""
    return Objection(points, re.compile(rf"(?:{'|'.join(phrases)})\b", re.I), at_start=True)


OBJECTIONS = (
    Objection(NEVER, re.compile(r"[?？]")),
    # Requests to an assistant, or to any listener.
    _any(NEVER, "(?:can|could|would|will|do|did|have|are) you", "please", "let me know", "tell me",
         "give me", "show me", "help me", "remind me (?:of|what|how|about)", "explain", "let['’]s",
         "let me", "recommend(?:ations?)?", "suggest(?:ions?)?", "any (?:tips|advice|ideas)"),
    _any(NEVER, f"{_ME}{_ALSO} (?:looking (?:for|to|at|into)|wondering|curious|seeking|asking"
                "|unsure|not sure|open to|considering|hoping (?:you|to|for|that)"
                "|thinking (?:about|of|that|maybe))"),
    _any(NEVER, f"{_ME}{_ALSO} (?:trying to (?:find|figure|decide|understand|get|learn|remember"
                "|come up)|interested in (?:learning|knowing|hearing|trying|exploring|finding"
                "|getting))"),
    _any(NEVER, "I['’]d (?:like|love|prefer|appreciate|rather|be|say|also|really)",
         "I would (?:like|love|appreciate|also|be)"),
    _any(NEVER, "(?:need|want|could use)(?: some| a few| your| more)?(?: [a-z]+)? (?:help|advice"
                "|suggestions?|recommendations?|information|ideas|tips|assistance|to know|you to)"),
    _first(NEVER, "please", "write", "explain", "show", "give", "tell", "help", "summari[sz]e",
           "translate", "generate", "create", "list", "find", "fix", "check out", "look", "try",
           "click", "see", "follow", "ignore", "act", "respond", "answer", "provide", "describe",
           "imagine", "consider", "assume", "rewrite", "edit", "continue", "compare"),
    # Small talk, and phrases of assistants.
    _any(NEVER, "as an ai", "language model", "can['’]t wait", "looking forward", "good luck",
         "congrats", "congratulations", "take care", "see you", "talk (?:soon|later)", "cheers",
         "keep (?:it up|going|me|up)", "thanks", "thank you", "no (?:worries|problem)", "kidding",
         "joking", "remember when", "you know what", "sounds? (?:like|good|great|fun|amazing)"),
    _first(NEVER, "(?:written|posted|published|edited|reviewed|updated|translated) (?:by|on)"),
    # Openings of a conversation, and replies to what the other person just said.
    _any(NEVER, "(?:want(?:ed)?|had|have|need(?:ed)?|meant) to (?:check in|say|share|tell|thank"
                "|mention|touch base|follow up|catch up|reach out)", "(?:love|happy) to help",
         "as (?:a|the|an) (?:user|assistant)", "so much has"),
    _any(NEVER, "(?:did not|didn['’]t|never) (?:know|knew|realize|realise)(?:d)?",
         "had no idea", "good to know", "makes sense", "I (?:see|get) (?:that|what|how|why)"),
    _any(NEVER, "(?:I|we)(?: [a-z]+)? (?:like|love|appreciate)(?:s|d)? (?:the|your|that|this)"
                "(?: [a-z]+)? (?:ideas?|reminder|sound|approach|thought|concept|tips?|option|plan"
                "|advice|points?|detail|structure|format|emphasis|template|aspects?|suggestions?"
                "|layout|outline|itinerary|wording|summary)"),
    _any(NEVER, "(?:a|another|one more|some|a few|few)(?: quick| more| other)* questions?",
         "unclear to me", "I(?:['’]ve| have)? attached", "getting there",
         "giv(?:e|ing) (?:it|this|that|them) a (?:shot|try|go)",
         "(?:busy|crazy|hectic|long|tough|rough|great|good) (?:week|month|day|time)s? since"),
    # The mood of a place, and praise of a thing.
    Objection(2.5, _MOOD_OF_A_PLACE, at_start=True),
    Objection(2.5, _PRAISE, at_start=True),
    _any(1.5, "something (?:new|similar|special|different|amazing|cool|fun|great|like that)",
         "lots? of (?:hard )?(?:work|effort|energy)", "(?:few|some) other (?:tasks|things)",
         "(?:achiev(?:e|ed|ing)|reach(?:ed|ing)?(?: for)?) (?:my|our|new) goals",
         "moments like (?:these|this|that)", "crossing my fingers", "on top of", "plan out",
         "since we (?:last )?(?:talked|spoke|chatted|met)"),
    _any(1.5, "I(?:['’]ll| will)(?: also)? (?:create|share|send|add|write|include|set up|post"
              "|try)",
         "want to (?:add|include|incorporate|emphasi[sz]e|highlight|mention)"),
    _first(NEVER, "sometimes,? (?:all |it['’]?s? |you |we |the |things )",
           "(?:all|what) (?:we|you|matters|counts)", "nothing (?:beats|like|is)"),
    # Conditions and guesses, not facts.
    _any(NEVER, "(?:if|unless|wish|imagine|suppose) (?:I|we|you|he|she|they|it|there|the)",
         "maybe", "perhaps", "not sure", "no idea"),
    _first(NEVER, "if", "unless"),
    _any(2.0, "might", "(?-i:may)", "would", "could", "probably", "guess", "hopefully",
         "hope(?! to)", "I think", "I feel", "I believe", "I bet", "seems?", "apparently"),
    _any(2.5, "(?:I think|I guess) I['’]ll", f"{_ME}{_ALSO} interested in", "confused",
         "I['’]ll (?:have to|also|start|check|look|give|go with|take|see|use)",
         "(?:I|we)(?:['’]ll| will) (?:keep|always|never|try|be|do|definitely|make sure)"),
    _any(2.5, f"{_ME}{_ALSO} (?:intrigued|tempted|concerned|worried|fascinated|amazed)",
         "I(?:['’]ve)? (?:read|heard)(?: that| there)?", "(?:want|wanted) to (?:ask|know|hear)",
         "I['’]ll get"),
    _any(1.0, f"{_ME}{_ALSO} trying to", "I['’]ll", "I will"),
    # About the listener.
    _any(2.5, "you", "your", "yours", "yourself", "you['’](?:re|ve|ll|d)", "y['’]all", "ya", "u"),
    _any(1.5, "we should", "take a look", "check (?:it|them|['’]em) out"),
    # Moods, resolutions, compliments, maxims.
    _any(2.5, f"(?:{_ME}|I feel|I felt)(?: \\w+)?{_ALSO} (?:glad|happy|excited|proud|sorry|sad"
              "|stoked|thrilled|grateful|thankful|okay|ok|fine|good|great|well|sure|ready|amazed|blown"
              "|touched|honou?red|lucky|blessed|impressed|pumped|busy|tired|doing|here|there for"
              "|hooked|all ears)"),
    _any(2.5, "never quit", "stop me", "not gonna let", "determined", "believe in", "my best",
         "gonna (?:make it|keep|stay|crush|rock|nail)", "going to (?:keep|stay)", "make a change",
         "a better world", "giv(?:e|ing) up", "work(?:ing)? hard", "keep going", "pushing",
         "means a lot", "worth it", "each other", "it['’]s important", "one step", "so far",
         "stay(?:ing)? (?:positive|strong|true|focused|motivated)", "never know", "all about",
         "learn from", "the best part", "ma[dk]es? me (?:feel|happy|think|smile|want)",
         "ma[dk](?:e|ing) an? (?:huge |big |real )?(?:difference|impact)"),
    _any(2.5, "our (?:dreams|spirits|lives|minds|hearts|souls|planet|future|mood)",
         "(?:help|helps|keeps?|remind|reminds|brings?|gives?|lets?|makes?|inspires?) us",
         "(?:is|are) the best", "stories to tell", "right here", "if that['’]s (?:fine|ok|okay)"),
    _any(2.0, "we all", "everyone", "anyone", "people can", "we can", "it takes", "world"),
    _any(2.0, "(?:I|we)(?: really| also| just| totally)? (?:love|like|enjoy|enjoyed|loved|got|did"
              "|had|made|took|tried|get|need|want|have|checked|saw) (?:it|that|this|them|those"
              "|these|your|to see|how|fun|what|no)"),
    # References to something that is named elsewhere, or not at all.
    Objection(2.5, _UNNAMED),
    Objection(2.0, _POINTS_BACK),
    _any(1.5, "someone", "somebody", "(?:a|some) (?:new|cool|great|nice|amazing|special|different)"
              " (?:places?|spots?|things?|ones?|ways?|stories|stuff|people|recipes)"),
    _any(2.0, "(?:enjoying|loving|seeing|making|love|enjoy)(?: [a-z]+)? (?:progress|process|journey"
              "|moments?|results?|growth)"),
    _any(1.5, "(?:want|need) to make sure", "I should", "paying off", "later today",
         "right now", "at the moment", "for now",
         "(?:been|always) (?:wanting|meaning|looking|hoping)",
         "I['’]ll (?:choose|pick|focus|opt|stick|probably|consider|definitely)"),
    _any(2.0, "the idea", "the way", "the look", "the vibe", "(?:sounds|feels|looks|seems) like"),
    # Continuations of another sentence, and sentences that break off.
    _first(1.0, "and", "but", "or", "because", "then", "which", "who", "like", "too", "than",
           "especially", "just", "even", "either"),
    _first(2.0, "here['’]s", "here is", "that way", "this way", "when there"),
    _first(1.5, "additionally", "moreover", "furthermore", "overall", "however", "in terms of",
           "in addition", "events?"),
    Objection(1.5, _BREAKS_OFF),
)  # fmt: skip


def has_final_objection(sentence: str) -> bool:
    """Whether a sentence is never stored: a question, a request, small talk."""
    return any(
        objection.points == NEVER and objection.penalty(sentence) > _MAX_LATE_POINTS
        for objection in OBJECTIONS
    )
