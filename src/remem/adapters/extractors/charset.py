"""Makes characters of bytes: a byte order mark, what is declared, UTF-8, then an educated guess."""

import codecs
import re

# Enough to tell one legacy charset from another, and quick.
SAMPLE_BYTES = 64_000
DECLARED = re.compile(
    rb"""<\?xml[^>]{0,200}encoding=["']([\w.:-]{2,40})|<meta[^>]{0,300}charset=["']?\s*([\w.:-]{2,40})|"""
    rb"""^@charset\s+["']([\w.:-]{2,40})|coding[:=]\s*([\w.:-]{2,40})""",
    re.IGNORECASE | re.MULTILINE,
)
MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# What people say, and what the bytes are: browsers read these names so.
MEANT = {
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
# Western text is mostly ASCII; in the others nearly every letter is not.
WESTERN_SHARE = 0.25
OTHERS = ("cp1251", "koi8_r", "cp932", "euc_jp", "gb18030", "big5", "cp949", "cp1250")
KANA_SHARE = 0.1
# Signs inside a word are letters of Central Europe that were read as Western ones.
MISREAD = re.compile("(?<=\\w)[\u00b3\u00b9\u00bf\u00be\u0178\u00a3\u00b1](?=\\w)|\ufffd")

# The euro of ISO 8859-15 beside an amount; nobody writes the sign that it is elsewhere. Windows
# charsets have letters where that one has control characters.
EURO = re.compile("\\d\\s?\u00a4|\u00a4\\s?\\d")
CONTROLS = re.compile(rb"[\x80-\x9f]")


def decode(data: bytes, declared: str | None = None) -> str:
    """The text of the bytes; what does not fit is replaced, never an error."""
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
    for said in (declared, _declared_in(data)):
        if said and (charset := _known(said)) and _fits(data, charset):
            return charset
    return _guess(data)


def wide_charset(data: bytes) -> str | None:
    """UTF-16 or UTF-32, by their mark or by the NULs of plain letters."""
    for mark, charset in MARKS:
        if data.startswith(mark):
            return charset
    return _utf16_without_mark(data)


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        # A file cut inside a character is still UTF-8, when it has others to show for it.
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
    found = DECLARED.search(data[:2_048])
    said = next((group for group in found.groups() if group), None) if found else None
    return said.decode("ascii", "replace") if said else None


def _known(name: str) -> str | None:
    name = MEANT.get(name.strip().lower(), name.strip().lower())
    try:
        found = codecs.lookup(name).name
    except (LookupError, ValueError):
        return None
    # Codecs that are no charsets (base64, zlib…) would make bytes, or bombs.
    return found if codecs.lookup(found)._is_text_encoding else None


def _fits(data: bytes, charset: str) -> bool:
    text = data[:SAMPLE_BYTES].decode(charset, "replace")
    return text.count("\ufffd") <= len(text) // 500 + 1


def _guess(data: bytes) -> str:
    sample = data[:SAMPLE_BYTES]
    high = sum(1 for byte in sample if byte > 127)
    if high <= WESTERN_SHARE * len(sample):
        return _western(sample, high)
    if japanese := _by_kana(sample):
        return japanese
    # Imported here because most files are UTF-8 and never need it.
    from charset_normalizer import from_bytes

    best = from_bytes(sample, cp_isolation=[*OTHERS], enable_fallback=False).best()
    return best.encoding if best else "cp1252"


def _western(sample: bytes, high: int) -> str:
    text = sample.decode("cp1252", "replace")
    if EURO.search(text) and not CONTROLS.search(sample):
        return "iso8859-15"
    return "cp1250" if _looks_misread(text, high) else "cp1252"


def _by_kana(sample: bytes) -> str | None:
    """Japanese shows itself by its syllables, which no other text has when read so."""
    for charset in ("cp932", "euc_jp"):
        text = sample.decode(charset, "replace")
        kana = sum(1 for char in text if "\u3041" <= char <= "\u3096")
        if kana >= KANA_SHARE * len(text) and text.count("\ufffd") <= len(text) // 100:
            return charset
    return None


def _looks_misread(text: str, high: int) -> bool:
    return len(MISREAD.findall(text)) > 0.1 * high
