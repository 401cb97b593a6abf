"""Draws the icons of the installed app from `web/public/favicon.svg`, with Chromium."""

import base64
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.tools.chromium import open_page  # noqa: E402  # pyrefly: ignore[missing-import]

PUBLIC = ROOT / "web" / "public"
GREEN = "#0f766e"
# Size in pixels, and what is behind the drawing. A launcher may cut off the corners of a maskable
# icon; iOS fills what is transparent with black.
ICONS = {
    "icon-192.png": (192, "transparent"),
    "icon-512.png": (512, "transparent"),
    "icon-maskable-512.png": (512, GREEN),
    "icon-apple-180.png": (180, GREEN),
}


def main() -> None:
    drawing = base64.b64encode((PUBLIC / "favicon.svg").read_bytes()).decode()
    with open_page() as page:
        page.send("Emulation.setDefaultBackgroundColorOverride", color=dict.fromkeys("rgba", 0))
        for name, (size, background) in ICONS.items():
            page.open(
                "data:text/html,<meta name=viewport content=width=device-width>"
                f"<body style='margin:0;background:{background.replace('#', '%23')}'>"
                "<img style='display:block;width:100vw'"
                f" src='data:image/svg%2Bxml;base64,{drawing}'>"
            )
            page.wait("document.images[0].complete")
            (PUBLIC / name).write_bytes(page.screenshot(size, size))
            print(PUBLIC / name)


if __name__ == "__main__":
    main()
