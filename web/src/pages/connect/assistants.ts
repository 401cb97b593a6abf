import { t } from "~/lib/language";
export type Assistant = {
  name: string;
  how: string;
  /** The command, or the settings to copy. */
  text: (address: string) => string;
  link?: (address: string) => string;
  /** Matches the names of its keys and grants. */
  known: RegExp;
};

const server = (address: string) => ({ url: `${address}/mcp` });
const json = (value: unknown) => JSON.stringify(value, null, 2);
const encoded = (value: unknown) => btoa(JSON.stringify(value));

export const ASSISTANTS: Assistant[] = [
  {
    name: "Claude Code",
    how: t("Run this in a terminal. Claude asks you to sign in the first time."),
    text: (address) => `claude mcp add --transport http remem ${address}/mcp`,
    known: /claude/i,
  },
  {
    name: "Claude Desktop",
    how: t("Run this on the computer where Claude Desktop is installed, then restart Claude."),
    text: () => "remem install claude-desktop",
    known: /claude/i,
  },
  {
    name: "Cursor",
    how: t("Use the button, or add this to ~/.cursor/mcp.json."),
    text: (address) => json({ mcpServers: { remem: server(address) } }),
    link: (address) =>
      `cursor://anysphere.cursor-deeplink/mcp/install?name=remem&config=${encodeURIComponent(encoded(server(address)))}`,
    known: /cursor/i,
  },
  {
    name: "VS Code",
    how: t("Use the button, or add this to .vscode/mcp.json."),
    text: (address) => json({ servers: { remem: { type: "http", ...server(address) } } }),
    link: (address) =>
      `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: "remem", type: "http", ...server(address) }))}`,
    known: /visual studio code|vs ?code/i,
  },
  {
    name: "ChatGPT",
    how: t(
      "In ChatGPT, add a connector with this address. The server must be reachable from the internet.",
    ),
    text: (address) => `${address}/mcp/assistant`,
    known: /chatgpt|openai/i,
  },
  {
    name: t("Any other assistant"),
    how: t("Most assistants read their MCP servers from a file in this format."),
    text: (address) =>
      json({
        mcpServers: {
          remem: { ...server(address), headers: { Authorization: "Bearer YOUR_KEY" } },
        },
      }),
    known: /mcp/i,
  },
];
