import { useQuery } from "@tanstack/react-query";
import { Brain, FolderInput, type LucideIcon, Plug, Search } from "lucide-react";
import { Link, Navigate } from "react-router";
import { sessionQuery, signInOptionsQuery } from "~/features/session/session";
import { BASE_PATH } from "~/lib/base";
import { t } from "~/lib/language";
import { useTitle } from "~/lib/use-title";
import { buttonClass } from "~/ui/button";

const POINTS: { icon: LucideIcon; title: string; text: string }[] = [
  {
    icon: FolderInput,
    title: t("Save anything"),
    text: t(
      "Notes, web pages, PDFs, pictures, recordings, mail. Drop it in, and remem extracts the text.",
    ),
  },
  {
    icon: Search,
    title: t("Find it again"),
    text: t("By meaning, word, person or date, with the sentence that answers your question."),
  },
  {
    icon: Brain,
    title: t("Know what you know"),
    text: t("Single statements with their source, their history and what replaced them."),
  },
  {
    icon: Plug,
    title: t("Share it with your assistants"),
    text: t("Claude, Cursor, ChatGPT and your own scripts remember the same things."),
  },
];

export default function Welcome() {
  useTitle("");
  const { data: person, isPending } = useQuery(sessionQuery);
  const { data: options } = useQuery(signInOptionsQuery);
  if (person) return <Navigate to="/dashboard" replace />;
  if (isPending) return null;
  return (
    <main className="mx-auto flex min-h-full max-w-4xl flex-col px-6 py-8">
      <header className="flex items-center gap-2 font-semibold">
        <img src={`${BASE_PATH}/favicon.svg`} alt="" className="size-6" /> remem
        <Link to="/login" className={`${buttonClass("secondary")} ms-auto`}>
          {t("Sign in")}
        </Link>
      </header>
      <div className="my-auto py-16">
        <h1 className="max-w-xl text-xl font-semibold tracking-tight text-balance">
          {t("One memory for you and your assistants")}
        </h1>
        <p className="mt-3 max-w-xl text-md text-muted">
          {t(
            "remem keeps what you save, understands it, and gives it back when it matters. It runs on your own machine. Nothing leaves it.",
          )}
        </p>
        <div className="mt-6 flex gap-2">
          <Link to="/login" className={buttonClass("primary")}>
            {t("Sign in")}
          </Link>
          {options?.registration && (
            <Link to="/register" className={buttonClass("secondary")}>
              {t("Create an account")}
            </Link>
          )}
        </div>
        <ul className="mt-14 grid gap-x-10 gap-y-8 border-t pt-8 sm:grid-cols-2">
          {POINTS.map(({ icon: Icon, title, text }) => (
            <li key={title} className="flex gap-3">
              <Icon size={18} strokeWidth={1.75} className="mt-0.5 shrink-0 text-accent" />
              <div>
                <h2 className="font-medium">{title}</h2>
                <p className="text-muted">{text}</p>
              </div>
            </li>
          ))}
        </ul>
      </div>
    </main>
  );
}
