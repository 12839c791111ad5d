import { systemCtx, type Ctx } from '../../../platform/context.ts';
import { queueMail } from '../../../platform/mail.ts';
import { callKpi } from '../call-kpi.ts';
import { daysBefore, type Range } from '../query/question.ts';
import { renderSummary } from './render-summary.ts';
import { dueSummaries, type DueSummary } from './store.ts';

// The system role: finds what is due in every company, then works in each one’s own transaction.

/** Sent in the morning; a server that is off then has until noon. */
const morning = { hour: 8, hours: 4 };

/** Yesterday, or the seven days until then. */
export function periodOf({ today, frequency }: Pick<DueSummary, 'today' | 'frequency'>): Range {
  const yesterday = daysBefore({ start: today, end: today });
  if (frequency === 'daily') return yesterday;
  const start = new Date(Date.parse(`${today}T00:00:00Z`) - 7 * 86_400_000);
  return { start: start.toISOString().slice(0, 10), end: yesterday.end };
}

/**
 * Hourly: mails the summaries (`summary_email`) of companies whose morning it is. A key names
 * company, day and address, so that each gets it once.
 */
export async function sendSummaries(ctx: Ctx): Promise<void> {
  if (!ctx.settings.canMail) return;
  for (const due of await dueSummaries(ctx.db.unscoped, ctx.now, morning)) {
    const company = systemCtx(
      { ...ctx, now: () => ctx.now },
      due.companyId,
      { markDirty: () => {}, notify: () => {} },
      ctx.requestId,
    );
    await company.transaction(async (t) => {
      const range = periodOf(due);
      const { data } = await callKpi(t, { currentRange: range, tz: due.timezone });
      const mail = renderSummary(due, range, { figures: data, publicUrl: t.settings.publicUrl });
      for (const to of due.recipients)
        await queueMail(
          t,
          { to, ...mail, key: `summary:${due.companyId}:${due.today}:${to.toLowerCase()}` },
          t.tx,
        );
    });
  }
}
