import type { PdfWriter } from './pdf-writer.ts';

export interface TableColumn {
  title: string;
  width: number;
  /** Figures stand at the right edge of their column. */
  figures?: boolean;
}
/** A row of cells, or the heading of the rows below it. */
export type TableRow = { cells: readonly string[]; bold?: boolean } | { group: string };

const [size, headSize, lineHeight, gap] = [9, 8, 12, 7];
/** Lines of one cell; longer text is cut. A row is never torn apart by the end of a page. */
const mostLines = 8;

/**
 * Writes a table over as many pages as it takes, with the heads of its columns on each. `y` ends
 * below the last row.
 */
export function writeTable(
  pdf: PdfWriter,
  columns: readonly TableColumn[],
  rows: Iterable<TableRow>,
): void {
  const left = columns.map((_, i) =>
    columns.slice(0, i).reduce((x, column) => x + column.width, pdf.left),
  );
  const place = (i: number): { x?: number; right?: number; width: number } => {
    const { width = 0, figures } = columns[i] ?? {};
    const x = left[i] ?? pdf.left;
    const last = i === columns.length - 1;
    const inner = last ? width : width - gap;
    return figures ? { right: x + inner, width: inner } : { x, width: inner };
  };
  const titles = columns.map(({ title }, i) =>
    pdf.wrap(title, { ...place(i), size: headSize }, place(i).width),
  );
  const headLines = Math.max(...titles.map((lines) => lines.length));
  /** Titles end on the same line, above a rule. */
  const heads = (tag: (write: () => void) => void): void => {
    const last = pdf.y + (headLines - 1) * lineHeight;
    titles.forEach((lines, i) =>
      tag(() =>
        lines.forEach((line, n) => {
          pdf.y = last - (lines.length - 1 - n) * lineHeight;
          pdf.line(line, { ...place(i), size: headSize, quiet: true });
        }),
      ),
    );
    pdf.y = last + 5;
    pdf.rule();
  };
  pdf.tag('Table', () => {
    pdf.down(lineHeight, lineHeight * (headLines + 2));
    pdf.tag('TR', () => heads((write) => pdf.tag('TH', write, { scope: 'Column' })));
    pdf.onNewPage = () =>
      pdf.decoration(() => {
        pdf.y += lineHeight;
        heads((write) => write());
      });
    for (const row of rows) writeRow(pdf, row, columns, place);
    pdf.onNewPage = null;
  });
}

function writeRow(
  pdf: PdfWriter,
  row: TableRow,
  columns: readonly TableColumn[],
  place: (i: number) => { x?: number; right?: number; width: number },
): void {
  if ('group' in row) {
    pdf.down(20, 32);
    pdf.tag('TR', () =>
      pdf.tag('TH', () => pdf.line(row.group, { size, font: 'bold' }), {
        scope: 'Row',
        columns: columns.length,
      }),
    );
    return;
  }
  const style = { size, font: row.bold ? 'bold' : 'plain' } as const;
  const cells = columns.map((_, i) => {
    const at = place(i);
    const lines = pdf.wrap((row.cells[i] ?? '').slice(0, 1000), { ...at, ...style }, at.width);
    // What is left over goes into the last line, which is cut with an ellipsis.
    return lines.length > mostLines
      ? [...lines.slice(0, mostLines - 1), lines.slice(mostLines - 1).join(' ')]
      : lines;
  });
  const lines = Math.max(...cells.map((cell) => cell.length));
  pdf.down(lineHeight + 4, (lines - 1) * lineHeight);
  const top = pdf.y;
  pdf.tag('TR', () =>
    cells.forEach((cell, i) =>
      pdf.tag(
        i === 0 ? 'TH' : 'TD',
        () =>
          cell.forEach((line, n) => {
            pdf.y = top + n * lineHeight;
            pdf.line(line, { ...place(i), ...style });
          }),
        i === 0 ? { scope: 'Row' } : {},
      ),
    ),
  );
  pdf.y = top + (lines - 1) * lineHeight;
}
