import type { TxCtx } from '../../../platform/context.ts';
import type { AccountTax } from '../tax/tax-of-account.ts';
import { issueInvoice } from './issue-invoice.ts';
import { mailInvoice } from './mail-invoice.ts';
import type { InvoiceRow } from './store-invoices.ts';

/**
 * Credits an amount, of which so much is tax, with a credit note that is mailed where invoices are.
 * The caller has locked the subscription.
 */
export async function issueCreditNote(
  t: TxCtx,
  credit: {
    cause: string;
    description: string;
    cents: number;
    terms: AccountTax;
    taxCents: number;
    isMailed: boolean;
  },
): Promise<InvoiceRow> {
  // As on invoices: prices are with the tax they include, and without the tax that is added.
  const priced = credit.terms?.included ? credit.cents : credit.cents - credit.taxCents;
  const note = await issueInvoice(t, {
    cause: credit.cause,
    periodStart: t.now,
    periodEnd: t.now,
    lines: [
      {
        kind: 'credit',
        description: credit.description,
        component: null,
        used: null,
        quantity: 1,
        unit_cents: -priced,
        amount_cents: -priced,
      },
    ],
    // Without `-0`, which no amount is.
    tax: { terms: credit.terms, totalCents: -credit.cents, taxCents: 0 - credit.taxCents },
  });
  if (credit.isMailed) await mailInvoice(t, note);
  return note;
}
