import { useSyncExternalStore } from "react";

export type Theme = "system" | "light" | "dark";
const KEY = "remem.theme";
const listeners = new Set<() => void>();

function chosen(): Theme {
  const value = localStorage.getItem(KEY);
  return value === "light" || value === "dark" ? value : "system";
}

export function setTheme(theme: Theme): void {
  if (theme === "system") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, theme);
  // theme.js applies it.
  window.dispatchEvent(new Event("remem-theme"));
  for (const listener of listeners) listener();
}

export function useTheme(): Theme {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, chosen);
}

const systemDark = window.matchMedia("(prefers-color-scheme: dark)");

export function useIsDark(): boolean {
  const theme = useTheme();
  const system = useSyncExternalStore(
    (listener) => {
      systemDark.addEventListener("change", listener);
      return () => systemDark.removeEventListener("change", listener);
    },
    () => systemDark.matches,
  );
  return theme === "system" ? system : theme === "dark";
}
