import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { AddBox } from "~/features/documents/add-box";
import { useHiddenDocuments } from "~/features/documents/delete";
import { DocumentCard } from "~/features/documents/document-card";
import { documentsQuery } from "~/features/documents/documents";
import { usePerson } from "~/features/session/session";
import { useTitle } from "~/lib/use-title";
import { Section } from "~/ui/layout";
import { Loaded, Skeleton } from "~/ui/states";
import { Due } from "./due";
import { FirstRun } from "./first-run";
import { Numbers } from "./numbers";
import { Profile } from "./profile";
import { SampleNote } from "./sample-note";
import { SmallGraph } from "./small-graph";

const SHOWN = 20;

export default function Dashboard() {
  useTitle("Home");
  const person = usePerson();
  const hidden = useHiddenDocuments();
  const recent = useInfiniteQuery(documentsQuery({}, SHOWN));
  const isEmpty = recent.data?.pages[0]?.documents.length === 0;
  return (
    <div className="mx-auto w-full max-w-7xl px-4 py-6 sm:px-8 sm:py-8">
      <h1 className="sr-only">Home</h1>
      <p className="mb-4 text-lg font-semibold tracking-tight">
        {greeting()}
        {person.name ? `, ${person.name.split(" ")[0]}` : ""}
      </p>
      <AddBox />
      <SampleNote />
      <div className="mt-8 grid gap-8 xl:grid-cols-[minmax(0,1fr)_320px]">
        <div className="min-w-0 space-y-8">
          <Section
            title={isEmpty ? "Get started" : "Recently saved"}
            actions={
              !isEmpty && (
                <Link to="/library" className="text-sm text-accent hover:underline">
                  All documents
                </Link>
              )
            }
          >
            <Loaded query={recent} skeleton={<CardSkeletons />}>
              {({ pages }) => {
                const documents = pages[0]?.documents.filter(({ id }) => !hidden.has(id)) ?? [];
                if (!documents.length) return <FirstRun />;
                return (
                  <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-2 2xl:grid-cols-3">
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
        </div>
        <aside className="min-w-0 space-y-8">
          <Numbers />
          <Due />
          <Profile />
          <SmallGraph />
        </aside>
      </div>
    </div>
  );
}

function greeting(): string {
  const hour = new Date().getHours();
  if (hour < 5) return "Good evening";
  if (hour < 12) return "Good morning";
  return hour < 18 ? "Good afternoon" : "Good evening";
}

function CardSkeletons() {
  return (
    <div className="grid gap-3 sm:grid-cols-2" role="status" aria-label="Loading">
      {["a", "b", "c", "d"].map((key) => (
        <Skeleton key={key} className="h-36 rounded-lg" />
      ))}
    </div>
  );
}
