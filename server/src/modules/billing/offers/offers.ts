import {
  billing,
  formatMoney,
  type Answer,
  type Body,
  type subscription as contract,
} from '#contract';
import { planIds, plans, type PlanId } from '#contract/billing/rules';
import { audit } from '../../../platform/audit.ts';
import { enqueueIn, type Ctx, type TxCtx } from '../../../platform/context.ts';
import { ApiError, fail, notFound } from '../../../platform/errors.ts';
import { offerYearlyJob } from '../job-kinds.ts';
import { previewOf } from '../plan/preview-migration.ts';
import { requireSold, stepOrFail, subscriptionToChange } from '../plan/running-plan.ts';
import { subscriptionOf, type SubscriptionRow } from '../store-subscription.ts';
import { requireBilling } from '../subscription.ts';
import {
  companiesToOffer,
  insertOffer,
  latestOffer,
  lockedOffer,
  markOffer,
  wasDeclinedSince,
  type OfferRow,
} from './store-offers.ts';

// The system role: finds the companies that are due, then works in each one’s own transaction.

type Offer = Answer<typeof contract.findOrCreateYearlyOffer>['data'];

const day = 86_400_000;
/** How long an offer stands. */
const offerDays = 14;
/** How long a company must have been subscribed, without a declined charge. */
const steadyDays = 60;
/** How long after an offer the next one comes at the earliest. */
const restDays = 90;

const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * day);

function present(row: OfferRow): Offer {
  const [monthly, yearly] = [row.monthly_price_cents, row.yearly_price_cents];
  const savings = 12 * monthly - yearly;
  return {
    id: row.id,
    company_id: row.company_id,
    // Written by this file alone, with names of the catalogue.
    from_plan: row.from_plan as PlanId,
    to_plan: row.to_plan as PlanId,
    monthly_price_cents: monthly,
    yearly_price_cents: yearly,
    discount_percent: Math.round((savings * 100) / (12 * monthly)),
    savings_cents: savings,
    headline: `Pay by the year and save ${formatMoney(savings)}`,
    expires_at: new Date(row.expires_at).toISOString(),
    viewed: row.viewed_at !== null,
    viewed_at: row.viewed_at && new Date(row.viewed_at).toISOString(),
    used: row.used_at !== null,
    used_at: row.used_at && new Date(row.used_at).toISOString(),
    created_at: new Date(row.created_at).toISOString(),
  };
}

/** The offer while it can be taken up: it stands and fits the plan. Otherwise null. */
const open = (
  offer: OfferRow | undefined,
  row: SubscriptionRow | undefined,
  now: Date,
): OfferRow | null =>
  offer !== undefined &&
  offer.used_at === null &&
  new Date(offer.expires_at) > now &&
  row?.state === 'active' &&
  row.plan === offer.from_plan
    ? offer
    : null;

/** The open offer; null: there is none. */
export async function getYearlyOffer(t: TxCtx): Promise<Answer<typeof contract.getYearlyOffer>> {
  requireBilling(t);
  const row = await subscriptionOf(t.tx, t.companyId);
  const offer = open(await latestOffer(t.tx, t.companyId), row, t.now);
  return { data: offer && present(offer) };
}

/** The open offer, or a new one. Fails with `offer.not_eligible`. */
export async function findOrCreateYearlyOffer(
  t: TxCtx,
): Promise<Answer<typeof contract.findOrCreateYearlyOffer>> {
  const row = await subscriptionToChange(t);
  const latest = await latestOffer(t.tx, t.companyId);
  const standing = open(latest, row, t.now);
  if (standing) return { data: present(standing) };
  const plan = row.plan && plans[row.plan];
  const yearly = plan && plan.yearly_counterpart;
  const isSteady =
    row.state === 'active' &&
    row.pending_plan === null &&
    row.subscribed_at !== null &&
    new Date(row.subscribed_at) <= daysBefore(t.now, steadyDays) &&
    !(await wasDeclinedSince(t.tx, t.companyId, daysBefore(t.now, steadyDays)));
  const isRested = !latest || new Date(latest.created_at) <= daysBefore(t.now, restDays);
  if (!plan || !yearly || !isSteady || !isRested) fail('offer.not_eligible');
  const offer = await insertOffer(t.tx, t.companyId, {
    from_plan: plan.identifier,
    to_plan: yearly,
    monthly_price_cents: plan.price_cents,
    yearly_price_cents: plans[yearly].price_cents,
    expires_at: new Date(t.now.getTime() + offerDays * day),
    created_at: t.now,
  });
  await t.publish(billing.subscriptionChanged, { companyId: t.companyId });
  await audit(t, 'subscription.offered', `company:${t.companyId}`, { after: { plan: yearly } });
  return { data: present(offer) };
}

/** Every day: queues the companies that pay by the month and have done so steadily for a while. */
export const startYearlyOffers = (ctx: Ctx): Promise<void> =>
  ctx.db.systemTransaction(async (tx) => {
    if (ctx.settings.billing === 'off') return;
    const ids = await companiesToOffer(tx, {
      plans: planIds.filter((id) => plans[id].yearly_counterpart),
      steadySince: daysBefore(ctx.now, steadyDays),
      restSince: daysBefore(ctx.now, restDays),
      most: 5000,
    });
    for (const companyId of ids)
      await enqueueIn(
        tx,
        offerYearlyJob,
        { companyId },
        { key: `billing.offerYearly:${companyId}` },
      );
  });

/** Makes the offer, unless something changed since it was queued. Throws what else went wrong. */
export async function offerYearly(ctx: Ctx): Promise<void> {
  try {
    await ctx.transaction((t) => findOrCreateYearlyOffer(t));
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'offer.not_eligible') throw error;
  }
}

/**
 * Notes that an offer was seen, or taken up: then the answer previews the change, which is a call of
 * its own. Fails with `offer.over`, or 404.
 */
export async function updateYearlyOffer(
  t: TxCtx,
  id: number,
  { used }: Body<typeof contract.updateYearlyOffer>,
): Promise<Answer<typeof contract.updateYearlyOffer>> {
  const row = await subscriptionToChange(t);
  const offer = (await lockedOffer(t.tx, t.companyId, id)) ?? notFound();
  await t.publish(billing.subscriptionChanged, { companyId: t.companyId });
  const marks = { viewed_at: offer.viewed_at ?? t.now, used_at: offer.used_at };
  if (!used) return { data: present(await markOffer(t.tx, offer, marks)), meta: { preview: null } };
  if (!open(offer, row, t.now)) fail('offer.over');
  const to = offer.to_plan as PlanId;
  stepOrFail(row, 'change_plan');
  requireSold(row, to);
  const preview = await previewOf(t, row, to);
  const marked = await markOffer(t.tx, offer, { ...marks, used_at: t.now });
  return { data: present(marked), meta: { preview } };
}
