import { type RefObject, useEffect, useRef, useState } from "react";
import { t } from "~/lib/language";

const STORED = "remem.read.";
const END = 0.98;
const STORE_MS = 400;

/** How much of the text was scrolled past, from 0 to 1; it is where you left it when you return. */
export function useProgress(
  id: string,
  text: RefObject<HTMLElement | null>,
  onEnd: () => void,
): number {
  const [share, setShare] = useState(0);
  const end = useRef(onEnd);
  end.current = onEnd;
  useEffect(() => {
    const content = document.getElementById("content");
    if (!content) return;
    const stored = Number(localStorage.getItem(STORED + id));
    const distance = () => content.scrollHeight - content.clientHeight;
    let wasScrolled = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const restored = requestAnimationFrame(() => {
      if (stored > 0 && stored < END) content.scrollTo(0, stored * distance());
    });
    function follow() {
      if (!content || !text.current) return;
      const now = distance() > 0 ? Math.min(1, content.scrollTop / distance()) : 1;
      setShare(now);
      clearTimeout(timer);
      timer = setTimeout(() => localStorage.setItem(STORED + id, now.toFixed(4)), STORE_MS);
      if (wasScrolled && now >= END) end.current();
    }
    function scrolled() {
      wasScrolled = true;
      follow();
    }
    content.addEventListener("scroll", scrolled, { passive: true });
    return () => {
      cancelAnimationFrame(restored);
      clearTimeout(timer);
      content.removeEventListener("scroll", scrolled);
    };
  }, [id, text]);
  return share;
}

export function ProgressBar({ share }: { share: number }) {
  return (
    <div
      role="progressbar"
      aria-label={t("Read so far")}
      aria-valuenow={Math.round(share * 100)}
      className="sticky top-0 z-20 h-0.5"
    >
      <div
        className="h-full origin-left bg-accent rtl:origin-right"
        style={{ transform: `scaleX(${share})` }}
      />
    </div>
  );
}
