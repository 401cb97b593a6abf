import { answerOf, api } from "~/lib/api";
import { type DocumentLine, tagsOf } from "./documents";

/** Downloads the selected documents as one Markdown file. */
export async function exportDocuments(documents: DocumentLine[]): Promise<void> {
  const texts: string[] = [];
  for (const { id } of documents) {
    const document = await answerOf(api.GET("/v3/documents/{id}", { params: { path: { id } } }));
    const tags = tagsOf(document);
    const head = [
      `title: ${JSON.stringify(document.title)}`,
      `created: ${document.created_at}`,
      ...(document.source_url ? [`source: ${document.source_url}`] : []),
      ...(tags.length ? [`tags: [${tags.join(", ")}]`] : []),
    ];
    texts.push(`---\n${head.join("\n")}\n---\n\n${document.content}\n`);
  }
  saveFile(texts.join("\n"), documents.length === 1 ? fileName(documents[0]?.title) : "remem.md");
}

function fileName(title = "document"): string {
  const name = title.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "");
  return `${name.slice(0, 60) || "document"}.md`;
}

export function saveFile(text: string, name: string, type = "text/markdown"): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
