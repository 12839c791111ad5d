import type { Answer, billingAccounts as contract, PageAnswer, Query } from '#contract';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { companyRow } from '../../companies/index.ts';
import { invoiceNumber } from '../invoices/issue-invoice.ts';
import { dueOf, invoicePage } from '../invoices/store-invoices.ts';
import { getSubscription, requireBilling } from '../subscription.ts';
import { exceptionOf, type TaxException } from '../tax/store-tax.ts';
import { accountPage, newestEntries } from './store-accounts.ts';
import { refundedOf } from './store-refunds.ts';

// The system role: operators see the accounts of all companies.

export type AccountAnswer = Answer<typeof contract.getBillingAccount>;
type Account = AccountAnswer['data'];
type Row = Answer<typeof contract.listBillingAccounts>['data'][number];
const iso = (at: Date | null): string | null => at && new Date(at).toISOString();
const presentException = (row: TaxException | undefined): Account['tax_exception'] =>
  row
    ? {
        treatment: row.treatment === 'exempt' ? 'exempt' : 'rate',
        reason: row.reason,
        number: row.number,
        name: row.name,
        rate: row.rate,
      }
    : null;
/** More are in the company's own list. */
const most = { invoices: 24, entries: 50 };

/** The accounts of all companies, those that owe most first. */
export async function listBillingAccounts(
  ctx: Ctx,
  query: Query<typeof contract.listBillingAccounts>,
): Promise<PageAnswer<Row>> {
  requireBilling(ctx);
  const rows = await accountPage(ctx.db.unscoped, {
    search: query.search ?? '',
    state: query.state ?? null,
    page: query.page,
    perPage: query.perPage,
  });
  return {
    rows: rows.map((row) => ({
      company: { id: row.id, name: row.name },
      plan: row.plan,
      state: row.state,
      balance_cents: row.balance,
      past_due_since: iso(row.past_due_since),
      period_end: iso(row.period_end),
      suspended: row.suspended,
    })),
    total: rows[0]?.total ?? 0,
  };
}

/** The plan, invoices and newest entries of a company. Fails with `not_found`. */
export async function getBillingAccount(t: TxCtx): Promise<AccountAnswer> {
  const { data: subscription } = await getSubscription(t);
  const company = (await companyRow(t.tx, t.companyId)) ?? notFound();
  const { rows } = await invoicePage(t.tx, t.companyId, { page: 1, perPage: most.invoices });
  const [due, refunded] = [await dueOf(t.tx, t.companyId), await refundedOf(t.tx, t.companyId)];
  const entries = await newestEntries(t.tx, t.companyId, most.entries);
  return {
    data: {
      company: { id: t.companyId, name: company.name },
      subscription,
      suspended: company.suspended_at !== null,
      tax_exception: presentException(await exceptionOf(t.tx, t.companyId)),
      has_clock: t.settings.billing === 'sandbox',
      invoices: rows.map((row) => ({
        id: row.id,
        number: invoiceNumber(row),
        kind: row.kind as Account['invoices'][number]['kind'],
        issued_at: new Date(row.issued_at).toISOString(),
        total_cents: row.total_cents,
        tax_cents: row.tax_cents,
        due_cents: due.get(row.id) ?? 0,
        refunded_cents: refunded.get(row.id) ?? 0,
      })),
      entries: entries.map((entry) => ({
        id: entry.id,
        at: new Date(entry.at).toISOString(),
        kind: entry.kind as Account['entries'][number]['kind'],
        amount_cents: entry.amount_cents,
        description: entry.description,
      })),
    },
  };
}
