import { useState } from "react";
import {
  browserLanguage,
  chooseLanguage,
  chosenLanguage,
  LANGUAGES,
  type Language,
  t,
} from "~/lib/language";
import { Field, Select } from "~/ui/input";
import { Card, Section } from "~/ui/layout";

/** The language of the interface; without a choice it is that of the browser. */
export function LanguageChoice() {
  const [chosen, setChosen] = useState(chosenLanguage() ?? "");
  const choose = (code: string) => {
    setChosen(code as Language | "");
    chooseLanguage((code || null) as Language | null);
  };
  return (
    <Section id="language" title={t("Language")}>
      <Card className="p-4">
        <Field
          label={t("Language of the app")}
          hint={t("It applies to this browser. What you saved stays in its own language.")}
        >
          {(id, describedBy) => (
            <Select
              id={id}
              aria-describedby={describedBy}
              value={chosen}
              className="w-full sm:w-72"
              onChange={(event) => choose(event.target.value)}
            >
              <option value="">
                {t("As in the browser ({name})", { name: LANGUAGES[browserLanguage()] })}
              </option>
              {Object.entries(LANGUAGES).map(([code, name]) => (
                <option key={code} value={code} lang={code}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </Card>
    </Section>
  );
}
