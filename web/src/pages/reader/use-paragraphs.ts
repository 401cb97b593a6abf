import { type RefObject, useEffect, useRef } from "react";
import { useKeys } from "~/lib/keyboard";

const BLOCKS = "p, li, h1, h2, h3, h4, blockquote, pre, table";

/** Moves through the paragraphs with j and k; returns a function that gives the current one. */
export function useParagraphs(text: RefObject<HTMLElement | null>): () => HTMLElement | undefined {
  const current = useRef<HTMLElement>(undefined);
  const go = (step: 1 | -1) => {
    const blocks = [...(text.current?.querySelectorAll<HTMLElement>(BLOCKS) ?? [])].filter(
      (block) => !block.querySelector(BLOCKS),
    );
    const at = current.current ? blocks.indexOf(current.current) : -1;
    const next = blocks[at < 0 ? firstVisible(blocks) : at + step];
    if (!next) return;
    current.current?.removeAttribute("data-current");
    next.setAttribute("data-current", "");
    next.scrollIntoView({ block: "nearest" });
    current.current = next;
  };
  useKeys({ j: () => go(1), k: () => go(-1) });
  useEffect(() => () => current.current?.removeAttribute("data-current"), []);
  return () => current.current;
}

function firstVisible(blocks: HTMLElement[]): number {
  const at = blocks.findIndex((block) => block.getBoundingClientRect().bottom > 80);
  return Math.max(0, at);
}
