"""The description of the GitHub connection and its OAuth settings."""

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
    """GitHub has no scope that only reads private repositories; `repo` is the narrowest one."""
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
    """Return the URL where people sign in. An Enterprise server has its API below that URL, while
    GitHub has it on another host."""
    if base_url.rstrip("/") == "https://api.github.com":
        return "https://github.com"
    return base_url.rstrip("/").removesuffix("/api/v3")
