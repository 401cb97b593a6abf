/** A `ref` for a field with a restored draft: the user goes on typing where they stopped. */
export function caretAtEnd(field: HTMLTextAreaElement | null): void {
  field?.setSelectionRange(field.value.length, field.value.length);
}
