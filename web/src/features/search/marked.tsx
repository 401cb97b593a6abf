import { markWords } from "./marking";

export function Marked({ text, query }: { text: string; query: string }) {
  return markWords(text, query).map(({ text: piece, marked, at }) =>
    marked ? <mark key={at}>{piece}</mark> : <span key={at}>{piece}</span>,
  );
}
