/** Read the open page: the selection, else with the extractor for its site, else as a generic page. */

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
  const extracted =
    extractSelection(page, selected) ?? (await extractBySite(page)) ?? extractAny(page);
  return cut(toDraft(page, { ...extracted, content: removeBlocks(extracted.content) }));
}

async function extractBySite(page: Page): Promise<Extracted | null> {
  for (const extract of SITES) {
    try {
      const extracted = await extract(page);
      if (extracted?.content) return extracted;
    } catch {
      // The site may have changed; read it as a generic page.
    }
  }
  return null;
}

function extractAny(page: Page): Extracted {
  const extracted = extractGeneric(page);
  const isDocs = isHost(page.url, "docs.google.com");
  return isDocs ? { ...extracted, notice: "export_forbidden" } : extracted;
}

/** The file of a tab that shows a PDF or a picture; it is uploaded as a file. */
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
