import { numbers as contract, type Answer } from '#contract';
import { isFeatureOn } from '#contract/numbers/features/rules';
import { enqueueIn, type Ctx, type TxCtx } from '../../../platform/context.ts';
import { fail, notFound } from '../../../platform/errors.ts';
import type {
  NumberReputation,
  NumberReputationGateway,
} from '../../../gateways/number-reputation.ts';
import { companyRow } from '../../companies/index.ts';
import { checkSpamLabelsJob } from '../job-kinds.ts';
import { presentNumber } from '../read-number.ts';
import { numberView, updateNumberRow } from '../store.ts';
import { recordNumberEvent } from '../timeline/record-event.ts';
import { companiesWithDueNumbers, dueNumbers, lockSpamLabels } from './store-spam-labels.ts';

// The system role: finds the companies whose numbers are due.

/** Every hour: queues a check of the numbers that were not checked for a day. */
export const startSpamChecks = async (ctx: Ctx): Promise<void> => {
  if (!ctx.gateways.numberReputation) return;
  await ctx.db.systemTransaction(async (tx) => {
    for (const companyId of await companiesWithDueNumbers(tx, ctx.now))
      await enqueueIn(
        tx,
        checkSpamLabelsJob,
        { companyId },
        { key: `numbers.checkSpamLabels:${companyId}` },
      );
  });
};

/** Numbers of one request to the source. */
const atOnce = 200;

/**
 * Asks how calls from a company’s numbers are shown, those that are due, unless monitoring is off.
 * Rejects when the source can’t be reached: what it answered before is kept.
 */
export async function checkSpamLabels(ctx: Ctx): Promise<void> {
  const source = ctx.gateways.numberReputation;
  if (!source) return;
  const background = ctx.inBackground();
  const due = await background.transaction(async (t) => {
    const company = await companyRow(t.tx, t.companyId);
    return company && isFeatureOn(company.settings, 'monitoring')
      ? dueNumbers(t.tx, t.companyId, t.now)
      : [];
  });
  for (let at = 0; at < due.length; at += atOnce) {
    const found = await source.check(due.slice(at, at + atOnce));
    await background.transaction(async (t) => {
      for (const one of found) await keep(t, one);
    });
  }
}

/** Answers within this time of a check tell what it found. Milliseconds. */
const freshMs = 60_000;

/**
 * Asks now how calls from a number are shown, for instance after its owner registered it. Fails with
 * 404, `number.spam_source_missing`, `number.spam_source_away` or `number.not_active`.
 */
export async function checkSpamLabel(
  ctx: Ctx,
  id: number,
): Promise<Answer<typeof contract.checkSpamLabel>> {
  const row = await ctx.transaction(
    async (t) => (await numberView(t.tx, t.companyId, id, t.numbers)) ?? notFound(),
  );
  const source: NumberReputationGateway =
    ctx.gateways.numberReputation ?? fail('number.spam_source_missing');
  if (row.status !== 'active') fail('number.not_active');
  const checkedAt = row.spam_checked_at && new Date(row.spam_checked_at).getTime();
  const isFresh = checkedAt !== null && ctx.now.getTime() - checkedAt < freshMs;
  const found = isFresh
    ? []
    : await source.check([row.number]).catch((error: unknown) => {
        ctx.log.warn({ err: error }, 'spam labels could not be checked');
        return fail('number.spam_source_away', { source: source.name });
      });
  return ctx.transaction(async (t) => {
    for (const one of found) await keep(t, one);
    return { data: await presentNumber(t, id) };
  });
}

/** Stores how calls from a number are shown; a change stands in its timeline. */
async function keep(t: TxCtx, { number, flaggedBy }: NumberReputation): Promise<void> {
  const before = await lockSpamLabels(t.tx, t.companyId, number);
  if (!before) return;
  const labels = [...(flaggedBy ?? [])];
  const status = flaggedBy === null ? 'unknown' : labels.length ? 'flagged' : 'clean';
  await updateNumberRow(t.tx, t.companyId, before.id, {
    spam_status: status,
    spam_labels: labels,
    spam_checked_at: t.now,
  });
  if (before.status === status && before.labels.join() === labels.join()) return;
  // The first check that finds nothing is no news.
  if (status === 'flagged' || before.status === 'flagged')
    await recordNumberEvent(t, before.id, {
      type: 'settings_changed',
      summary: labels.length
        ? `Calls show as spam: ${labels.join(', ')}`
        : 'Calls no longer show as spam',
      before: { spam_labels: before.labels },
      after: { spam_labels: labels },
    });
  await t.publish(
    contract.numberChanged,
    { companyId: t.companyId, numberId: before.id, number, changed: ['spam_labels'] },
    { numberId: before.id },
  );
}
