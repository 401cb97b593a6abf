import { modifier } from "~/lib/keyboard";
import { t } from "~/lib/language";
import { Dialog } from "~/ui/dialog";
import { Kbd } from "~/ui/kbd";
import { MAIN, MORE, PROJECTS } from "./destinations";

const GROUPS: { title: string; keys: [string, string][] }[] = [
  {
    title: t("Anywhere"),
    keys: [
      [`${modifier} k`, t("Find anything, go anywhere")],
      ["/", t("Search")],
      ["n", t("Add")],
      ["u", t("Undo the last delete")],
      ["[", t("Show or hide the sidebar")],
      ["?", t("List all keys")],
    ],
  },
  {
    title: t("Go to"),
    keys: [...MAIN, PROJECTS, ...MORE].map(({ keys, label }) => [keys, label]),
  },
  {
    title: t("In a list"),
    keys: [
      ["j", t("Next")],
      ["k", t("Previous")],
      ["o", t("Open")],
      ["x", t("Select")],
      ["e", t("Edit")],
      ["m", t("Read or unread")],
      ["f", t("Favourite")],
      ["a", t("Archive")],
      ["#", t("Delete")],
    ],
  },
  {
    title: t("Reader"),
    keys: [
      ["j", t("Next paragraph")],
      ["k", t("Previous paragraph")],
      ["h", t("Highlight the selection, or the paragraph")],
      ["H", t("Highlight it with a note")],
      ["J", t("Next unread")],
    ],
  },
  {
    title: t("Review"),
    keys: [
      ["a", t("Accept the memory")],
      ["d", t("Decline the memory")],
    ],
  },
];

export function KeysDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} title={t("Keyboard shortcuts")} onClose={onClose} wide>
      <div className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
        {GROUPS.map(({ title, keys }) => (
          <section key={title}>
            <h3 className="mb-2 text-sm font-medium text-muted">{title}</h3>
            <dl className="space-y-1.5">
              {keys.map(([key, meaning]) => (
                <div key={key} className="flex items-center justify-between gap-4">
                  <dt>{meaning}</dt>
                  <dd className="flex gap-1">
                    {key.split(" ").map((part) => (
                      <Kbd key={part}>{part}</Kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
