import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { toast } from "sonner";
import { type Feed, type FeedKind, feedsQuery, useFeeds } from "~/features/feeds/feeds";
import { messageOf } from "~/lib/api";
import { Button } from "~/ui/button";
import { Chip } from "~/ui/chip";
import { Dialog, DialogActions } from "~/ui/dialog";
import { Field, Input, Select } from "~/ui/input";
import { Row, Rows, Section } from "~/ui/layout";
import { Loaded, SkeletonList } from "~/ui/states";
import { Time } from "~/ui/time";

const KINDS: [FeedKind, string][] = [
  ["research", "Research digest"],
  ["projects", "New projects"],
];

export function Feeds() {
  const feeds = useQuery(feedsQuery);
  const [adding, setAdding] = useState(false);
  const { remove, collect } = useFeeds();
  return (
    <Section
      id="feeds"
      title="Feeds"
      description="What is new in them is saved once a day, at 09:00 UTC, as a digest."
      actions={
        <>
          {!!feeds.data?.length && (
            <Button
              busy={collect.isPending}
              onClick={() =>
                collect.mutate(undefined, {
                  onSuccess: () => toast.success("Feeds are being read"),
                  onError: (error) => toast.error(messageOf(error)),
                })
              }
            >
              Read now
            </Button>
          )}
          <Button onClick={() => setAdding(true)}>
            <Plus size={14} /> Add feed
          </Button>
        </>
      }
    >
      <Loaded query={feeds} skeleton={<SkeletonList rows={2} height="h-14" />}>
        {(all) =>
          all.length ? (
            <Rows>
              {all.map((feed) => (
                <FeedRow
                  key={feed.id}
                  feed={feed}
                  onRemove={() =>
                    remove.mutate(feed.id, {
                      onSuccess: () => toast.success("Feed removed; what was collected stays"),
                      onError: (error) => toast.error(messageOf(error)),
                    })
                  }
                />
              ))}
            </Rows>
          ) : (
            <p className="text-sm text-muted">
              No feeds yet. Add the address of a blog, a journal or the releases of a project.
            </p>
          )
        }
      </Loaded>
      <Dialog open={adding} title="Add a feed" onClose={() => setAdding(false)}>
        <Add onClose={() => setAdding(false)} />
      </Dialog>
    </Section>
  );
}

function FeedRow({ feed, onRemove }: { feed: Feed; onRemove: () => void }) {
  const name = feed.title ?? feed.url;
  return (
    <Row>
      <div className="min-w-0 flex-1">
        <div className="truncate font-medium">{name}</div>
        {feed.title && <div className="truncate text-sm text-muted">{feed.url}</div>}
        <div className="text-sm text-muted">
          {feed.collectedAt ? (
            <>
              last read <Time at={feed.collectedAt} />
            </>
          ) : (
            "not read yet"
          )}{" "}
          · project {feed.project}
        </div>
        {feed.error && <div className="text-sm text-danger">{feed.error}</div>}
      </div>
      <Chip>{KINDS.find(([kind]) => kind === feed.kind)?.[1] ?? feed.kind}</Chip>
      <Button variant="danger" size="sm" aria-label={`Remove ${name}`} onClick={onRemove}>
        Remove
      </Button>
    </Row>
  );
}

function Add({ onClose }: { onClose: () => void }) {
  const [url, setUrl] = useState("");
  const [kind, setKind] = useState<FeedKind>("research");
  const [project, setProject] = useState("");
  const { add } = useFeeds();
  const submit = () =>
    add.mutate(
      { url: url.trim(), kind, ...(project.trim() ? { project: project.trim() } : {}) },
      {
        onSuccess: () => {
          toast.success("Feed added");
          onClose();
        },
      },
    );
  return (
    <form
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Field label="Address" hint="Of an RSS, Atom or JSON feed.">
        {(id, describedBy) => (
          <Input
            id={id}
            aria-describedby={describedBy}
            type="url"
            required
            value={url}
            placeholder="https://example.org/feed"
            onChange={(event) => setUrl(event.target.value)}
          />
        )}
      </Field>
      <Field label="Digest">
        {(id) => (
          <Select
            id={id}
            value={kind}
            onChange={(event) => setKind(event.target.value as FeedKind)}
          >
            {KINDS.map(([name, label]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Project" hint="Left empty: your default project.">
        {(id, describedBy) => (
          <Input
            id={id}
            aria-describedby={describedBy}
            value={project}
            onChange={(event) => setProject(event.target.value)}
          />
        )}
      </Field>
      {add.error && (
        <p role="alert" className="text-sm text-danger">
          {messageOf(add.error)}
        </p>
      )}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" busy={add.isPending}>
          Add feed
        </Button>
      </DialogActions>
    </form>
  );
}
