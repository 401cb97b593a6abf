/** Read the open page: what is selected, else by its site, else as any page. */

import { typeOf } from "../dom";
import { cut, type Draft, type FileDraft } from "../draft";
import { removeBlocks } from "../insert/block";
import { extractChat } from "./chats";
import { extractGdocs } from "./gdocs";
import { extractGeneric } from "./generic";
import { extractGithub } from "./github";
import {
  cleanAddress,
  type Extract,
  type Extracted,
  fileNameOf,
  isHost,
  metadataOf,
  type Page,
  titleOf,
  toDraft,
} from "./page";
import { extractSelection } from "./selection";
import { extractTwitter } from "./twitter";
import { extractYoutube } from "./youtube";

const SITES: Extract[] = [extractTwitter, extractGithub, extractYoutube, extractGdocs, extractChat];

export async function capture(page: Page, selected: string): Promise<Draft> {
  const file = fileOf(page);
  if (file) return file;
  const found = extractSelection(page, selected) ?? (await bySite(page)) ?? otherwise(page);
  return cut(toDraft(page, { ...found, content: removeBlocks(found.content) }));
}

async function bySite(page: Page): Promise<Extracted | null> {
  for (const extract of SITES) {
    try {
      const found = await extract(page);
      if (found?.content) return found;
    } catch {
      // A site that changed is read as any page.
    }
  }
  return null;
}

function otherwise(page: Page): Extracted {
  const found = extractGeneric(page);
  const isDocs = isHost(page.url, "docs.google.com");
  return isDocs ? { ...found, notice: "export_forbidden" } : found;
}

/** A tab that shows a PDF or a picture is uploaded as the file that it is. */
function fileOf(page: Page): FileDraft | null {
  const type = typeOf(page.document);
  if (type !== "application/pdf" && !/^image\/(?!svg)/.test(type)) return null;
  const name = fileNameOf(page.url);
  const url = cleanAddress(page.url);
  return {
    kind: "file",
    title: titleOf(page.document) || name,
    name,
    type,
    url,
    metadata: metadataOf(page),
  };
}
