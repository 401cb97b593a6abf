"""Decode bytes by their byte order mark, as UTF-8, by the declared charset, or by a guess."""

import codecs
import re

# Enough to distinguish legacy charsets, and fast.
SAMPLE_BYTES = 64_000
DECLARED = re.compile(
    rb"""<\?xml[^>]{0,200}encoding=["']([\w.:-]{2,40})|<meta[^>]{0,300}charset=["']?\s*([\w.:-]{2,40})|"""
    rb"""^@charset\s+["']([\w.:-]{2,40})|coding[:=]\s*([\w.:-]{2,40})""",
    re.IGNORECASE | re.MULTILINE,
)
BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Declared names and the charsets that browsers use for them.
BROWSER_ALIASES = {
    "iso-8859-1": "cp1252",
    "latin-1": "cp1252",
    "latin1": "cp1252",
    "us-ascii": "cp1252",
    "ascii": "cp1252",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "x-sjis": "shift_jis",
    "shift_jis": "cp932",
    "ks_c_5601-1987": "cp949",
    "euc-kr": "cp949",
    "unicode": "utf-16",
}
# Western text is mostly ASCII; in other scripts hardly any letter is.
WESTERN_SHARE = 0.25
OTHER_CHARSETS = ("cp1251", "koi8_r", "cp932", "euc_jp", "gb18030", "big5", "cp949", "cp1250")
KANA_SHARE = 0.1
# Symbols inside a word are Central European letters that were decoded as a Western charset.
MISREAD = re.compile("(?<=\\w)[\u00b3\u00b9\u00bf\u00be\u0178\u00a3\u00b1](?=\\w)|\ufffd")

# ISO 8859-15 has the euro sign where other charsets have the rare ¤; it is recognised next to an
# amount. Windows charsets have letters where ISO 8859-15 has control characters.
EURO = re.compile("\\d\\s?\u00a4|\u00a4\\s?\\d")
CONTROLS = re.compile(rb"[\x80-\x9f]")


def decode(data: bytes, declared: str | None = None) -> str:
    """Decode bytes, replacing what is not valid."""
    charset = charset_of(data, declared)
    text = data.decode(charset, "replace")
    return text.removeprefix("\ufeff")


def charset_of(data: bytes, declared: str | None = None) -> str:
    if wide := wide_charset(data):
        return wide
    if data.startswith(codecs.BOM_UTF8):
        return "utf-8-sig"
    if _is_utf8(data):
        return "utf-8"
    for declared_name in (declared, _declared_in(data)):
        if declared_name and (charset := _lookup_charset(declared_name)) and _fits(data, charset):
            return charset
    return _guess(data)


def wide_charset(data: bytes) -> str | None:
    """Detect UTF-16 or UTF-32, by the byte order mark or the NUL bytes of ASCII letters."""
    for mark, charset in BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return charset
    return _utf16_without_mark(data)


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        # A file cut inside a character is still UTF-8 if it has other non-ASCII characters.
        return error.reason == "unexpected end of data" and not data[: error.start].isascii()
    return True


def _utf16_without_mark(data: bytes) -> str | None:
    sample = data[:SAMPLE_BYTES]
    half = max(1, len(sample) // 2)
    if sample[1::2].count(0) > 0.4 * half and sample[::2].count(0) < 0.1 * half:
        return "utf-16-le"
    if sample[::2].count(0) > 0.4 * half and sample[1::2].count(0) < 0.1 * half:
        return "utf-16-be"
    return None


def _declared_in(data: bytes) -> str | None:
    match = DECLARED.search(data[:2_048])
    name = next((group for group in match.groups() if group), None) if match else None
    return name.decode("ascii", "replace") if name else None


def _lookup_charset(name: str) -> str | None:
    name = BROWSER_ALIASES.get(name.strip().lower(), name.strip().lower())
    try:
        codec_name = codecs.lookup(name).name
    except (LookupError, ValueError):
        return None
    # Codecs that are not charsets (base64, zlib…) would return bytes, or unpack a bomb.
    return codec_name if codecs.lookup(codec_name)._is_text_encoding else None


def _fits(data: bytes, charset: str) -> bool:
    text = data[:SAMPLE_BYTES].decode(charset, "replace")
    return text.count("\ufffd") <= len(text) // 500 + 1


def _guess(data: bytes) -> str:
    sample = data[:SAMPLE_BYTES]
    high = sum(1 for byte in sample if byte > 127)
    if high <= WESTERN_SHARE * len(sample):
        return _western(sample, high)
    if japanese := _japanese_charset(sample):
        return japanese
    # Imported here because most files are UTF-8 and never need it.
    from charset_normalizer import from_bytes

    best = from_bytes(sample, cp_isolation=[*OTHER_CHARSETS], enable_fallback=False).best()
    return best.encoding if best else "cp1252"


def _western(sample: bytes, high: int) -> str:
    text = sample.decode("cp1252", "replace")
    if EURO.search(text) and not CONTROLS.search(sample):
        return "iso8859-15"
    return "cp1250" if _looks_misread(text, high) else "cp1252"


def _japanese_charset(sample: bytes) -> str | None:
    """Detect Japanese by its syllables, which other text does not have when decoded as Japanese."""
    for charset in ("cp932", "euc_jp"):
        text = sample.decode(charset, "replace")
        kana = sum(1 for char in text if "\u3041" <= char <= "\u3096")
        if kana >= KANA_SHARE * len(text) and text.count("\ufffd") <= len(text) // 100:
            return charset
    return None


def _looks_misread(text: str, high: int) -> bool:
    return len(MISREAD.findall(text)) > 0.1 * high
