import { t } from "~/lib/language";
import { Dialog } from "~/ui/dialog";
import { AddBox } from "./add-box";

export function AddDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} title={t("Add to your memory")} onClose={onClose} wide>
      <AddBox autoFocus onSaved={onClose} />
    </Dialog>
  );
}
