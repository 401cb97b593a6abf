"""Importers of other products' exports, one module each."""

from remem.adapters.table import Adapter

# The most specific ones come first: they are asked in this order whether they recognise a file.
ADAPTERS = {
    "chatgpt": Adapter("remem.adapters.importers.chatgpt:ChatGptImporter", "ChatGPT"),
    "claude": Adapter("remem.adapters.importers.claude:ClaudeImporter", "Claude"),
    "karakeep": Adapter("remem.adapters.importers.karakeep:KarakeepImporter", "Karakeep"),
    "supermemory": Adapter(
        "remem.adapters.importers.supermemory:SupermemoryImporter", "Supermemory"
    ),
    "mem0": Adapter("remem.adapters.importers.mem0:Mem0Importer", "mem0"),
    "pocket": Adapter("remem.adapters.importers.pocket:PocketImporter", "Pocket"),
    "raindrop": Adapter("remem.adapters.importers.raindrop:RaindropImporter", "Raindrop"),
    "slack": Adapter("remem.adapters.importers.slack:SlackImporter", "Slack"),
    "obsidian": Adapter("remem.adapters.importers.obsidian:ObsidianImporter", "Obsidian"),
}
