import { locale } from "~/lib/language";

/** A number with separators in any country's form, with a sign and a currency. */
const NUMBER = /^[-+−]?\s*\p{Sc}?\s*([-+−]?\d[\d.,'’\u00a0\u202f ]*)\s*(?:\p{Sc}|%)?$/u;

/** The numbers of a column, null for empty cells; null if a cell is something else. */
export function numbersOf(cells: string[]): (number | null)[] | null {
  const filled = cells.filter((cell) => cell.trim());
  if (!filled.length || !filled.every((cell) => NUMBER.test(cell.trim()))) return null;
  const point = decimalPoint(filled);
  return cells.map((cell) => (cell.trim() ? numberOf(cell, point) : null));
}

/** Not identifiers, years or postal codes: whole numbers that all have the same length. */
export function canBeSummed(cells: string[]): boolean {
  const filled = cells.map((cell) => cell.trim()).filter(Boolean);
  const isCode = filled.every((cell) => /^\d{3,}$/.test(cell) && cell.length === filled[0]?.length);
  return filled.length > 1 && !isCode;
}

/** A sum with as many decimals as the cells have at most. */
export function sumText(sum: number, cells: string[]): string {
  const point = decimalPoint(cells);
  const decimals = cells.map((cell) => {
    const at = cell.lastIndexOf(point);
    return at < 0 ? 0 : cell.slice(at + 1).replace(/\D/g, "").length;
  });
  const digits = Math.min(Math.max(...decimals), MAX_DECIMALS);
  return sum.toLocaleString(locale, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

const MAX_DECIMALS = 6;

/** The last separator of a number with both; of one kind, that which is not followed by three digits. */
function decimalPoint(cells: string[]): "." | "," {
  for (const cell of cells) {
    const last = Math.max(cell.lastIndexOf("."), cell.lastIndexOf(","));
    if (last < 0) continue;
    const separator = cell[last] === "," ? "," : ".";
    const other = separator === "," ? "." : ",";
    if (cell.includes(other) || !/^\d{3}\b/.test(cell.slice(last + 1))) return separator;
    if (cell.split(separator).length > 2) return other;
  }
  // "1,150" alone is a thousand, "1.150" as well unless the browser's language writes it so.
  return (1.5).toLocaleString(locale).includes(",") ? "," : ".";
}

function numberOf(cell: string, point: "." | ","): number {
  const isNegative = /^[^\d]*[-−]/.test(cell.trim());
  const digits = cell.replace(point === "," ? /\./g : /,/g, "").replace(",", ".");
  const value = Number(digits.replace(/[^\d.]/g, ""));
  return isNegative ? -value : value;
}
