type Props = { columns: string[]; text: string };

/** The records of a table, which its text has as "column: cell" lines, in rows again. */
export function recordsOf(columns: string[], text: string): string[][] {
  return text
    .trim()
    .split(/\n{2,}/)
    .map((record) => {
      const lines = record.split("\n");
      return columns.map((column) => {
        const line = lines.find((one) => one.startsWith(`${column}: `));
        return line?.slice(column.length + 2) ?? "";
      });
    });
}

export function RecordTable({ columns, text }: Props) {
  return (
    <table>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column}>{column}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {recordsOf(columns, text).map((cells, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows of a saved text never move
          <tr key={row}>
            {columns.map((column, at) => (
              <td key={column}>{cells[at]}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
