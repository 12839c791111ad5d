import type { Answer, subscription as contract } from '#contract';
import { taxOf } from '#contract/billing/rules';
import type { TxCtx } from '../../../platform/context.ts';
import { exceptionOf, installationTax } from './store-tax.ts';

/** What an account's invoices are taxed with; null: with nothing, and nothing is said of tax. */
export type AccountTax = NonNullable<Answer<typeof contract.getSubscription>['data']['tax']> | null;

/** The tax of the company now: the installation's, unless the account has an exception. */
export async function taxOfAccount(t: Pick<TxCtx, 'tx' | 'companyId'>): Promise<AccountTax> {
  const standard = await installationTax(t.tx);
  const exception = await exceptionOf(t.tx, t.companyId);
  const shared = {
    included: standard?.included ?? false,
    seller_tax_id: standard?.seller_tax_id ?? '',
  };
  if (exception?.treatment === 'exempt') {
    const { reason, number } = exception;
    return { ...shared, name: standard?.name || 'Tax', rate: 0, exempt: { reason, number } };
  }
  const { name, rate } = exception ?? standard ?? { name: '', rate: 0 };
  return rate === 0 ? null : { ...shared, name, rate, exempt: null };
}

/** The sum of an invoice's lines with its tax: what is owed, and the tax in it. */
export function withTax(cents: number, tax: AccountTax): { totalCents: number; taxCents: number } {
  const taxCents = tax ? taxOf(cents, tax) : 0;
  return { totalCents: tax?.included ? cents : cents + taxCents, taxCents };
}
