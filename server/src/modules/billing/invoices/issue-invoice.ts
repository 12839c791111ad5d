import { sumMoney } from '../../../platform/money.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { companyRow } from '../../companies/index.ts';
import { insertEntry } from '../ledger/store-ledger.ts';
import { detailsOf } from '../store-subscription.ts';
import { insertInvoice, invoiceOfCause, type InvoiceRow, type NewLine } from './store-invoices.ts';

/** `INV-000042`. */
export const invoiceNumber = ({ number, kind }: Pick<InvoiceRow, 'number' | 'kind'>): string =>
  `${kind === 'credit_note' ? 'CN' : 'INV'}-${String(number).padStart(6, '0')}`;

/**
 * Issues an invoice (or a credit note, where the sum is below zero) and enters its total in the
 * books. Issued again for the same cause, it is the same one. The caller has locked the
 * subscription.
 */
export async function issueInvoice(
  t: TxCtx,
  invoice: { cause: string; periodStart: Date; periodEnd: Date; lines: readonly NewLine[] },
): Promise<InvoiceRow> {
  const issued = await invoiceOfCause(t.tx, t.companyId, invoice.cause);
  if (issued) return issued;
  const total = sumMoney(invoice.lines.map((line) => line.amount_cents));
  const details = await detailsOf(t.tx, t.companyId);
  const company = await companyRow(t.tx, t.companyId);
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
      bill_to: {
        name: details?.name || company?.name || '',
        lines: [
          details?.address,
          details?.address_2,
          [details?.city, [details?.state, details?.zip].filter(Boolean).join(' ')]
            .filter(Boolean)
            .join(', '),
          details?.country,
        ].filter(Boolean),
      },
    },
    invoice.lines,
  );
  if (total !== 0)
    await insertEntry(t.tx, t.companyId, {
      cause: `invoice:${row.id}`,
      kind: total > 0 ? 'charge' : 'credit',
      amountCents: total,
      currency: row.currency,
      description: invoiceNumber(row),
      at: t.now,
    });
  return row;
}
