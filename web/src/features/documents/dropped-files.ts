const MAX_FILES = 500;
const SKIPPED = /(^|\/)(\.|node_modules\/|__pycache__\/)/;

/** All dropped files, including those in folders; hidden files are left out. */
export async function filesOf(transfer: DataTransfer): Promise<File[]> {
  const entries = [...transfer.items]
    .filter((item) => item.kind === "file")
    .map((item) => item.webkitGetAsEntry() ?? item.getAsFile());
  const files: File[] = [];
  for (const entry of entries) {
    if (entry instanceof File) files.push(entry);
    else if (entry) await walk(entry, files);
  }
  return files.slice(0, MAX_FILES);
}

async function walk(entry: FileSystemEntry, files: File[]): Promise<void> {
  if (files.length >= MAX_FILES || SKIPPED.test(entry.fullPath)) return;
  if (entry.isFile) {
    files.push(
      await new Promise((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)),
    );
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (!batch.length) return;
    for (const child of batch) await walk(child, files);
  }
}
