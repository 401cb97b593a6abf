import { Link } from "react-router";
import { t } from "~/lib/language";
import { useTitle } from "~/lib/use-title";
import { PageLayout } from "~/ui/layout";
import { Account } from "./account";
import { BringProfile } from "./bring-profile";
import { CheckupLink } from "./checkup-link";
import { ConnectionsLink } from "./connections-link";
import { DeleteAccount } from "./delete-account";
import { Grants } from "./grants";
import { Instructions } from "./instructions";
import { Keys } from "./keys";
import { LanguageChoice } from "./language";
import { Members } from "./members";
import { Models } from "./models";
import { Password } from "./password";
import { RemindersLink } from "./reminders-link";
import { Sessions } from "./sessions";
import { Storage } from "./storage";
import { Transfer } from "./transfer";

const SECTIONS = [
  ["account", t("Account")],
  ["language", t("Language")],
  ["instructions", t("Standing instructions")],
  ["password", t("Password")],
  ["sessions", t("Signed-in browsers")],
  ["keys", t("API keys")],
  ["grants", t("Connected apps")],
  ["members", t("Members")],
  ["models", t("Models")],
  ["export", t("Export")],
  ["import", t("Import")],
  ["profile", t("Bring your memory")],
  ["storage", t("Storage")],
  ["delete", t("Delete account")],
] as const;

export default function Settings() {
  useTitle(t("Settings"));
  return (
    <PageLayout title={t("Settings")}>
      <div className="flex gap-10">
        <nav aria-label={t("Settings")} className="hidden w-40 shrink-0 md:block">
          <ul className="sticky top-8 space-y-1">
            {SECTIONS.map(([id, label]) => (
              <li key={id}>
                <a
                  href={`#${id}`}
                  className="block rounded-md px-2 py-1 text-muted hover:bg-raised hover:text-ink"
                >
                  {label}
                </a>
              </li>
            ))}
            <li>
              <Link
                to="/settings/reminders"
                className="block rounded-md px-2 py-1 text-muted hover:bg-raised hover:text-ink"
              >
                {t("Reminders")}
              </Link>
            </li>
            <li>
              <Link
                to="/settings/connections"
                className="block rounded-md px-2 py-1 text-muted hover:bg-raised hover:text-ink"
              >
                {t("Connections")}
              </Link>
            </li>
            <li>
              <Link
                to="/settings/checkup"
                className="block rounded-md px-2 py-1 text-muted hover:bg-raised hover:text-ink"
              >
                {t("Check-up")}
              </Link>
            </li>
          </ul>
        </nav>
        <div className="min-w-0 flex-1 space-y-10">
          <Account />
          <LanguageChoice />
          <Instructions />
          <Password />
          <Sessions />
          <Keys />
          <Grants />
          <RemindersLink />
          <ConnectionsLink />
          <Members />
          <Models />
          <Transfer />
          <BringProfile />
          <Storage />
          <CheckupLink />
          <DeleteAccount />
        </div>
      </div>
    </PageLayout>
  );
}
