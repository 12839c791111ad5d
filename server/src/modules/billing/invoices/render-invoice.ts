import { formatMoney, moneyToDecimal } from '#contract';
import { formatRate } from '#contract/billing/rules';
import { PdfWriter } from '../../../platform/pdf/pdf-writer.ts';
import { writeTable, type TableColumn, type TableRow } from '../../../platform/pdf/write-table.ts';
import type { InvoiceLineRow, InvoiceRow } from './store-invoices.ts';

export interface Printed {
  /** `INV-000042`. */
  number: string;
  row: InvoiceRow;
  lines: readonly InvoiceLineRow[];
  dueCents: number;
}

const columns: TableColumn[] = [
  { title: 'Description', width: 250 },
  { title: 'Quantity', width: 90, figures: true },
  { title: 'Unit', width: 80, figures: true },
  { title: 'Amount', width: 80, figures: true },
];
const headings: Record<string, string> = {
  plan: 'Plan',
  usage: 'Usage beyond the plan',
  proration: 'Changes of the plan',
  credit: 'Credits',
};

const day = (date: Date): string =>
  new Date(date).toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

function writeHead(pdf: PdfWriter, { number, row }: Printed): void {
  pdf.down(12);
  pdf.tag('P', () => pdf.line('Trunkline', { size: 16, font: 'bold', width: 240 }));
  pdf.tag('H1', () =>
    pdf.line(row.kind === 'credit_note' ? 'Credit note' : 'Invoice', {
      right: pdf.right,
      size: 16,
      font: 'bold',
    }),
  );
  pdf.down(40);
  const to = row.bill_to as { name?: string; lines?: string[] };
  const facts: [string, string][] = [
    ['Number', number],
    ['Date', day(row.issued_at)],
    ['Period', `${day(row.period_start)} – ${day(row.period_end)}`],
  ];
  if (row.tax?.seller_tax_id) facts.push(['Our tax ID', row.tax.seller_tax_id]);
  const address = ['Bill to', to.name ?? '', ...(to.lines ?? [])];
  const top = pdf.y;
  for (const [i, text] of address.entries()) {
    pdf.y = top + i * 15;
    pdf.tag('P', () =>
      pdf.line(text, { quiet: i === 0, font: i === 1 ? 'bold' : 'plain', width: 250 }),
    );
  }
  for (const [i, [name, value]] of facts.entries()) {
    pdf.y = top + i * 15;
    pdf.tag('P', () => {
      pdf.line(name, { x: 330, quiet: true, width: 60 });
      pdf.line(value, { right: pdf.right, width: 180 });
    });
  }
  pdf.y = top + Math.max(facts.length, address.length) * 15 + 12;
}

function* tableRows({ row, lines }: Printed): Generator<TableRow> {
  let group = '';
  for (const line of lines) {
    if (line.kind !== group) {
      group = line.kind;
      yield { group: headings[group] ?? group };
    }
    yield {
      cells: [
        line.description,
        String(line.quantity),
        moneyToDecimal(line.unit_cents, row.currency),
        moneyToDecimal(line.amount_cents, row.currency),
      ],
    };
  }
}

/** `Sales tax (8.875%)`, `VAT (20%, included)`, `Tax (0%, exempt)`. */
function taxLabel(tax: InvoiceRow['tax']): string {
  if (!tax) return 'Tax (0%)';
  const what = tax.exempt ? ', exempt' : '';
  return `${tax.name} (${formatRate(tax.rate)}${tax.included && !tax.exempt ? ', included' : what})`;
}

function writeTotals(pdf: PdfWriter, { row, dueCents }: Printed): void {
  pdf.down(16, 110);
  pdf.rule();
  const money = (cents: number) => `$${moneyToDecimal(cents, row.currency)}`;
  const totals: [string, string, boolean][] = [
    [row.tax?.included ? 'Without tax' : 'Subtotal', money(row.total_cents - row.tax_cents), false],
    [taxLabel(row.tax), money(row.tax_cents), false],
    ['Total', `${money(row.total_cents)} ${row.currency}`, true],
    ['Still due', money(dueCents), false],
  ];
  for (const [name, value, bold] of totals) {
    pdf.down(18);
    const font = bold ? 'bold' : 'plain';
    pdf.tag('P', () => {
      pdf.line(name, { x: 290, font, width: 180 });
      pdf.line(value, { right: pdf.right, font, width: 110 });
    });
  }
  const exempt = row.tax?.exempt;
  if (exempt) {
    pdf.down(18);
    pdf.paragraph(`No tax: ${[exempt.reason, exempt.number].filter(Boolean).join(', ')}.`);
  }
  pdf.down(18);
  pdf.paragraph(
    dueCents > 0
      ? `Please pay ${formatMoney(dueCents, row.currency)} under Settings, Billing.`
      : 'Nothing is due. Thank you.',
    { quiet: true },
  );
}

/** The invoice as a PDF of as many pages as it needs. Throws nothing for any stored invoice. */
export async function renderInvoice(printed: Printed): Promise<Buffer> {
  const { number } = printed;
  const pdf = new PdfWriter({
    title: `${number} – Trunkline`,
    at: new Date(printed.row.issued_at),
  });
  writeHead(pdf, printed);
  writeTable(pdf, columns, tableRows(printed));
  writeTotals(pdf, printed);
  return await pdf.finish(number);
}
