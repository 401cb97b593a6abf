/**
 * A shortcut for iOS that saves what is shared with it: the text, or the address of the page. It is the
 * file format of the Shortcuts app, without a signature.
 */
const INPUT = "\uFFFC";

/** The property list of the shortcut. */
export function shortcutOf(address: string, key: string): string {
  const input = dict({
    Value: dict({
      string: text(INPUT),
      attachmentsByRange: dict({ "{0, 1}": dict({ Type: text("ExtensionInput") }) }),
    }),
    WFSerializationType: text("WFTextTokenString"),
  });
  const post = dict({
    WFURL: text(`${address}/v3/memory`),
    WFHTTPMethod: text("POST"),
    WFHTTPBodyType: text("Json"),
    ShowHeaders: "<true/>",
    WFHTTPHeaders: fields({ Authorization: tokenString(`Bearer ${key}`) }),
    WFJSONValues: fields({ content: input }),
  });
  const notice = dict({ WFNotificationActionBody: text("Saved in remem") });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    dict({
      WFWorkflowClientVersion: text("1200"),
      WFWorkflowMinimumClientVersion: "<integer>900</integer>",
      WFWorkflowMinimumClientVersionString: text("900"),
      WFWorkflowIcon: dict({
        WFWorkflowIconStartColor: "<integer>431817727</integer>",
        WFWorkflowIconGlyphNumber: "<integer>59511</integer>",
      }),
      WFWorkflowTypes: array([text("ActionExtension")]),
      WFWorkflowInputContentItemClasses: array(
        ["WFStringContentItem", "WFURLContentItem", "WFSafariWebPageContentItem"].map(text),
      ),
      WFWorkflowActions: array([
        action("is.workflow.actions.downloadurl", post),
        action("is.workflow.actions.notification", notice),
      ]),
    }),
    "</plist>",
    "",
  ].join("\n");
}

function action(identifier: string, parameters: string): string {
  return dict({
    WFWorkflowActionIdentifier: text(identifier),
    WFWorkflowActionParameters: parameters,
  });
}

/** A dictionary as the app's editor stores it: a list of keys and values with their types. */
function fields(values: Record<string, string>): string {
  const items = Object.entries(values).map(([name, value]) =>
    dict({ WFItemType: "<integer>0</integer>", WFKey: tokenString(name), WFValue: value }),
  );
  return dict({
    Value: dict({ WFDictionaryFieldValueItems: array(items) }),
    WFSerializationType: text("WFDictionaryFieldValue"),
  });
}

function tokenString(value: string): string {
  return dict({
    Value: dict({ string: text(value) }),
    WFSerializationType: text("WFTextTokenString"),
  });
}

function dict(values: Record<string, string>): string {
  const entries = Object.entries(values).map(
    ([name, value]) => `<key>${escapeXml(name)}</key>${value}`,
  );
  return `<dict>${entries.join("")}</dict>`;
}

function array(values: string[]): string {
  return `<array>${values.join("")}</array>`;
}

function text(value: string): string {
  return `<string>${escapeXml(value)}</string>`;
}

function escapeXml(value: string): string {
  return value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
