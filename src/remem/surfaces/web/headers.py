"""The headers of the web app's pages and files."""

# No page loads anything from elsewhere, runs what is written into it, or is framed. `blob:` and
# `data:` pictures are those that the page itself makes, of a file that is about to be saved.
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
# Its name contains a hash of what it is.
ASSET = {**_SECURITY, "Cache-Control": "public, max-age=31536000, immutable"}
# Served under a fixed name, so that a browser has to ask whether it is still the same.
FIXED_NAME = {**_SECURITY, "Cache-Control": "no-cache"}
