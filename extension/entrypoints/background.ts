/** The background script: the only part that sends requests to the server. It reads its state from storage at every event. */

import { browser } from "wxt/browser";
import { defineBackground } from "wxt/utils/define-background";
import { handle, refreshComposers } from "@/lib/background/handle";
import { onCommand, onMenu, setUpMenu } from "@/lib/background/menu";
import { ALARM, drainQueue, showBadge } from "@/lib/background/saving";
import { forgetOpened, registerSites } from "@/lib/background/sites";
import type { Request } from "@/lib/messages";

export default defineBackground(() => {
  browser.runtime.onMessage.addListener((request: Request, sender, respond) => {
    handle(request, sender).then(respond);
    return true;
  });
  browser.runtime.onInstalled.addListener(async ({ reason }) => {
    await setUpMenu();
    await registerSites();
    if (reason === "install")
      await browser.tabs.create({ url: browser.runtime.getURL("/welcome.html") });
  });
  browser.runtime.onStartup.addListener(async () => {
    await registerSites();
    await refreshComposers();
    await drainQueue();
  });
  browser.contextMenus.onClicked.addListener(onMenu);
  browser.commands.onCommand.addListener(onCommand);
  browser.alarms.onAlarm.addListener(({ name }) => {
    if (name === ALARM) void drainQueue();
  });
  browser.permissions.onRemoved.addListener(registerSites);
  browser.tabs.onRemoved.addListener(forgetOpened);
  void showBadge();
});
