import type { PDFDocument, PDFFont, PDFPage, RGB } from 'pdf-lib';
import { formatMoney, moneyToDecimal } from '#contract';
import { invoiceNumber } from './issue-invoice.ts';
import type { InvoiceLineRow, InvoiceRow } from './store-invoices.ts';

interface Printed {
  row: InvoiceRow;
  lines: readonly InvoiceLineRow[];
  dueCents: number;
}

const [pageWidth, pageHeight, margin] = [612, 792, 56]; // US Letter, points
/** Right edges of the columns of figures. */
const columns = { quantity: 390, unit: 470, amount: pageWidth - margin };
const headings: Record<string, string> = {
  plan: 'Plan',
  usage: 'Usage beyond the plan',
  proration: 'Changes of the plan',
  credit: 'Credits',
};

interface Writer {
  page: PDFPage;
  /** Height above the bottom. */
  y: number;
  plain: PDFFont;
  bold: PDFFont;
  ink: RGB;
  quiet: RGB;
}

/** The standard fonts have Western European letters only; others lose accents or become `?`. */
const printable = (text: string): string =>
  [...text]
    .map((c) =>
      /[\x20-\x7e\xa1-\xff\u2013\u2014\u2018\u2019\u201c\u201d]/.test(c)
        ? c
        : [...c.normalize('NFKD')].filter((part) => /[\x20-\x7e]/.test(part)).join('') || '?',
    )
    .join('');

/** The text, cut to a width with an ellipsis where it is longer. */
function fit(text: string, font: PDFFont, size: number, width: number): string {
  const whole = printable(text);
  if (font.widthOfTextAtSize(whole, size) <= width) return whole;
  let cut = whole;
  while (cut && font.widthOfTextAtSize(`${cut}...`, size) > width) cut = cut.slice(0, -1);
  return `${cut}...`;
}

const day = (date: Date): string =>
  new Date(date).toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

function put(
  w: Writer,
  text: string,
  at: {
    x?: number;
    right?: number;
    size?: number;
    bold?: boolean;
    quiet?: boolean;
    width?: number;
  },
): void {
  const size = at.size ?? 10;
  const font = at.bold ? w.bold : w.plain;
  const shown = fit(text, font, size, at.width ?? pageWidth - 2 * margin);
  const x =
    at.right === undefined ? (at.x ?? margin) : at.right - font.widthOfTextAtSize(shown, size);
  w.page.drawText(shown, { x, y: w.y, size, font, color: at.quiet ? w.quiet : w.ink });
}

function rule(w: Writer): void {
  w.page.drawLine({
    start: { x: margin, y: w.y },
    end: { x: pageWidth - margin, y: w.y },
    thickness: 0.5,
    color: w.quiet,
  });
}

/** Goes down, to a new page where this much space isn't left. */
function down(w: Writer, pdf: PDFDocument, points: number, needed = points): void {
  w.y -= points;
  if (w.y - needed >= margin + 24) return;
  w.page = pdf.addPage([pageWidth, pageHeight]);
  w.y = pageHeight - margin - 12;
  writeColumnHeads(w);
  w.y -= 22;
}

function writeHead(w: Writer, { row }: Printed): void {
  put(w, 'Trunkline', { size: 16, bold: true });
  put(w, row.kind === 'credit_note' ? 'Credit note' : 'Invoice', {
    right: columns.amount,
    size: 16,
    bold: true,
  });
  w.y -= 40;
  const to = row.bill_to as { name?: string; lines?: string[] };
  const facts = [
    ['Number', invoiceNumber(row)],
    ['Date', day(row.issued_at)],
    ['Period', `${day(row.period_start)} – ${day(row.period_end)}`],
  ];
  const address = ['Bill to', to.name ?? '', ...(to.lines ?? [])];
  for (let i = 0; i < Math.max(facts.length, address.length); i++) {
    const line = address[i];
    if (line) put(w, line, { quiet: i === 0, bold: i === 1, width: 240 });
    const fact = facts[i];
    if (fact) {
      put(w, fact[0] ?? '', { x: 330, quiet: true });
      put(w, fact[1] ?? '', { right: columns.amount });
    }
    w.y -= 15;
  }
  w.y -= 18;
}

function writeColumnHeads(w: Writer): void {
  put(w, 'Description', { size: 9, quiet: true });
  put(w, 'Quantity', { right: columns.quantity, size: 9, quiet: true });
  put(w, 'Unit', { right: columns.unit, size: 9, quiet: true });
  put(w, 'Amount', { right: columns.amount, size: 9, quiet: true });
  w.y -= 6;
  rule(w);
}

function writeLines(w: Writer, pdf: PDFDocument, { row, lines }: Printed): void {
  writeColumnHeads(w);
  w.y -= 4;
  let group = '';
  for (const line of lines) {
    if (line.kind !== group) {
      group = line.kind;
      down(w, pdf, 18, 40);
      put(w, headings[group] ?? group, { bold: true, size: 9 });
    }
    down(w, pdf, 16, 16);
    put(w, line.description, { width: 270 });
    put(w, String(line.quantity), { right: columns.quantity });
    put(w, moneyToDecimal(line.unit_cents, row.currency), { right: columns.unit });
    put(w, moneyToDecimal(line.amount_cents, row.currency), { right: columns.amount });
  }
}

function writeTotals(w: Writer, pdf: PDFDocument, { row, dueCents }: Printed): void {
  down(w, pdf, 16, 110);
  rule(w);
  const money = (cents: number) => `$${moneyToDecimal(cents, row.currency)}`;
  const rows: [string, string, boolean][] = [
    ['Subtotal', money(row.total_cents), false],
    ['Tax (0%)', money(0), false],
    ['Total', `${money(row.total_cents)} ${row.currency}`, true],
    ['Still due', money(dueCents), false],
  ];
  for (const [name, value, bold] of rows) {
    w.y -= 18;
    put(w, name, { x: 390, bold });
    put(w, value, { right: columns.amount, bold });
  }
  w.y -= 30;
  put(
    w,
    dueCents > 0
      ? `Please pay ${formatMoney(dueCents, row.currency)} under Settings, Billing.`
      : 'Nothing is due. Thank you.',
    { quiet: true },
  );
}

/** The invoice as a PDF of as many pages as it needs. Throws nothing for any stored invoice. */
export async function renderInvoice(printed: Printed): Promise<Buffer> {
  const { PDFDocument, StandardFonts, rgb } = await import('pdf-lib'); // takes 250 ms the first time
  const pdf = await PDFDocument.create();
  pdf.setTitle(`${invoiceNumber(printed.row)} – Trunkline`);
  pdf.setCreationDate(new Date(printed.row.issued_at));
  pdf.setModificationDate(new Date(printed.row.issued_at));
  const writer: Writer = {
    page: pdf.addPage([pageWidth, pageHeight]),
    y: pageHeight - margin,
    plain: await pdf.embedFont(StandardFonts.Helvetica),
    bold: await pdf.embedFont(StandardFonts.HelveticaBold),
    ink: rgb(0.1, 0.1, 0.12),
    quiet: rgb(0.42, 0.42, 0.46),
  };
  writeHead(writer, printed);
  writeLines(writer, pdf, printed);
  writeTotals(writer, pdf, printed);
  const pages = pdf.getPages();
  pages.forEach((page, i) =>
    page.drawText(`${invoiceNumber(printed.row)} – page ${i + 1} of ${pages.length}`, {
      x: margin,
      y: margin - 16,
      size: 8,
      font: writer.plain,
      color: writer.quiet,
    }),
  );
  return Buffer.from(await pdf.save());
}
