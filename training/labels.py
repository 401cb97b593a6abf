"""What the heads of the reader say, and the people that are held out."""

RELATIONS = ("same", "updates", "extends", "unrelated", "cancels")
KINDS = ("person", "organisation", "place", "thing", "time", "amount")
# Outside, then the first and the further words of each kind.
TAGS = 1 + 2 * len(KINDS)
CATEGORIES = ("fact", "preference", "decision", "task", "event", "relation", "procedure")
# Invented people that neither the embedder nor the reader learns from, by name of their folders.
HELD = (
    "en-tom", "de-verena", "fr-solene", "es-yolima", "ja-tetsuo", "zh-yating", "ru-nadezhda",
    "it-renzo", "ar-mahmoud", "hi-kavita", "en-cathal", "de-annkathrin", "ja-sayoko", "es-graciela",
)  # fmt: skip
