import { Bookmark } from "lucide-react";
import { useState } from "react";
import { ask } from "@/lib/messages";
import { Notice } from "@/lib/ui/notice";
import { t } from "@/lib/words";

/** A button that saves all bookmarks, on the bookmarks page of X. */
export function Bookmarks({ url, tab }: { url: string; tab: number }) {
  const [problem, setProblem] = useState("");
  if (!/^https:\/\/(x|twitter)\.com\/i\/bookmarks/.test(url)) return null;
  const start = () =>
    ask({ type: "collect-bookmarks", tab }).then(
      () => window.close(),
      (error) => setProblem(error.message),
    );
  return (
    <>
      <button type="button" className="button" onClick={start}>
        <Bookmark size={16} aria-hidden /> {t("save_bookmarks")}
      </button>
      {problem && <Notice tone="bad">{problem}</Notice>}
    </>
  );
}
