"""What a person needs to know to connect GitHub, and how they consent there."""

from remem.core.connectors.provider import Field, OAuthApp, Provider


def github_provider(base_url: str, client_id: str | None, client_secret: str | None) -> Provider:
    return Provider(
        title="GitHub",
        about="Documents of repositories, and their issues and pull requests with all comments.",
        help="Public repositories need no token. For private ones make a fine-grained token on"
        " github.com under Settings, Developer settings, with read access to Contents, Issues, Pull"
        " requests and Metadata.",
        fields=(
            Field(
                "token",
                "a fine-grained token",
                is_secret=True,
                is_required=False,
                example="github_pat_…",
            ),
            Field(
                "code", "yes, to read code as well as documents", is_required=False, example="no"
            ),
        ),
        choice="repositories, such as octo/notes",
        oauth=_oauth(base_url, client_id, client_secret),
    )


def _oauth(base_url: str, client_id: str | None, client_secret: str | None) -> OAuthApp:
    """GitHub has no consent that only reads private repositories: `repo` is the least."""
    site = _site(base_url)
    return OAuthApp(
        authorize_url=f"{site}/login/oauth/authorize",
        token_url=f"{site}/login/oauth/access_token",
        device_url=f"{site}/login/device/code",
        grant_url=f"{base_url.rstrip('/')}/applications/{{client_id}}/grant",
        scopes=("repo",),
        client_id=client_id,
        client_secret=client_secret,
    )


def _site(base_url: str) -> str:
    """Where people sign in: the API of an Enterprise server is below it, GitHub's beside it."""
    if base_url.rstrip("/") == "https://api.github.com":
        return "https://github.com"
    return base_url.rstrip("/").removesuffix("/api/v3")
