import clsx from "clsx";
import { X } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { t } from "~/lib/language";
import { Button } from "./button";

type Props = {
  open: boolean;
  title: string;
  description?: ReactNode;
  onClose: () => void;
  children: ReactNode;
  wide?: boolean;
  /** The dialog cannot be dismissed. */
  locked?: boolean;
};

/** The browser's own dialog: focus stays inside, Escape closes, the rest of the page is inert. */
export function Dialog({ open, title, description, onClose, children, wide, locked }: Props) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = element.current;
    if (!dialog || !open || dialog.open) return;
    dialog.showModal();
    // Focus the first field, not the close button.
    dialog.querySelector<HTMLElement>("input:not([hidden]), textarea, select")?.focus();
    return () => dialog.close();
  }, [open]);
  if (!open) return null;
  return (
    <dialog
      ref={element}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        if (!locked) onClose();
      }}
      onPointerDown={(event) => {
        if (!locked && event.target === event.currentTarget) onClose();
      }}
      className={clsx(
        "m-auto w-full rounded-xl border border-line bg-surface p-0 text-ink",
        wide ? "max-w-3xl" : "max-w-md",
        "max-h-[88vh] max-sm:max-w-[calc(100vw-24px)]",
      )}
    >
      <div className="space-y-4 p-5">
        <div className="flex items-start gap-3">
          <div className="flex-1">
            <h2 id={id} className="text-md font-semibold">
              {title}
            </h2>
            {description && <p className="mt-1 text-sm text-muted">{description}</p>}
          </div>
          {!locked && (
            <Button
              variant="quiet"
              size="icon"
              aria-label={t("Close")}
              className="-mt-1 -me-2"
              onClick={onClose}
            >
              <X size={16} />
            </Button>
          )}
        </div>
        {children}
      </div>
    </dialog>
  );
}

export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap justify-end gap-2 pt-1">{children}</div>;
}
