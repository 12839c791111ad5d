import { questionOfChoices, startChoices } from '#contract/analytics/call-analytics/report-choices';
import {
  mailedPath,
  stopMailsPath,
  type ReportFrequency,
} from '#contract/analytics/favorites/rules';
import { systemCtx, type Ctx } from '../../../platform/context.ts';
import { queueMail } from '../../../platform/mail.ts';
import { actingAs } from '../../companies/index.ts';
import { choicesOf, reportRights } from '../favorites/report-rights.ts';
import { answerQuestion } from '../query/analyze-calls.ts';
import { dayAfter, daysBefore, readQuestion, type Range } from '../query/question.ts';
import { renderReport } from './render-report.ts';
import { stopToken } from './stop-mails.ts';
import { dueReports, type DueReport } from './store.ts';

// The system role: finds what is due in every company, then works in each one’s own transaction.

/** A server that is off at the hour has this long, on the same day. */
const HOURS = 4;

/** The day, the seven days or the month before `today` (YYYY-MM-DD). */
export function periodBefore(today: string, frequency: ReportFrequency): Range {
  const end = dayAfter(today, -1);
  if (frequency === 'daily') return { start: end, end };
  return { start: frequency === 'weekly' ? dayAfter(today, -7) : `${end.slice(0, 7)}-01`, end };
}

/** The time that a period is compared with: as long, but of a month the month before it. */
const comparedWith = (range: Range, frequency: ReportFrequency): Range =>
  frequency === 'monthly' ? periodBefore(range.start, 'monthly') : daysBefore(range);

/**
 * Hourly: emails the reports whose hour it is. A key names the favorite, the day and the address, so
 * that each gets it once. One that fails is tried with the next hour, and others go out.
 */
export async function sendReports(ctx: Ctx): Promise<void> {
  if (!ctx.settings.canMail) return;
  for (const due of await dueReports(ctx.db.unscoped, ctx.now, HOURS))
    try {
      await sendReport(ctx, due);
    } catch (error) {
      ctx.log.error({ err: error, favorite: due.id }, 'a report was not emailed');
    }
}

/** Counts in its owner’s name what they may see now, and queues the emails. */
async function sendReport(ctx: Ctx, due: DueReport): Promise<void> {
  const choices = choicesOf(due.value);
  const rights = await reportRights(ctx.db, due);
  if (!choices || !rights) return;
  const { actor, access, only } = rights;
  const company = systemCtx(
    { ...ctx, now: () => ctx.now },
    due.companyId,
    { markDirty: () => {}, notify: () => {} },
    ctx.requestId,
  );
  await company.transaction(async (t) => {
    const acting = { ...actingAs(t, actor, access), numbers: only };
    const range = periodBefore(due.today, due.frequency);
    const of = ({ start, end }: Range) => {
      const asked = questionOfChoices({ ...startChoices, ...choices });
      return readQuestion({ ...asked, start, end, tz: due.timezone }, t.now);
    };
    const seen = [{ id: due.companyId, only }];
    const question = of(range);
    const now = await answerQuestion(acting, question, seen);
    const before = await answerQuestion(
      acting,
      { ...of(comparedWith(range, due.frequency)), group: 'none' },
      seen,
    );
    const link = new URLSearchParams({
      ...choices,
      period: 'custom',
      from: range.start,
      to: range.end,
    });
    const { publicUrl, appSecret } = t.settings;
    const counted = { rows: now.data, totals: now.totals, before: before.totals };
    for (const to of due.recipients) {
      const token = stopToken(appSecret, due, to);
      const mail = renderReport(due, question, {
        ...counted,
        url: `${publicUrl}${mailedPath}?${link}`,
        stop: `${publicUrl}${stopMailsPath}/${token}`,
      });
      const key = `report:${due.companyId}:${due.id}:${due.today}:${to.toLowerCase()}`;
      const unsubscribe = `${publicUrl}/api${stopMailsPath}/${token}`;
      await queueMail(acting, { to, ...mail, key, unsubscribe, oneClick: true }, t.tx);
    }
  });
}
