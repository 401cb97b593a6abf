"""The kinds of lines in an export, in the order in which they refer to each other."""

from dataclasses import dataclass, field

from remem.core.flags import COLUMNS as FLAG_COLUMNS

EMBEDDED = ("embedded_with", "embedded_hash")
# The user a row belongs to. An import assigns every row to its user, whatever the file says.
OWNER = "user_id"


@dataclass(frozen=True, slots=True)
class Kind:
    """A table as lines. Columns are read from the database, so that a new one is not forgotten.

    `excluded` columns describe this store and not its content. `volatile` ones change by mere use:
    two rows that differ only in these are the same. `requires` and `may_reference` are columns that
    refer to a row of another kind, `self_reference` to one of the same kind. `key` is the column of
    a blob key. `renamed` maps the column names of older files to the current ones.
    """

    name: str
    table: str
    excluded: tuple[str, ...] = ()
    volatile: tuple[str, ...] = ("updated_at",)
    requires: dict[str, str] = field(default_factory=dict)
    may_reference: dict[str, str] = field(default_factory=dict)
    self_reference: str | None = None
    key: str | None = None
    page_size: int = 200
    renamed: dict[str, str] = field(default_factory=dict)

    @property
    def uncompared(self) -> list[str]:
        return [
            *self.excluded,
            *self.volatile,
            *([self.self_reference] if self.self_reference else []),
            "tenant_id",
        ]


PROJECT = Kind("project", "projects", excluded=("generation",), self_reference="parent_id")
# Users export only their own sessions, turns and signals; transfer_store.py filters them. The key
# is that of a running program on this server; another store has no use for it.
SESSION = Kind("session", "sessions", excluded=("key",), requires={"project_id": "project"})
# Those of the caller only, as sessions are.
INSTRUCTION = Kind(
    "instruction",
    "standing_instructions",
    volatile=("updated_at", OWNER),
    may_reference={"project_id": "project"},
)
TURN = Kind("turn", "turns", requires={"session_id": "session"})
FEED = Kind(
    "feed",
    "feeds",
    # Validators for conditional requests by this server.
    excluded=("etag", "last_modified"),
    volatile=("updated_at", "title", "error", "failures", "collected_at", OWNER),
    requires={"project_id": "project"},
)
FEED_ENTRY = Kind("feed_entry", "feed_entries", requires={"feed_id": "feed"})
# Without the credential: an imported connection waits until its account is connected.
CONNECTION = Kind(
    "connection",
    "connections",
    excluded=(
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
    volatile=("updated_at", "account", OWNER),
    requires={"project_id": "project"},
)
DOCUMENT = Kind(
    "document",
    "documents",
    volatile=(
        *("updated_at", "status", "error", "last_accessed_at", OWNER, "session_id"),
        *FLAG_COLUMNS.values(),
    ),
    requires={"project_id": "project"},
    may_reference={"session_id": "session"},
    self_reference="previous_id",
    key="blob_key",
    # A text may have five million characters, so few rows per page keep memory use small.
    page_size=4,
)
CHUNK = Kind(
    "chunk",
    "chunks",
    # The database derives `voice` from the speaker.
    excluded=(*EMBEDDED, "voice"),
    requires={"project_id": "project", "document_id": "document"},
    renamed={"strand": "thread_id"},
)
MEMORY = Kind(
    "memory",
    "memories",
    # Parts are derived again from their memory.
    excluded=(*EMBEDDED, "deleted_at", "part_of"),
    volatile=("updated_at", "access_count", "last_accessed_at", OWNER, "session_id"),
    requires={"project_id": "project"},
    may_reference={"document_id": "document", "session_id": "session"},
    self_reference="supersedes_id",
)
# Feedback on queries: the arena of the importing store learns from it too.
SIGNAL = Kind(
    "signal", "signals", requires={"project_id": "project"}, may_reference={"session_id": "session"}
)
# The database counts mentions as links are inserted.
ENTITY = Kind("entity", "entities", excluded=("mention_count",), requires={"project_id": "project"})
# What people decided that names mean.
ENTITY_NAME = Kind("entity_name", "entity_names", requires={"project_id": "project"})
LINK = Kind("link", "links")
# The actor of an imported event is only a claim, so events are compared without it.
EVENT = Kind("event", "events", volatile=("actor", "claimed_actor"))
ORIGINAL = Kind("original", "blobs", excluded=("released_at",), key="key")

KINDS = (
    PROJECT,
    SESSION,
    INSTRUCTION,
    TURN,
    FEED,
    FEED_ENTRY,
    CONNECTION,
    DOCUMENT,
    CHUNK,
    MEMORY,
    SIGNAL,
    ENTITY,
    ENTITY_NAME,
    LINK,
    EVENT,
    ORIGINAL,
)
BY_NAME = {kind.name: kind for kind in KINDS}
# Lines that are no rows: the bytes of the original above, and vectors.
PART, VECTOR = "part", "vector"
ORDER = (*BY_NAME, VECTOR)
# The two ends of a link, as pairs of columns: the kind of an item and its id.
LINK_ENDS = (("from_kind", "from_id"), ("to_kind", "to_id"))

# Tables of a tenant that are not exported, and why.
NOT_EXPORTED = {
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
    "vector_models": "which model the vectors belong to: an import brings its own, or makes them",
    "documents_to_index": "an import indexes every document",
    "keys_to_index": "an import indexes every text",
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
    "calendars": "an address and a secret of this server",
    "deliveries": "an address and a secret of this server",
    "delivery_messages": "what this server has sent",
    "entity_edits": "how to undo what was done here; the names themselves are carried",
    "save_keys": "which requests this server has answered already",
    "connection_runs": "how this store was filled, not what is in it",
    "imports": "how this store was filled, not what is in it",
}
