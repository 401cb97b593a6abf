"""The description of the Slack connection, and the manifest of the app that a person creates."""

from remem.core.connectors.provider import Field, Provider

MANIFEST = """display_information:
  name: remem
oauth_config:
  scopes:
    user:
      - channels:history
      - channels:read
      - groups:history
      - groups:read
      - users:read
      - reactions:read
settings:
  event_subscriptions:
    user_events:
      - message.channels
      - message.groups
      - reaction_added
      - reaction_removed
  org_deploy_enabled: false
  socket_mode_enabled: true
"""
SLACK = Provider(
    title="Slack",
    about="Threads and days of channels, and messages that you mark with an emoji.",
    help="Make an internal app at api.slack.com/apps from the manifest below, install it, and"
    " copy its User OAuth Token.",
    fields=(
        Field("token", "the token of an internal app", is_secret=True, example="xoxp-…"),
        Field(
            "app_token",
            "an app-level token, for changes at once",
            is_secret=True,
            is_required=False,
            example="xapp-…",
        ),
    ),
    manifest=MANIFEST,
    choice="channels by their ids, such as C0123, or marked",
)
