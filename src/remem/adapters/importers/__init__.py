"""What other products export: one module each."""

from remem.adapters.table import Adapter

# Those that recognise a file by the most come first.
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
