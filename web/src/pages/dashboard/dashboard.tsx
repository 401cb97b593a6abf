import { useInfiniteQuery } from "@tanstack/react-query";
import clsx from "clsx";
import { Link } from "react-router";
import { AddBox } from "~/features/documents/add-box";
import { useHiddenDocuments } from "~/features/documents/delete";
import { DocumentCard } from "~/features/documents/document-card";
import { documentsQuery } from "~/features/documents/documents";
import { usePerson } from "~/features/session/session";
import { t } from "~/lib/language";
import { useTitle } from "~/lib/use-title";
import { Section } from "~/ui/layout";
import { Loaded, Skeleton } from "~/ui/states";
import { Changed } from "./changed";
import { Due } from "./due";
import { FirstRun } from "./first-run";
import { Profile } from "./profile";
import { SampleNote } from "./sample-note";
import { SmallGraph } from "./small-graph";
import { YourName } from "./your-name";

const SHOWN = 8;

export default function Dashboard() {
  useTitle(t("Home"));
  const person = usePerson();
  const hidden = useHiddenDocuments();
  const recent = useInfiniteQuery(documentsQuery({}, SHOWN));
  const isEmpty = recent.data?.pages[0]?.documents.length === 0;
  const name = person.name_given ? person.name.split(" ")[0] : "";
  return (
    <div className="mx-auto w-full max-w-7xl px-4 py-6 max-sm:py-4 sm:px-8 sm:py-8">
      <h1 className="sr-only">{t("Home")}</h1>
      <YourName />
      {/* On a phone, the first row is content; "Add" is at the top of every page. */}
      <div className={clsx("mb-8", !isEmpty && "max-sm:hidden")}>
        <p className="mb-4 text-lg font-semibold tracking-tight">
          {name ? t("{greeting}, {name}", { greeting: greeting(), name }) : greeting()}
        </p>
        <AddBox />
      </div>
      <SampleNote />
      <div className="grid gap-8 xl:grid-cols-[minmax(0,1fr)_320px]">
        <div className="min-w-0 space-y-8">
          <Due />
          <Section
            title={isEmpty ? t("Get started") : t("Recently saved")}
            actions={
              !isEmpty && (
                <Link to="/library" className="text-sm text-accent hover:underline">
                  {t("All documents")}
                </Link>
              )
            }
          >
            <Loaded query={recent} skeleton={<CardSkeletons />}>
              {({ pages }) => {
                const documents = pages[0]?.documents.filter(({ id }) => !hidden.has(id)) ?? [];
                if (!documents.length) return <FirstRun />;
                return (
                  <ul className="grid gap-3 sm:grid-cols-2 2xl:grid-cols-3">
                    {documents.map((document) => (
                      <li key={document.id}>
                        <DocumentCard document={document} />
                      </li>
                    ))}
                  </ul>
                );
              }}
            </Loaded>
          </Section>
          <Changed />
        </div>
        <aside className="min-w-0 space-y-8">
          <Profile />
          <SmallGraph />
        </aside>
      </div>
    </div>
  );
}

function greeting(): string {
  const hour = new Date().getHours();
  if (hour < 5) return t("Good evening");
  if (hour < 12) return t("Good morning");
  return hour < 18 ? t("Good afternoon") : t("Good evening");
}

function CardSkeletons() {
  return (
    <div className="grid gap-3 sm:grid-cols-2" role="status" aria-label={t("Loading")}>
      {["a", "b", "c", "d"].map((key) => (
        <Skeleton key={key} className="h-36 rounded-lg" />
      ))}
    </div>
  );
}
