"""The sources of the service contracts, and the operations that each contract keeps."""

from dataclasses import dataclass
from typing import Any

GENERATOR = "ts-json-schema-generator@2.4.0"
OPENAPI_FILES = {
    "github": ("@octokit/openapi@23.0.2", "@octokit/openapi/generated/api.github.com.json")
}


@dataclass(frozen=True)
class Types:
    """TypeScript types that a service publishes. A shape is a TypeScript type or a JSON Schema."""

    origin: str
    packages: tuple[str, ...]
    imports: str
    operations: dict[str, dict[str, Any]]


NOTHING: dict[str, Any] = {"type": "object", "additionalProperties": False}


def _strict(**properties: Any) -> dict[str, Any]:
    required = list(properties)
    return {"type": "object", "properties": properties, "required": required}


_NOTION = "@notionhq/client/build/src/api-endpoints"
_MARKDOWN = _strict(
    object={"const": "page_markdown"},
    id={"type": "string"},
    markdown={"type": "string"},
    truncated={"type": "boolean"},
    unknown_block_ids={"type": "array", "items": {"type": "string"}},
)

_SLACK = "@slack/web-api/dist/types"
_SLACK_METHODS = {
    "auth.test": "AuthTest",
    "conversations.list": "ConversationsList",
    "conversations.history": "ConversationsHistory",
    "conversations.replies": "ConversationsReplies",
    "reactions.list": "ReactionsList",
    "users.list": "UsersList",
}

_GRAPH_QUERY = {
    "type": "object",
    "additionalProperties": False,
    "properties": {name: {"type": "string"} for name in ("$select", "$top", "$skiptoken", "token")},
}
_DRIVE_ITEM = (
    'Pick<DriveItem, "id" | "name" | "size" | "cTag" | "eTag" | "file" | "folder" | "deleted" |'
    ' "parentReference" | "createdDateTime" | "webUrl" | "package" | "root">'
)
_DRIVE_ITEMS = (
    '{"@odata.context"?: string; "@odata.nextLink"?: string; "@odata.deltaLink"?: string;'
    f" value: Array<{_DRIVE_ITEM}>}}"
)

TYPES = {
    "onedrive": Types(
        origin="npm @microsoft/microsoft-graph-types 2.43.1 (types of replies, MIT); the"
        " parameters are those that Microsoft documents for driveItem: delta, not published there",
        packages=("@microsoft/microsoft-graph-types@2.43.1",),
        imports='import type {Drive, DriveItem} from "@microsoft/microsoft-graph-types";',
        operations={
            "GET /v1.0/me/drive": {
                "query": _GRAPH_QUERY, "reply": 'Pick<Drive, "id" | "owner" | "driveType">',
            },
            "GET /v1.0/me/drive/root/delta": {"query": _GRAPH_QUERY, "reply": _DRIVE_ITEMS},
            "GET /v1.0/me/drive/root/children": {"query": _GRAPH_QUERY, "reply": _DRIVE_ITEMS},
            "GET /v1.0/me/drive/items/{id}/children": {
                "query": _GRAPH_QUERY, "reply": _DRIVE_ITEMS,
            },
            "GET /v1.0/me/drive/items/{id}": {"query": _GRAPH_QUERY, "reply": _DRIVE_ITEM},
            "GET /v1.0/me/drive/items/{id}/content": {"query": NOTHING, "reply": {}},
            "GET /download/{id}": {"query": NOTHING, "reply": {}},
        },
    ),
    "slack": Types(
        origin="npm @slack/web-api 8.2.0 (types, MIT)",
        packages=("@slack/web-api@8.2.0",),
        imports="\n".join(
            [
                "import type {ConversationsListArguments, ConversationsHistoryArguments,"
                f' ConversationsRepliesArguments}} from "{_SLACK}/request/conversations";',
                f'import type {{AuthTestArguments}} from "{_SLACK}/request/auth";',
                f'import type {{ReactionsListArguments}} from "{_SLACK}/request/reactions";',
                f'import type {{UsersListArguments}} from "{_SLACK}/request/users";',
                *(
                    f'import type {{{name}Response}} from "{_SLACK}/response/{name}Response";'
                    for name in _SLACK_METHODS.values()
                ),
            ]
        ),
        operations={
            f"GET /api/{method}": {"query": f"{name}Arguments", "reply": f"{name}Response"}
            for method, name in _SLACK_METHODS.items()
        },
    ),
    "notion": Types(
        origin="npm @notionhq/client 5.26.0 (types, MIT); page markdown: npm"
        " @notionhq/notion-mcp-server 2.5.2, scripts/notion-openapi.json (MIT)",
        packages=("@notionhq/client@5.26.0",),
        imports=f"""
import type {{SearchParameters, SearchResponse}} from "{_NOTION}/search";
import type {{GetSelfResponse}} from "{_NOTION}/users";
import type {{GetPageResponse}} from "{_NOTION}/pages";
import type {{ParagraphBlockObjectResponse}} from "{_NOTION}/blocks";
import type {{GetDatabaseResponse}} from "{_NOTION}/databases";
import type {{
  GetDataSourceResponse, QueryDataSourceParameters, QueryDataSourceResponse
}} from "{_NOTION}/data-sources";
""",
        operations={
            "GET /v1/users/me": {"query": NOTHING, "reply": "GetSelfResponse"},
            "POST /v1/search": {
                "query": NOTHING, "body": "SearchParameters", "reply": "SearchResponse",
            },
            "POST /v1/data_sources/{id}/query": {
                "query": NOTHING,
                "body": 'Pick<QueryDataSourceParameters, "sorts" | "start_cursor" | "page_size">',
                "reply": "QueryDataSourceResponse",
            },
            "GET /v1/blocks/{id}": {"query": NOTHING, "reply": "ParagraphBlockObjectResponse"},
            "GET /v1/databases/{id}": {"query": NOTHING, "reply": "GetDatabaseResponse"},
            "GET /v1/data_sources/{id}": {"query": NOTHING, "reply": "GetDataSourceResponse"},
            "GET /v1/pages/{id}": {"query": NOTHING, "reply": "GetPageResponse"},
            "GET /v1/pages/{id}/markdown": {"query": NOTHING, "reply": _MARKDOWN},
        },
    ),
}  # fmt: skip

_POST_FIELDS = "article|attachments|author_id|conversation_id|created_at|entities|id|lang|note_post"
_POST_FIELDS += "|public_metrics|text"


def _listed(names: str) -> dict[str, Any]:
    return {"type": "string", "pattern": f"^({names})(,({names}))*$"}


# Written by hand: the parameters and fields of GetBookmarksOptions, Post and
# GetUsersBookmarksResponse, with their names in requests and replies.
_X_USER = _strict(id={"type": "string"}, username={"type": "string"})
BY_HAND: dict[str, Any] = {
    "x": {
        "x-origin": "by hand from npm @xdevplatform/xdk 0.6.6, dist/index.d.ts (MIT)",
        "operations": {
            "GET /2/users/me": {
                "query": NOTHING,
                "reply": _strict(data=_strict(id={"type": "string"}, username={"type": "string"})),
            },
            "GET /2/users/{id}/bookmarks": {
                "query": {
                    **NOTHING,
                    "properties": {
                        "max_results": {"type": "integer", "minimum": 1, "maximum": 100},
                        "pagination_token": {"type": "string"},
                        "post.fields": _listed(_POST_FIELDS),
                        "expansions": _listed("author_id|referenced_posts"),
                        "user.fields": _listed("id|name|username|created_at"),
                    },
                },
                "reply": {"$ref": "#/definitions/Bookmarks"},
            },
        },
        "definitions": {
            "Bookmarks": {
                **NOTHING,
                "properties": {
                    "data": {"type": "array", "items": {"$ref": "#/definitions/Post"}},
                    "includes": {
                        **NOTHING,
                        "properties": {
                            "users": {
                                "type": "array",
                                "items": _strict(
                                    id={"type": "string"}, username={"type": "string"}
                                ),
                            }
                        },
                    },
                    "meta": {
                        **NOTHING,
                        "properties": {
                            "next_token": {"type": "string"},
                            "previous_token": {"type": "string"},
                            "result_count": {"type": "integer"},
                        },
                    },
                },
            },
            "Post": {
                **NOTHING,
                "properties": {
                    **{name: {} for name in _POST_FIELDS.split("|")},
                    "id": {"type": "string"},
                    "text": {"type": "string"},
                    "author_id": {"type": "string"},
                    "created_at": {"type": "string"},
                    "note_post": _strict(text={"type": "string"}),
                },
            },
        },
    },
}

DISCOVERY: dict[str, Any] = {
    "google_drive": {
        "origin": "PyPI google-api-python-client 2.202.0, discovery_cache/documents/drive.v3.json"
        " (Apache-2.0)",
        "package": "google-api-python-client==2.202.0",
        "wheel": "google_api_python_client-*.whl",
        "file": "googleapiclient/discovery_cache/documents/drive.v3.json",
        "methods": (
            "about.get",
            "files.get",
            "files.list",
            "files.export",
            "changes.getStartPageToken",
            "changes.list",
        ),
        # Not in the file: RFC 7523 (the request) and RFC 6749 (the reply).
        "more": {
            "POST /token": {
                "query": NOTHING,
                "body": {
                    **_strict(
                        grant_type={"const": "urn:ietf:params:oauth:grant-type:jwt-bearer"},
                        assertion={"type": "string"},
                    ),
                    "additionalProperties": False,
                },
                "reply": _strict(
                    access_token={"type": "string"},
                    token_type={"const": "Bearer"},
                    expires_in={"type": "integer"},
                ),
            },
        },
    },
}
