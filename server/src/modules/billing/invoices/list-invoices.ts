import type { Answer, PageAnswer, subscription as contract } from '#contract';
import type { TxCtx } from '../../../platform/context.ts';
import { requireBilling } from '../subscription.ts';
import { invoiceNumber } from './issue-invoice.ts';
import {
  dueOf,
  invoicePage,
  linesOf,
  type InvoiceLineRow,
  type InvoiceRow,
} from './store-invoices.ts';

type Invoice = Answer<typeof contract.listInvoices>['data'][number];

const present = (row: InvoiceRow, lines: readonly InvoiceLineRow[], due: number): Invoice => ({
  id: row.id,
  number: invoiceNumber(row),
  kind: row.kind as Invoice['kind'],
  issued_at: new Date(row.issued_at).toISOString(),
  period: {
    start: new Date(row.period_start).toISOString(),
    end: new Date(row.period_end).toISOString(),
  },
  currency: row.currency,
  total_cents: row.total_cents,
  tax_cents: row.tax_cents,
  tax: row.tax,
  due_cents: due,
  status: due > 0 ? 'open' : 'paid',
  pdf_url: `/api/company/${row.company_id}/invoices/${row.id}/pdf`,
  lines: lines.map((line) => ({
    kind: line.kind as Invoice['lines'][number]['kind'],
    description: line.description,
    quantity: line.quantity,
    unit_cents: line.unit_cents,
    amount_cents: line.amount_cents,
  })),
});

/** The company's invoices, newest first, with what is still due of each. */
export async function listInvoices(
  t: TxCtx,
  paging: { page: number; perPage: number },
): Promise<PageAnswer<Invoice>> {
  requireBilling(t);
  const { rows, total } = await invoicePage(t.tx, t.companyId, paging);
  const lines = await linesOf(
    t.tx,
    t.companyId,
    rows.map(({ id }) => id),
  );
  const due = await dueOf(t.tx, t.companyId);
  return {
    rows: rows.map((row) =>
      present(
        row,
        lines.filter((line) => line.invoice_id === row.id),
        due.get(row.id) ?? 0,
      ),
    ),
    total,
  };
}
