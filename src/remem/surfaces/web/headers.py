"""The headers of the web app's pages and files."""

# Pages load nothing from other sites, run no inline scripts and cannot be framed. `blob:` and
# `data:` images are created by the page itself, for example to preview a file before it is saved.
CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "media-src 'self' blob:",
        "connect-src 'self'",
        "worker-src 'self'",
        "frame-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
_SECURITY = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
PAGE = {**_SECURITY, "Cache-Control": "no-store"}
# The name contains a hash of the content.
ASSET = {**_SECURITY, "Cache-Control": "public, max-age=31536000, immutable"}
# The content may change under a fixed name, so browsers must revalidate it.
FIXED_NAME = {**_SECURITY, "Cache-Control": "no-cache"}
