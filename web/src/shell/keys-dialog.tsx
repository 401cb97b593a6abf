import { modifier } from "~/lib/keyboard";
import { Dialog } from "~/ui/dialog";
import { Kbd } from "~/ui/kbd";
import { MAIN, MORE, PROJECTS } from "./destinations";

const GROUPS: { title: string; keys: [string, string][] }[] = [
  {
    title: "Anywhere",
    keys: [
      [`${modifier} k`, "Find anything, go anywhere"],
      ["/", "Search"],
      ["n", "Add"],
      ["u", "Undo the last delete"],
      ["[", "Show or hide the sidebar"],
      ["?", "List all keys"],
    ],
  },
  {
    title: "Go to",
    keys: [...MAIN, PROJECTS, ...MORE].map(({ keys, label }) => [keys, label]),
  },
  {
    title: "In a list",
    keys: [
      ["j", "Next"],
      ["k", "Previous"],
      ["o", "Open"],
      ["x", "Select"],
      ["e", "Edit"],
      ["m", "Read or unread"],
      ["f", "Favourite"],
      ["a", "Archive"],
      ["#", "Delete"],
    ],
  },
  {
    title: "Reader",
    keys: [
      ["j", "Next paragraph"],
      ["k", "Previous paragraph"],
      ["h", "Highlight the selection, or the paragraph"],
      ["H", "Highlight it with a note"],
      ["J", "Next unread"],
    ],
  },
  {
    title: "Review",
    keys: [
      ["a", "Accept the memory"],
      ["d", "Decline the memory"],
    ],
  },
];

export function KeysDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} title="Keyboard shortcuts" onClose={onClose} wide>
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
