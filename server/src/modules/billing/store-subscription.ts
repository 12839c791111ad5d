import type { Selectable, Updateable } from 'kysely';
import type { BillingMode, PlanId, SubscriptionState } from '#contract/billing/rules';
import type { Tx } from '../../platform/db.ts';
import type { Tables } from '../../platform/tables.ts';

/** A subscription with the words that its checks allow. */
export type SubscriptionRow = Omit<
  Selectable<Tables['subscription']>,
  'state' | 'plan' | 'pending_plan'
> & { state: SubscriptionState; plan: PlanId | null; pending_plan: PlanId | null };
export type SubscriptionPatch = Omit<Updateable<Tables['subscription']>, 'company_id' | 'id'>;
export type DetailsRow = Selectable<Tables['billing_details']>;

// Written by this module alone, with names of the catalogue.
const asRow = (row: Selectable<Tables['subscription']>): SubscriptionRow => row as SubscriptionRow;

/** The company's subscription; undefined: it never had a plan or a card. */
export async function subscriptionOf(
  tx: Tx,
  companyId: number,
): Promise<SubscriptionRow | undefined> {
  const row = await tx
    .selectFrom('subscription')
    .selectAll()
    .where('company_id', '=', companyId)
    .executeTakeFirst();
  return row && asRow(row);
}

/**
 * The company's subscription, made if there is none, locked until the transaction ends: what
 * concerns a company's money happens one after the other.
 */
export async function lockedSubscription(
  tx: Tx,
  companyId: number,
  { now, provider }: { now: Date; provider: BillingMode },
): Promise<SubscriptionRow> {
  await tx
    .insertInto('subscription')
    .values({
      company_id: companyId,
      // Without billing nothing is subscribed; a mode chosen later takes over by hand.
      provider: provider === 'sandbox' ? 'sandbox' : 'manual',
      created_at: now,
      updated_at: now,
    })
    .onConflict((c) => c.column('company_id').doNothing())
    .execute();
  return asRow(
    await tx
      .selectFrom('subscription')
      .selectAll()
      .where('company_id', '=', companyId)
      .forUpdate()
      .executeTakeFirstOrThrow(),
  );
}

/** Changes a subscription. */
export async function patchSubscription(
  tx: Tx,
  companyId: number,
  patch: SubscriptionPatch,
  now: Date,
): Promise<SubscriptionRow> {
  return asRow(
    await tx
      .updateTable('subscription')
      .set({ ...patch, updated_at: now })
      .where('company_id', '=', companyId)
      .returningAll()
      .executeTakeFirstOrThrow(),
  );
}

/** Name and address for invoices; undefined: none were given. */
export const detailsOf = (tx: Tx, companyId: number): Promise<DetailsRow | undefined> =>
  tx
    .selectFrom('billing_details')
    .selectAll()
    .where('company_id', '=', companyId)
    .executeTakeFirst();

/** Saves what was given of name and address; the rest stays. */
export const saveDetails = (
  tx: Tx,
  companyId: number,
  details: Partial<Omit<DetailsRow, 'company_id' | 'updated_at'>>,
  now: Date,
): Promise<DetailsRow> =>
  tx
    .insertInto('billing_details')
    .values({ company_id: companyId, ...details, updated_at: now })
    .onConflict((c) => c.column('company_id').doUpdateSet({ ...details, updated_at: now }))
    .returningAll()
    .executeTakeFirstOrThrow();
