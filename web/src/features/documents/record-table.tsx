type Props = { columns: string[]; text: string };

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
