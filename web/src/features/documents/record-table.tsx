import clsx from "clsx";
import { ArrowDown, ArrowUp } from "lucide-react";
import { useMemo, useState } from "react";
import { locale, t } from "~/lib/language";
import { canBeSummed, numbersOf, sumText } from "~/lib/numbers";

type Props = { columns: string[]; text: string };
type Order = { column: number; isDown: boolean };

/** The rows of a table, read from its text of "column: cell" lines. */
export function recordsOf(columns: string[], text: string): string[][] {
  return text
    .trim()
    .split(/\n{2,}/)
    .map((record) => {
      const lines = record.split("\n");
      return columns.map((column) => {
        const cell = lines.find((line) => line.startsWith(`${column}: `));
        return cell?.slice(column.length + 2) ?? "";
      });
    });
}

/** A table that can be sorted by each column; columns of amounts have a sum. */
export function RecordTable({ columns, text }: Props) {
  const rows = useMemo(() => recordsOf(columns, text), [columns, text]);
  const values = useMemo(
    () => columns.map((_, at) => numbersOf(rows.map((row) => row[at] ?? ""))),
    [columns, rows],
  );
  const sums = values.map((column, at) =>
    column && canBeSummed(rows.map((row) => row[at] ?? ""))
      ? column.reduce<number>((sum, value) => sum + (value ?? 0), 0)
      : null,
  );
  const [order, setOrder] = useState<Order | null>(null);
  const sorted = useMemo(() => sortedBy(order, rows, values), [order, rows, values]);
  const press = (column: number) =>
    setOrder({ column, isDown: order?.column === column && !order.isDown });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be focusable
    <section aria-label={t("Table")} tabIndex={0} className="overflow-x-auto">
      <table>
        <thead>
          <tr>
            {columns.map((column, at) => (
              <th
                key={column}
                scope="col"
                aria-sort={sortOf(order, at)}
                className={clsx(values[at] && "text-end!")}
              >
                <button
                  type="button"
                  className="inline-flex items-center gap-1 hover:text-accent"
                  onClick={() => press(at)}
                >
                  {column}
                  {order?.column === at &&
                    (order.isDown ? <ArrowDown size={14} /> : <ArrowUp size={14} />)}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.map((cells, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity
            <tr key={row}>
              {columns.map((column, at) => (
                <td key={column} className={clsx(values[at] && "text-end! tabular-nums")}>
                  {cells[at]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        {sums.some((sum) => sum !== null) && (
          <tfoot>
            <tr className="font-semibold">
              {columns.map((column, at) => (
                <td key={column} className={clsx(values[at] && "text-end! tabular-nums")}>
                  {sums[at] == null
                    ? at === 0
                      ? t("Sum")
                      : ""
                    : sumText(
                        sums[at],
                        rows.map((row) => row[at] ?? ""),
                      )}
                </td>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
    </section>
  );
}

function sortOf(order: Order | null, column: number) {
  if (order?.column !== column) return "none";
  return order.isDown ? "descending" : "ascending";
}

const words = new Intl.Collator(locale, { numeric: true, sensitivity: "base" });

function sortedBy(order: Order | null, rows: string[][], values: ((number | null)[] | null)[]) {
  if (!order) return rows;
  const amounts = values[order.column];
  const places = rows.map((_, at) => at);
  places.sort((a, b) => {
    const byWords = () =>
      words.compare(rows[a]?.[order.column] ?? "", rows[b]?.[order.column] ?? "");
    const difference = amounts ? (amounts[a] ?? -Infinity) - (amounts[b] ?? -Infinity) : byWords();
    return order.isDown ? -difference : difference;
  });
  return places.map((at) => rows[at] ?? []);
}
