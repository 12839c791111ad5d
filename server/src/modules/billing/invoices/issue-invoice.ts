import { sumMoney } from '../../../platform/money.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { companyRow } from '../../companies/index.ts';
import { insertEntry } from '../ledger/store-ledger.ts';
import { taxOfAccount, withTax, type AccountTax } from '../tax/tax-of-account.ts';
import { detailsOf } from '../store-subscription.ts';
import { insertInvoice, invoiceOfCause, type InvoiceRow, type NewLine } from './store-invoices.ts';

/** `INV-000042`. */
export const invoiceNumber = ({ number, kind }: Pick<InvoiceRow, 'number' | 'kind'>): string =>
  `${kind === 'credit_note' ? 'CN' : 'INV'}-${String(number).padStart(6, '0')}`;

/**
 * Issues an invoice (or a credit note, where the sum is below zero) with its tax, and enters both in
 * the books. Issued again for the same cause, it is the same one. The caller has locked the
 * subscription. `tax`: for what is credited of an invoice with a tax of its own; default: the
 * account's tax on the sum of the lines.
 */
export async function issueInvoice(
  t: TxCtx,
  invoice: {
    cause: string;
    periodStart: Date;
    periodEnd: Date;
    lines: readonly NewLine[];
    tax?: { terms: AccountTax; totalCents: number; taxCents: number };
  },
): Promise<InvoiceRow> {
  const issued = await invoiceOfCause(t.tx, t.companyId, invoice.cause);
  if (issued) return issued;
  const {
    terms,
    totalCents: total,
    taxCents,
  } = invoice.tax ?? (await taxOfLines(t, invoice.lines));
  const row = await insertInvoice(
    t.tx,
    t.companyId,
    {
      kind: total < 0 ? 'credit_note' : 'invoice',
      cause: invoice.cause,
      issued_at: t.now,
      period_start: invoice.periodStart,
      period_end: invoice.periodEnd,
      currency: 'USD',
      total_cents: total,
      tax_cents: taxCents,
      tax: terms,
      bill_to: await billTo(t),
    },
    invoice.lines,
  );
  await enterInBooks(t, row);
  return row;
}

/** Name and address as they are now. */
async function billTo(t: TxCtx): Promise<{ name: string; lines: string[] }> {
  const details = await detailsOf(t.tx, t.companyId);
  const company = await companyRow(t.tx, t.companyId);
  const place = [details?.state, details?.zip].filter(Boolean).join(' ');
  const lines = [
    details?.address,
    details?.address_2,
    [details?.city, place].filter(Boolean).join(', '),
    details?.country,
  ];
  return {
    name: details?.name || company?.name || '',
    lines: lines.flatMap((line) => line || []),
  };
}

/** The tax is an entry of a kind of its own, so that what is owed to the tax office is a sum. */
async function enterInBooks(t: TxCtx, row: InvoiceRow): Promise<void> {
  const { tax_cents: taxCents, total_cents: total } = row;
  const net = total - taxCents;
  const entry = { currency: row.currency, at: t.now };
  if (net !== 0)
    await insertEntry(t.tx, t.companyId, {
      ...entry,
      cause: `invoice:${row.id}`,
      kind: net > 0 ? 'charge' : 'credit',
      amountCents: net,
      description: invoiceNumber(row),
    });
  if (taxCents !== 0)
    await insertEntry(t.tx, t.companyId, {
      ...entry,
      cause: `tax:${row.id}`,
      kind: 'tax',
      amountCents: taxCents,
      description: `${row.tax?.name ?? 'Tax'} of ${invoiceNumber(row)}`,
    });
}

async function taxOfLines(t: TxCtx, lines: readonly NewLine[]) {
  const terms = await taxOfAccount(t);
  return { terms, ...withTax(sumMoney(lines.map((line) => line.amount_cents)), terms) };
}
