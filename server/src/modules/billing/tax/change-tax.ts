import { billing, type Answer, type billingTax as contract, type Body } from '#contract';
import { audit } from '../../../platform/audit.ts';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { invalid } from '../../../platform/errors.ts';
import { getBillingAccount, type AccountAnswer } from '../operator/accounts.ts';
import { subscriptionToChange } from '../plan/running-plan.ts';
import { requireBilling } from '../subscription.ts';
import {
  exceptionOf,
  insertTaxChange,
  saveException,
  taxChanges,
  type TaxException,
} from './store-tax.ts';

// The system role: the tax is the installation's, above companies.

type TaxAnswer = Answer<typeof contract.getBillingTax>;
/** Changes that are shown. */
const mostChanges = 12;
const noTax = { name: '', rate: 0, included: false, seller_tax_id: '' };

/** The tax of the installation, and who changed it. */
export async function getBillingTax(ctx: Ctx): Promise<TaxAnswer> {
  requireBilling(ctx);
  const changes = (await taxChanges(ctx.db.unscoped, mostChanges)).map((row) => ({
    id: row.id,
    name: row.name,
    rate: row.rate,
    included: row.included,
    seller_tax_id: row.seller_tax_id,
    changed_by: row.changed_by_name,
    changed_at: new Date(row.changed_at).toISOString(),
  }));
  const { name, rate, included, seller_tax_id } = changes[0] ?? noTax;
  return { data: { name, rate, included, seller_tax_id, history: changes } };
}

/** Sets the tax of the installation from now on. Fails with `invalid` where a rate has no name. */
export async function updateBillingTax(
  ctx: Ctx,
  body: Body<typeof contract.updateBillingTax>,
): Promise<TaxAnswer> {
  requireBilling(ctx);
  if (body.rate > 0 && body.name === '') invalid({ name: 'Name the tax, such as Sales tax.' });
  await ctx.db.systemTransaction((tx) =>
    insertTaxChange(tx, {
      ...body,
      changed_by: ctx.actor.userId,
      changed_by_name: ctx.actor.name,
      changed_at: ctx.now,
    }),
  );
  return getBillingTax(ctx);
}

/** Taxes an account as all others, not at all, or at a rate of its place. Issued invoices stay. Fails with `invalid`. */
export async function updateAccountTax(
  t: TxCtx,
  body: Body<typeof contract.updateAccountTax>,
): Promise<AccountAnswer> {
  await subscriptionToChange(t);
  const before = await exceptionOf(t.tx, t.companyId);
  const after = exceptionIn(t, body);
  await saveException(t.tx, t.companyId, after);
  await audit(t, 'billing.tax_changed', `company:${t.companyId}`, {
    before: said(before ?? null),
    after: said(after),
  });
  await t.publish(billing.subscriptionChanged, { companyId: t.companyId });
  return getBillingAccount(t);
}

type Exception = Omit<TaxException, 'company_id'>;

function exceptionIn(
  t: TxCtx,
  {
    treatment,
    reason = '',
    number = '',
    name = '',
    rate = 0,
  }: Body<typeof contract.updateAccountTax>,
): Exception | null {
  if (treatment === 'standard') return null;
  const nothing = { reason: '', number: '', name: '', rate: 0, updated_at: t.now };
  if (treatment === 'exempt')
    return reason === ''
      ? invalid({ reason: 'Say why this account is exempt.' })
      : { ...nothing, treatment, reason, number };
  if (name === '') invalid({ name: 'Name the tax, such as Sales tax.' });
  if (rate === 0) invalid({ rate: 'Enter a rate, or choose exempt.' });
  return { ...nothing, treatment, name, rate };
}

const said = (exception: Exception | null): object =>
  exception?.treatment === 'rate'
    ? { tax: exception.name, rate: exception.rate }
    : { tax: exception ? `${exception.reason} ${exception.number}`.trim() : 'standard' };
