import { callAnalyticsLimits } from '#contract/analytics/call-analytics/rules';
import { questionOfChoices, startChoices } from '#contract/analytics/call-analytics/report-choices';
import {
  mailedPath,
  stopMailsPath,
  type ReportFrequency,
} from '#contract/analytics/favorites/rules';
import { sharedReportPath } from '#contract/analytics/report-links/rules';
import { systemCtx, type Ctx } from '../../../platform/context.ts';
import { queueMail } from '../../../platform/mail.ts';
import { actingAs } from '../../companies/index.ts';
import { choicesOf, companiesThatLeave, reportRights } from '../favorites/report-rights.ts';
import { dayAfter, daysBefore, readQuestion, type Range } from '../query/question.ts';
import { hiddenIn } from '../query/shown-rows.ts';
import { gatherReport, hideIn, type GatheredReport } from '../report-files/gather-report.ts';
import { mailedLinkDays, viewToken } from '../report-links/mailed-link.ts';
import { hiddenFromReader, reportAttacher, type AttachedReport } from './attach-report.ts';
import { renderReport } from './render-report.ts';
import { stopToken } from './stop-mails.ts';
import { addressesWithAccounts, dueReports, type DueReport } from './store.ts';

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
  const range = periodBefore(due.today, due.frequency);
  const report = await company.transaction(async (t) => {
    const acting = { ...actingAs(t, actor, access), numbers: only };
    const asked = questionOfChoices({ ...startChoices, ...choices });
    const question = readQuestion({ ...asked, ...range, tz: due.timezone }, t.now);
    const companies = await companiesThatLeave(acting, question);
    if (!companies.length) return null;
    return gatherReport(acting, {
      ...{ question, companies, hidden: hiddenIn(acting, companies) },
      compared: comparedWith(range, due.frequency),
      isSpread: due.attach === 'csv',
    });
  });
  // Its organization is no longer its owner's.
  if (!report) return;
  const attachedFor = reportAttacher(company, due, report);
  const files = new Map<string, AttachedReport>();
  for (const to of due.recipients) files.set(to, await attachedFor(to));
  const known = await addressesWithAccounts(ctx.db.unscoped, due.companyId, due.recipients);
  await company.transaction(async (t) => {
    const acting = actingAs(t, actor, access);
    for (const to of due.recipients) {
      const file = files.get(to);
      const seen = await hideIn(acting, report, await hiddenFromReader(acting, report, to));
      await queueMail(
        acting,
        mailOf(t, due, {
          report: seen,
          choices,
          to,
          file,
          hasAccount: known.has(to.toLowerCase()),
        }),
        t.tx,
      );
    }
  });
}

/** The email to one reader, who stops it by a link of their own. */
function mailOf(
  { settings: { publicUrl, appSecret } }: Pick<Ctx, 'settings'>,
  due: DueReport,
  {
    report: { question, of, rows, totals, before },
    choices,
    to,
    file,
    hasAccount,
  }: {
    report: GatheredReport;
    choices: Record<string, string>;
    to: string;
    file: AttachedReport | undefined;
    hasAccount: boolean;
  },
): Parameters<typeof queueMail>[1] {
  const { start, end } = question.range;
  const link = new URLSearchParams({ ...choices, period: 'custom', from: start, to: end });
  const token = stopToken(appSecret, due, to);
  const view = {
    url: `${publicUrl}${sharedReportPath}#${viewToken(appSecret, due, { start, end }, to)}`,
    until: dayAfter(end, mailedLinkDays),
  };
  return {
    to,
    ...renderReport({ ...due, company: of }, question, {
      rows: rows.slice(0, callAnalyticsLimits.rows).map(({ row }) => row),
      ...{ totals, before, attached: file?.sentence ?? '' },
      url: `${publicUrl}${mailedPath}?${link}`,
      view: hasAccount ? null : view,
      stop: `${publicUrl}${stopMailsPath}/${token}`,
    }),
    attachments: file?.attachments ?? [],
    key: `report:${due.companyId}:${due.id}:${due.today}:${to.toLowerCase()}`,
    unsubscribe: `${publicUrl}/api${stopMailsPath}/${token}`,
    oneClick: true,
  };
}
