import { browser } from "wxt/browser";
import { BUILT_IN } from "@/lib/insert/composer";
import { ask, type Status } from "@/lib/messages";
import { t } from "@/lib/words";

type Props = { status: Status; onChange: (status: Status) => void };
const originOf = (host: string) => `https://${host}`;

/** Enables the button beside the prompt for each chat site. */
export function Sites({ status, onChange }: Props) {
  async function toggle(hosts: string[], on: boolean) {
    const origins = hosts.map(originOf);
    const patterns = origins.map((origin) => `${origin}/*`);
    if (on && !(await browser.permissions.request({ origins: patterns }))) return;
    if (!on) await browser.permissions.remove({ origins: patterns });
    const others = status.sites.filter((site) => !origins.includes(site));
    onChange(await ask({ type: "sites", origins: on ? [...others, ...origins] : others }));
  }

  return (
    <section className="card">
      <h2>{t("sites")}</h2>
      <p>{t("sites_hint")}</p>
      <ul className="lines">
        {BUILT_IN.map(({ name, hosts }) => (
          <li key={name}>
            <label className="check grow">
              <input
                type="checkbox"
                checked={hosts.some((host) => status.sites.includes(originOf(host)))}
                onChange={(event) => toggle(hosts, event.target.checked)}
              />
              <span>{name}</span>
            </label>
            <span className="hint">{hosts[0]}</span>
          </li>
        ))}
      </ul>
      <label className="check">
        <input
          type="checkbox"
          checked={status.automatic}
          onChange={(event) => ask({ type: "automatic", on: event.target.checked }).then(onChange)}
        />
        {t("automatic")}
      </label>
      <p>{t("automatic_hint")}</p>
    </section>
  );
}
