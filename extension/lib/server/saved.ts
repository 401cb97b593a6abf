/** Whether a page is saved, and what was highlighted on it. */

import { call, checked } from "./calls";

export type Passage = { quote: string; before: string; after: string };
export type PageHighlight = Passage & { id: string; note: string | null };
export type SavedPage = {
  id: string;
  savedAt: string;
  tags: string[];
  highlights: PageHighlight[];
};

/** The document that has this address, also if it is archived. */
export const fetchSavedPage = (url: string): Promise<SavedPage | null> =>
  call(async ({ api }) => {
    const query = { source_url: url, archived: true, limit: 1 };
    const [document] = checked(await api.GET("/v3/documents", { params: { query } })).documents;
    if (!document) return null;
    const path = { id: document.id };
    const reply = await api.GET("/v3/documents/{id}/highlights", { params: { path } });
    const highlights = checked(reply).highlights.map(({ id, quote, before, after, note }) => ({
      id,
      quote,
      before,
      after,
      note,
    }));
    return { id: document.id, savedAt: document.created_at, tags: document.tags, highlights };
  });

/** Keep a copy of the page that a document was saved from. */
export const sendCopy = (id: string, html: string): Promise<unknown> =>
  call(async ({ api }) => {
    const body = new FormData();
    body.set("file", new Blob([html], { type: "text/html" }), "page.html");
    return checked(
      await api.POST("/v3/documents/{id}/copy", {
        params: { path: { id } },
        body: body as never,
        bodySerializer: (sent) => sent as never,
      }),
    );
  });

/** Highlight words of a document; they are kept even if its text does not have them. */
export const addHighlight = (id: string, passage: Passage): Promise<unknown> =>
  call(async ({ api }) =>
    checked(
      await api.POST("/v3/documents/{id}/highlights", {
        params: { path: { id } },
        body: { ...passage, keep: true },
      }),
    ),
  );
