"""Every kind of line an export is made of, in the order in which they refer to each other."""

from dataclasses import dataclass, field

EMBEDDED = ("embedded_with", "embedded_hash")
# Whose a row is. An import makes everything the importer's, whatever its file says.
OWNER = "user_id"


@dataclass(frozen=True, slots=True)
class Kind:
    """A table as lines. Columns are read from the database, so that a new one is not forgotten.

    `behind` are columns that tell of this store and not of what is in it. `moving` are those that
    change by mere use, so that two rows which differ in nothing else are the same. `needs` and
    `may_name` are columns that name a row of another kind; `own` names one of the same kind.
    `renamed` are columns by the names they have in files of earlier versions.
    """

    name: str
    table: str
    behind: tuple[str, ...] = ()
    moving: tuple[str, ...] = ("updated_at",)
    needs: dict[str, str] = field(default_factory=dict)
    may_name: dict[str, str] = field(default_factory=dict)
    own: str | None = None
    key: str | None = None
    page: int = 200
    renamed: dict[str, str] = field(default_factory=dict)

    @property
    def uncompared(self) -> list[str]:
        return [*self.behind, *self.moving, *([self.own] if self.own else []), "tenant_id"]


PROJECT = Kind("project", "projects", behind=("generation",), own="parent_id")
# Each person exports their own sessions alone; store.py says so, of turns and signals too.
# A key names a running program of this server's user; another store has no use for it.
SESSION = Kind("session", "sessions", behind=("key",), needs={"project_id": "project"})
TURN = Kind("turn", "turns", needs={"session_id": "session"})
FEED = Kind(
    "feed",
    "feeds",
    # What another server says of what this one has read.
    behind=("etag", "last_modified"),
    moving=("updated_at", "title", "error", "failures", "collected_at", OWNER),
    needs={"project_id": "project"},
)
FEED_ENTRY = Kind("feed_entry", "feed_entries", needs={"feed_id": "feed"})
# What is read where, without the credential: an imported one waits for its account.
CONNECTION = Kind(
    "connection",
    "connections",
    behind=(
        "token",
        "cursor",
        "is_walk_due",
        "status",
        "error",
        "failures",
        "failing_since",
        "next_at",
        "last_synced_at",
        "locked_by",
        "locked_until",
    ),
    moving=("updated_at", "account", OWNER),
    needs={"project_id": "project"},
)
DOCUMENT = Kind(
    "document",
    "documents",
    moving=("updated_at", "status", "error", "last_accessed_at", OWNER, "session_id"),
    needs={"project_id": "project"},
    may_name={"session_id": "session"},
    own="previous_id",
    key="blob_key",
    # A text may have five million characters: few at a time keep the use of memory small.
    page=4,
)
CHUNK = Kind(
    "chunk",
    "chunks",
    # The database derives a voice from the speaker.
    behind=(*EMBEDDED, "voice"),
    needs={"project_id": "project", "document_id": "document"},
    renamed={"strand": "thread_id"},
)
MEMORY = Kind(
    "memory",
    "memories",
    # Parts are made anew of the memory they are in.
    behind=(*EMBEDDED, "deleted_at", "part_of"),
    moving=("updated_at", "access_count", "last_accessed_at", OWNER, "session_id"),
    needs={"project_id": "project"},
    may_name={"document_id": "document", "session_id": "session"},
    own="supersedes_id",
)
# What served a query and what did not: the arena of another store learns from it too.
SIGNAL = Kind(
    "signal", "signals", needs={"project_id": "project"}, may_name={"session_id": "session"}
)
# The database counts mentions as the links come in.
ENTITY = Kind("entity", "entities", behind=("mention_count",), needs={"project_id": "project"})
LINK = Kind("link", "links")
# The actor of an imported event is a claim: two events are equal, no matter who imported them.
EVENT = Kind("event", "events", moving=("actor", "claimed_actor"))
ORIGINAL = Kind("original", "blobs", behind=("released_at",), key="key")

KINDS = (
    PROJECT,
    SESSION,
    TURN,
    FEED,
    FEED_ENTRY,
    CONNECTION,
    DOCUMENT,
    CHUNK,
    MEMORY,
    SIGNAL,
    ENTITY,
    LINK,
    EVENT,
    ORIGINAL,
)
BY_NAME = {kind.name: kind for kind in KINDS}
# What is no row of its own: the bytes of the original above, and what a text means to a model.
PART, VECTOR = "part", "vector"
ORDER = (*BY_NAME, VECTOR)
# A link's ends, as pairs of the columns that say what kind a thing is and which one.
ENDS = (("from_kind", "from_id"), ("to_kind", "to_id"))

# Tables of a tenant that stay behind, and why.
LEFT_BEHIND = {
    "api_keys": "a credential belongs to the server that made it",
    "sign_ins": "a credential belongs to the server that made it",
    "sign_in_links": "a credential belongs to the server that made it",
    "oauth_grants": "what somebody let a client do on this server",
    "oauth_codes": "a credential belongs to the server that made it",
    "oauth_tokens": "a credential belongs to the server that made it",
    "members": "people are invited, not copied",
    "subscriptions": "a plan is agreed with a server",
    "turn_sources": "made anew from the evidence of turns",
    "postings": "made anew from the text",
    "text_totals": "made anew from the text",
    "embeddings": "made anew from the text, or carried as lines of their own",
    "vector_changes": "what an index elsewhere has not got yet, which only this server knows",
    "jobs": "work under way belongs to the server that does it",
    "deleted_rows": "deleted: it can be restored here for a while, and is nowhere else",
    "evolution_jobs": "work under way belongs to the server that does it",
    "evolution_marks": "made anew: what was done for a memory is found done again",
    "consolidations": "how to undo what this server did; the memories themselves are carried",
    "arena_results": "measured anew, on the sessions and signals that are carried",
    "policies": "decided anew, by what is measured",
    "arm_shares": "what this server has counted already",
    "connection_items": "which document is which item there; found again when it is connected",
    "connection_starts": "a consent that is under way on this server",
    "connection_hooks": "an address and a secret of this server",
    "connection_runs": "how this store was filled, not what is in it",
    "imports": "how this store was filled, not what is in it",
}
