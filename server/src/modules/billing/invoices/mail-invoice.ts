import { formatMoney } from '#contract';
import type { TxCtx } from '../../../platform/context.ts';
import { tellBillingPeople } from '../contacts/tell-billing-people.ts';
import { invoiceNumber } from './issue-invoice.ts';
import type { InvoiceRow } from './store-invoices.ts';

/** Tells the owners and the billing contacts of a new invoice, each once. */
export async function mailInvoice(t: TxCtx, row: InvoiceRow): Promise<void> {
  const number = invoiceNumber(row);
  const total = formatMoney(row.total_cents, row.currency);
  await tellBillingPeople(t, {
    key: `invoice:${row.id}`,
    subject: `Your invoice ${number}: ${total}`,
    paragraphs: [`Your invoice ${number} over ${total} is ready.`],
    text: `Your invoice ${number} over ${total} is ready.`,
  });
}
