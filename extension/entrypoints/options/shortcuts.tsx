import { useEffect, useState } from "react";
import { type Browser, browser } from "wxt/browser";
import { t } from "@/lib/words";

const PAGES = { chrome: "chrome://extensions/shortcuts", firefox: "about:addons" };

export function Shortcuts() {
  const [commands, setCommands] = useState<Browser.commands.Command[]>([]);
  useEffect(() => void browser.commands.getAll().then(setCommands), []);
  const page = import.meta.env.FIREFOX ? PAGES.firefox : PAGES.chrome;
  return (
    <section className="card">
      <h2>{t("shortcuts")}</h2>
      <ul className="lines">
        {commands
          .filter(({ description }) => description)
          .map(({ name, description, shortcut }) => (
            <li key={name}>
              <span className="grow">{description}</span>
              {shortcut ? (
                <kbd>{shortcut}</kbd>
              ) : (
                <span className="hint">{t("shortcut_unset")}</span>
              )}
            </li>
          ))}
      </ul>
      <p>{t("shortcuts_hint", page)}</p>
      {!import.meta.env.FIREFOX && (
        <div className="row">
          <button
            type="button"
            className="button small"
            onClick={() => browser.tabs.create({ url: page })}
          >
            {t("change_shortcuts")}
          </button>
        </div>
      )}
    </section>
  );
}
