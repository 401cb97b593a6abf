export type SnippetName = "curl" | "python" | "typescript";

export const SNIPPETS: Record<SnippetName, (address: string) => string> = {
  curl: (address) => `# Save something
curl ${address}/v3/memory \\
  -H "Authorization: Bearer $REMEM_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"content": "The dentist moved my appointment to Friday at nine"}'

# Find it again
curl ${address}/v3/recall \\
  -H "Authorization: Bearer $REMEM_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"query": "when do I see the dentist?"}'`,
  python: (address) => `from remem import Remem

with Remem("${address}", "YOUR_KEY") as memory:
    memory.save("The dentist moved my appointment to Friday at nine")
    for result in memory.recall("when do I see the dentist?").results:
        print(result.title, result.score)`,
  typescript: (address) => `import { createRemem } from "remem-client";

const memory = createRemem("${address}", "YOUR_KEY");
await memory.save("The dentist moved my appointment to Friday at nine");
const { results } = await memory.recall("when do I see the dentist?");
console.log(results.map((result) => result.title));`,
};
