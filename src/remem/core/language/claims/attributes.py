"""General knowledge of which attributes have one value and which have many."""

from typing import Literal

from remem.core.language.words import stem

Arity = Literal["one", "now", "each", "each_now", "many", "open"]
"""one: a new value replaces the old. now: only if it is said to be new. each: one value of each
kind of thing. each_now: both of these. many: they stand side by side. open: nothing is known."""


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in text.split())


# "The … of X is": of these a thing has several, so that naming one says nothing of the others.
MANY_NOUNS = _stems(
    "child son daughter kid baby brother sister sibling cousin uncle aunt nephew niece grandchild"
    " grandson granddaughter grandmother grandfather grandparent parent friend colleague neighbour"
    " coworker teammate classmate roommate cat dog pet horse fish bird rabbit hamster parrot hobby"
    " interest skill example member part kind feature benefit advantage disadvantage reason cause"
    " symptom ingredient goal lesson event meeting appointment trip holiday book film movie song"
    " album memory note idea question issue bug task ticket problem fact thing one some many friend"
    " achievement award certificate patient client customer supplier investor founder cofounder"
    " student teacher app tool allergy medication visitor way"
    " strength weakness habit fear rule concern risk challenge option alternative synonym"
    " ancestor descendant dependency subsidiary product competitor rival ally sponsor mentor actor"
    " tributary suburb district region species variant component module endpoint table column test"
    " file chapter step stage phase order invoice payment course lecture exam photo picture gift"
    " toy game property suspect witness guest speaker"
)
# Nouns that name one value even when no owner is told.
ONE_NOUNS = _stems(
    "capital ceo cto cfo coo president chair chairperson chairman chairwoman director head leader"
    " manager boss captain coach mayor governor minister king queen monarch author writer composer"
    " painter creator inventor spouse wife husband fiance fiancee partner girlfriend"
    " boyfriend mother father birthplace birthday birthdate nationality citizenship religion"
    " employer occupation profession job title position role address residence home headquarters"
    " phone number email username password name nickname surname age height weight size price cost"
    " salary rent budget fee deadline date time start end day schedule venue location room port"
    " host url domain version branch database db cache queue framework license licence currency"
    " timezone population area length width speed limit timeout threshold status state owner"
    " maintainer lead provider dentist doctor gp landlord editor ide linter formatter bundler"
    " theme font colour favourite default hometown continent sport genre type origin publisher"
    " broadcaster developer producer manufacturer performer label standup retro diet plan shell"
    " temperature dose dosage quota interval frequency rate target budget stack primary"
)
# What is told of a thing rather than of a person: a value may be a name, or may be none.
TOPICS = _stems("type kind genre style sport religion language field subject music diet topic")
# Nouns that only say of which kind the name behind them is: "the city of Oslo".
TYPES = _stems(
    "city town village municipality county district province state region country continent island"
    " planet language sport religion faith church position post rank office role title field area"
    " discipline profession occupation genre style company firm team club party name nationality"
    " currency colour kind type category class species order family school university league"
)
# Of what one does in several ways or likes in several things, these are still one at a time.
ONE_TYPES = _stems("position post rank office title")
# What a thing is for, where one tool does it: a database, not "testing".
ONE_PURPOSES = _stems(
    "database db cache caching queue queueing hosting deployment deploys auth authentication"
    " payments orm ci styling routing bundling formatting linting backend frontend logging"
    " package packages editor email state"
)
SYNONYMS = {
    stem(word): stem(line.split()[0])
    for line in (
        "spouse wife husband",
        "chair chairperson chairman chairwoman",
        "author writer",
        "employer workplace",
        "occupation job profession",
        "manufacturer producer",
        "database db",
        "email e-mail mail",
        "phone telephone mobile cell",
        "birthday birthdate",
        "nationality citizenship",
        "license licence",
        "movie film",
        "like love enjoy adore",
        "hate dislike detest",
        "use utilize employ",
        "start begin",
        "buy purchase",
        "doctor gp physician",
        "big large",
        "require need",
        "car automobile",
        "run listen",
        "favorite favourite",
        "speak talk",
    )
    for word in line.split()[1:]
}


def canonical(base: str) -> str:
    return SYNONYMS.get(base, base)


# relation: the verbs that tell it, each with its preposition, and how many values it has.
_VERBS = """
license one: be licensed under
residence one: live in, live at, reside in, be based in, move to, relocate to, settle in, stay in,
 be headquartered in, have headquarters in
location one: be located in, be situated in, lie in, be in, be at, sit in
employer one: work at, work for, be employed by, be employed at, join, be hired by
occupation one: work as, be employed as
field one: work in
spouse one: be married to, marry, get married to
fiance one: be engaged to
birthplace one: be born in, be born at
birthday one: be born on
deathplace one: die in, die at
deathday one: die on
citizenship one: be citizen of, be national of, hold citizenship of
author one: be written by, be authored by
founder one: be founded by, be established by, be started by
foundation one: be founded in, be established in, be formed in
publication one: be published in, be published on, be released in, be released on, be built in,
 be launched in, be launched on, be completed in, be completed on
team one: play for, be signed to
grave one: be buried in, be buried at
creator one: be created by, be invented by
origin one: be created in, be invented in, originate in, come from, be from
performer one: be performed by, be sung by, be played by, be portrayed by
developer one: be developed by
manufacturer one: be produced by, be manufactured by, be made by
owner one: be owned by, belong to
lead one: be led by, be headed by, be managed by, be run by, be chaired by, report to
language one: be written in
hosting one: be hosted on, be hosted at, be hosted by, host on
deployment each: deploy to, deploy on, be deployed to, be deployed on, run on, run at, listen on,
 be served on, be served from, deploy with
storage now: be stored in, be kept in, be saved in, store in
name one: be called, be named, go by
weight one: weigh
price one: cost
schedule one: be on, be scheduled for, be planned for, take place on, happen on, be due on, be due,
 be moved to, be rescheduled to, be postponed to, be rescheduled for, be set for, shift to
beginning one: start at, start on, start in, begin at, begin on, begin in
ending one: end at, end on, end in, finish at, finish in, expire on, expire in
opening one: open at, open on, open in
closing one: close at, close on, close in
education now: study at, attend, go to, be educated at, be enrolled at, study
vehicle now: drive
usage each_now: use, replace, switch to, migrate to, run, be built with, be built on, be built in
wearing now: wear
following now: follow
preference each: prefer, favor
like many: like, love, enjoy, be fond of, be into, adore
hate many: hate, dislike, detest, loathe
doing many: support, include, contain, offer, provide, accept, handle, read, watch, visit, see,
 meet, buy, fix, add, review, write, publish, release, collect, cook, bake, eat, drink, grow
need many: need, require
ability many: speak, know, play, can, understand, be fluent in, be good at, be interested in
"""
# Verbs that only behave alike: each is a relation of its own.
_APART = frozenset("doing ability".split())
_VERB_TABLE: dict[tuple[str, str], tuple[str, Arity]] = {}
# The words by which a relation may have been told.
TOLD_BY: dict[str, set[str]] = {}


def _read_table() -> None:
    for entry in _VERBS.replace("\n ", " ").strip().splitlines():
        head, told = entry.split(":")
        named, arity = head.split()
        for phrase in told.split(","):
            key = tuple(stem(word) for word in phrase.split())
            preposition = key[-1] if len(key) > 1 and _is_preposition(phrase) else ""
            verb = " ".join(key[: len(key) - bool(preposition)])
            relation = " ".join(key) if named in _APART else stem(named)
            _VERB_TABLE[verb, preposition] = (relation, arity)  # type: ignore[assignment]
            if named not in _APART and arity != "many":
                words = (word for word in phrase.split() if word not in PREPOSITIONS)
                TOLD_BY.setdefault(relation, set()).update(words)


# Who is named behind "by" after these did it alone, or as one; others may have done so too.
ONE_DOER = _stems(
    "written authored founded established started created invented performed sung played portrayed"
    " developed produced manufactured made owned led headed managed run chaired designed built"
    " painted composed directed discovered published governed ruled represented acquired hosted"
    " narrated illustrated choreographed broadcast distributed commissioned employed coached"
    " maintained operated administered occupied won succeeded presented sculpted carved edited"
)
PREPOSITIONS = frozenset(
    "in on at to for from by with of about as into over under near during until since after before"
    " between against through without within via behind than toward towards around along across"
    " per like".split()
)


def _is_preposition(phrase: str) -> bool:
    return phrase.split()[-1] in PREPOSITIONS


_read_table()
TOLD_BY[stem("employer")] |= {"start", "begin", "job"}
VERBS = frozenset(part for verb, _ in _VERB_TABLE for part in verb.split()) | _stems(
    "have own buy sell get give make do go come see watch read visit travel meet eat drink"
    " cook bake learn teach help support contain include hold keep handle manage lead build"
    " test fix add remove change update replace expire allow deny block send receive return"
    " accept reject open close start stop begin end finish win lose earn save spend hate"
    " dislike want think believe say tell ask call write paint compose sing dance run walk"
    " swim ride fly drive sleep wake grow plant break repair plan book schedule cancel"
    " graduate retire die marry divorce adopt raise train practise practice collect sound look"
    " feel smell seem appear become remain stay leave arrive expect hope wish fear trust"
    " admire respect work live use need prefer like love enjoy speak know play weigh cost last"
    " take mean equal deploy host serve store listen connect render compile depend follow lint"
    " format ship release merge commit migrate switch move subscribe belong report join study"
    " attend wear produce publish direct found create develop perform invent design discover"
    " employ locate base measure cover reach hit exceed retry log cache queue poll sync index"
    " parse validate encrypt decrypt import export"
)


def verb_frame(verb: str, preposition: str) -> tuple[str, Arity] | None:
    return _VERB_TABLE.get((verb, preposition))
