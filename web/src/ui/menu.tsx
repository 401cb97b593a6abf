import clsx from "clsx";
import { Check } from "lucide-react";
import { DropdownMenu, Popover as RadixPopover } from "radix-ui";
import type { ReactNode } from "react";

const panel = "z-40 rounded-lg border border-line-strong bg-surface p-1 text-ink";

/** Not modal, because modal menus add a <style> element, which the CSP forbids. */
export function Menu({ trigger, children }: { trigger: ReactNode; children: ReactNode }) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="start"
          sideOffset={4}
          collisionPadding={8}
          className={clsx(panel, "max-h-96 min-w-48 overflow-y-auto")}
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

type ItemProps = {
  children: ReactNode;
  onSelect: () => void;
  checked?: boolean;
  danger?: boolean;
  hint?: string;
  /** Stay open after a choice. */
  stay?: boolean;
};

export function MenuItem({ children, onSelect, checked, danger, hint, stay }: ItemProps) {
  return (
    <DropdownMenu.Item
      onSelect={(event) => {
        if (stay) event.preventDefault();
        onSelect();
      }}
      className={clsx(
        "flex h-8 cursor-default items-center gap-2 rounded-md px-2 text-sm outline-none select-none data-highlighted:bg-raised",
        danger && "text-danger",
      )}
    >
      {checked !== undefined && <Check size={14} className={checked ? "" : "invisible"} />}
      <span className="flex-1 truncate">{children}</span>
      {hint && <kbd className="font-mono text-xs text-muted">{hint}</kbd>}
    </DropdownMenu.Item>
  );
}

export function MenuLine() {
  return <DropdownMenu.Separator className="mx-1 my-1 h-px bg-line" />;
}

export function Popover({
  trigger,
  label,
  children,
}: {
  trigger: ReactNode;
  label: string;
  children: ReactNode;
}) {
  return (
    <RadixPopover.Root>
      <RadixPopover.Trigger asChild>{trigger}</RadixPopover.Trigger>
      <RadixPopover.Portal>
        <RadixPopover.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
          className={clsx(panel, "max-h-[70vh] w-80 overflow-y-auto p-3")}
        >
          {children}
        </RadixPopover.Content>
      </RadixPopover.Portal>
    </RadixPopover.Root>
  );
}
