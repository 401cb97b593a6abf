import clsx from "clsx";
import { Menu as MenuIcon } from "lucide-react";
import { NavLink, useNavigate } from "react-router";
import { useSignOut } from "~/features/session/session";
import { t } from "~/lib/language";
import { setTheme, useIsDark } from "~/lib/theme";
import { Menu, MenuItem, MenuLine } from "~/ui/menu";
import { MAIN, MORE, PHONE, PROJECTS } from "./destinations";

const item = "flex flex-1 flex-col items-center gap-0.5 py-2 text-xs";

export function PhoneBar() {
  const navigate = useNavigate();
  const signOut = useSignOut();
  const dark = useIsDark();
  const rest = [...MAIN.slice(PHONE.length), PROJECTS, ...MORE];
  return (
    <nav
      aria-label={t("Main")}
      className="flex shrink-0 border-t bg-surface pb-[env(safe-area-inset-bottom)] sm:hidden"
    >
      {PHONE.map(({ to, label, icon: Icon }) => (
        <NavLink
          key={to}
          to={to}
          className={({ isActive }) => clsx(item, isActive ? "text-accent" : "text-muted")}
        >
          <Icon size={20} strokeWidth={1.75} />
          {label}
        </NavLink>
      ))}
      <Menu
        trigger={
          <button type="button" className={clsx(item, "text-muted")}>
            <MenuIcon size={20} strokeWidth={1.75} />
            {t("More")}
          </button>
        }
      >
        {rest.map(({ to, label }) => (
          <MenuItem key={to} onSelect={() => navigate(to)}>
            {label}
          </MenuItem>
        ))}
        <MenuLine />
        <MenuItem onSelect={() => setTheme(dark ? "light" : "dark")}>
          {dark ? t("Light theme") : t("Dark theme")}
        </MenuItem>
        <MenuItem onSelect={() => signOut.mutate()}>{t("Sign out")}</MenuItem>
      </Menu>
    </nav>
  );
}
