import { Highlighter, MessageSquarePlus } from "lucide-react";
import { type RefObject, useEffect, useState } from "react";
import { t } from "~/lib/language";
import { Button } from "~/ui/button";
import { selectedRange } from "./use-highlighting";

type Place = { left: number; top: number };
type Props = { root: RefObject<HTMLElement | null>; onMark: (withNote: boolean) => void };

const HEIGHT = 44;
const HALF_WIDTH = 110;

/** Buttons next to the selected words; on a phone above the bottom bar, out of the way of its menu. */
export function SelectionTools({ root, onMark }: Props) {
  const [place, setPlace] = useState<Place | null>(null);
  useEffect(() => {
    const follow = () => setPlace(placeOf(selectedRange(root.current)));
    document.addEventListener("selectionchange", follow);
    const content = document.getElementById("content");
    content?.addEventListener("scroll", follow, { passive: true });
    return () => {
      document.removeEventListener("selectionchange", follow);
      content?.removeEventListener("scroll", follow);
    };
  }, [root]);
  if (!place) return null;
  const style = { "--left": `${place.left}px`, "--top": `${place.top}px` } as React.CSSProperties;
  return (
    <div
      role="toolbar"
      aria-label={t("Selected words")}
      style={style}
      // The selection must stay when a button is pressed.
      onPointerDown={(event) => event.preventDefault()}
      className="fixed z-30 flex gap-1 rounded-lg border border-line-strong bg-surface p-1 max-sm:inset-x-0 max-sm:bottom-20 max-sm:mx-auto max-sm:w-fit sm:top-(--top) sm:left-(--left) sm:-translate-x-1/2"
    >
      <Button variant="quiet" size="sm" onClick={() => onMark(false)}>
        <Highlighter size={14} /> {t("Highlight")}
      </Button>
      <Button variant="quiet" size="sm" onClick={() => onMark(true)}>
        <MessageSquarePlus size={14} /> {t("Note")}
      </Button>
    </div>
  );
}

function placeOf(range: Range | undefined): Place | null {
  if (!range) return null;
  const { left, width, top, bottom } = range.getBoundingClientRect();
  if (bottom < 0 || top > window.innerHeight) return null;
  const above = top - HEIGHT - 4;
  const widest = window.innerWidth - HALF_WIDTH;
  return {
    left: Math.min(Math.max(left + width / 2, HALF_WIDTH), widest),
    top: above > 60 ? above : Math.min(bottom + 8, window.innerHeight - HEIGHT),
  };
}
