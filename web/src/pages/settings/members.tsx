import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "sonner";
import {
  membersQuery,
  organizationsQuery,
  type Role,
  useCreateOrganization,
  useMembers,
} from "~/features/account/account";
import { usePerson } from "~/features/session/session";
import { messageOf, type Schemas } from "~/lib/api";
import { t } from "~/lib/language";
import { Button } from "~/ui/button";
import { Input, Select } from "~/ui/input";
import { Card, Row, Section } from "~/ui/layout";
import { Loaded, SkeletonList } from "~/ui/states";

const ROLES: Role[] = ["member", "admin", "owner"];
const ROLE_NAMES: Record<Role, string> = {
  member: t("member"),
  admin: t("admin"),
  owner: t("owner"),
};

export function Members() {
  const organizations = useQuery(organizationsQuery);
  const [name, setName] = useState("");
  const create = useCreateOrganization();
  return (
    <Section
      id="members"
      title={t("Organizations and members")}
      description={t("An organization is a shared space for its members.")}
    >
      <Loaded query={organizations} skeleton={<SkeletonList rows={1} height="h-14" />}>
        {(all) => (
          <div className="space-y-4">
            {all
              .filter((organization) => organization.kind === "org")
              .map((organization) => (
                <Organization key={organization.id} organization={organization} />
              ))}
            <form
              className="flex gap-2"
              onSubmit={(event) => {
                event.preventDefault();
                create.mutate(
                  { name },
                  {
                    onSuccess: () => setName(""),
                    onError: (error) => toast.error(messageOf(error)),
                  },
                );
              }}
            >
              <Input
                aria-label={t("Name of a new organization")}
                placeholder={t("New organization")}
                required
                className="max-w-60"
                value={name}
                onChange={(e) => setName(e.target.value)}
              />
              <Button type="submit" busy={create.isPending}>
                {t("Create")}
              </Button>
            </form>
          </div>
        )}
      </Loaded>
    </Section>
  );
}

function Organization({ organization }: { organization: Schemas["OrganizationOut"] }) {
  const members = useQuery(membersQuery(organization.id));
  const { add, change, remove } = useMembers(organization.id);
  const person = usePerson();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("member");
  const manages = organization.role === "owner" || organization.role === "admin";
  const onError = (error: unknown) => toast.error(messageOf(error));
  return (
    <Card>
      <h3 className="border-b px-4 py-3 font-medium">{organization.name}</h3>
      <Loaded query={members} skeleton={<SkeletonList rows={2} height="h-10" />}>
        {(all) => (
          <ul className="divide-y divide-line">
            {all.map((member) => (
              <Row key={member.user_id}>
                <div className="min-w-0 flex-1 truncate">
                  {member.name || member.email}
                  <span className="ms-2 text-sm text-muted">{member.email}</span>
                </div>
                <Select
                  aria-label={t("Role of {email}", { email: member.email })}
                  value={member.role}
                  disabled={!manages}
                  onChange={(event) =>
                    change.mutate(
                      { user_id: member.user_id, role: event.target.value as Role },
                      { onError },
                    )
                  }
                >
                  {ROLES.map((name) => (
                    <option key={name} value={name}>
                      {ROLE_NAMES[name]}
                    </option>
                  ))}
                </Select>
                <Button
                  size="sm"
                  variant="danger"
                  disabled={!manages && member.user_id !== person.user_id}
                  onClick={() => remove.mutate(member.user_id, { onError })}
                >
                  {member.user_id === person.user_id ? t("Leave") : t("Remove")}
                </Button>
              </Row>
            ))}
          </ul>
        )}
      </Loaded>
      {manages && (
        <form
          className="flex flex-wrap gap-2 border-t p-4"
          onSubmit={(event) => {
            event.preventDefault();
            add.mutate({ email, role }, { onSuccess: () => setEmail(""), onError });
          }}
        >
          <Input
            type="email"
            required
            aria-label={t("Email of a new member")}
            placeholder="name@example.org"
            className="max-w-60"
            value={email}
            onChange={(e) => setEmail(e.target.value)}
          />
          <Select
            aria-label={t("Role of the new member")}
            value={role}
            onChange={(e) => setRole(e.target.value as Role)}
          >
            {ROLES.map((name) => (
              <option key={name} value={name}>
                {ROLE_NAMES[name]}
              </option>
            ))}
          </Select>
          <Button type="submit" busy={add.isPending}>
            {t("Add member")}
          </Button>
        </form>
      )}
    </Card>
  );
}
