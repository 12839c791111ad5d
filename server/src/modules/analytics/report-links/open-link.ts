import type { FastifyReply } from 'fastify';
import type { Answer, reportLinks as contract } from '#contract';
import { reportLinks } from '#contract';
import {
  daysOfChoices,
  questionOfChoices,
  startChoices,
  type ReportChoices,
} from '#contract/analytics/call-analytics/report-choices';
import type { CallReportRow } from '#contract/analytics/call-analytics/schemas';
import type { CallGroup } from '#contract/analytics/call-analytics/rules';
import { noneKey } from '#contract/analytics/call-analytics/rules';
import type { Ctx } from '../../../platform/context.ts';
import { ApiError, fail } from '../../../platform/errors.ts';
import { hashToken } from '../../../platform/secrets.ts';
import { actingAs } from '../../companies/index.ts';
import {
  choicesOf,
  companiesThatLeave,
  coversTooMuch,
  reportRights,
} from '../favorites/report-rights.ts';
import { answerQuestion } from '../query/analyze-calls.ts';
import { nameOfAll, questionWords } from '../query/question-words.ts';
import { daysBefore, readQuestion, type Range } from '../query/question.ts';
import { openMailedLink } from './mailed-link.ts';
import { linkByToken, noteOpened, noteRefused } from './store.ts';

// The system role: a link names no company.

/** Rows of the page; a report of more is opened in the app. */
const MOST_ROWS = 200;
/** Nobody without an account sees contact details, whoever made the link. */
const hidden = { numbers: true };
/** Groups whose keys are words of ours, which the page says in the reader's language. */
const saidByKey: ReadonlySet<CallGroup> = new Set([
  ...(['day', 'week', 'month', 'hour', 'weekday', 'outcome', 'department'] as const),
  ...(['geo_state', 'duration_bucket', 'none'] as const),
]);

const withoutId =
  (group: CallGroup) =>
  (row: CallReportRow, n: number): CallReportRow =>
    saidByKey.has(group) || row.key === noneKey ? row : { ...row, key: String(n) };

/**
 * A report by its link, or by that of an email, counted now in the name of who made it. Fails with `report_link.closed`,
 * whatever is the reason: unknown, withdrawn, expired, or its maker may no longer do this.
 */
export async function openReportLink(
  ctx: Ctx,
  token: string,
  reply: Pick<FastifyReply, 'header'>,
): Promise<Answer<typeof contract.openReportLink>> {
  void reply.header('cache-control', 'no-store').header('x-robots-tag', 'noindex');
  const link =
    (await openMailedLink(ctx, token)) ??
    (await linkByToken(ctx.db.unscoped, hashToken(token), ctx.now));
  if (!link) return fail('report_link.closed');
  const chosen = choicesOf(link.value);
  const rights = await reportRights(ctx.db, link);
  if (!chosen || !rights || coversTooMuch(chosen)) return fail('report_link.closed');
  return countReport(ctx, link, chosen, rights).catch(async (error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'invalid') throw error;
    // A question that the app refuses, such as a model of attribution over too many calls.
    await refuse(ctx, link, rights);
    return fail('report_link.closed');
  });
}

/** Lets those who made the link know that it asks for too much. */
const refuse = (
  ctx: Ctx,
  { companyId, id }: NonNullable<Awaited<ReturnType<typeof linkByToken>>>,
  { access }: NonNullable<Awaited<ReturnType<typeof reportRights>>>,
): Promise<void> =>
  ctx.actingIn(companyId, access.roles).transaction(async (t) => {
    if (id !== null && (await noteRefused(t.tx, companyId, id, t.now)))
      await t.publish(reportLinks.reportLinksChanged, { companyId, linkId: id });
  });

async function countReport(
  ctx: Ctx,
  link: NonNullable<Awaited<ReturnType<typeof linkByToken>>> & { range?: Range },
  chosen: Partial<ReportChoices>,
  { actor, access, only }: NonNullable<Awaited<ReturnType<typeof reportRights>>>,
): Promise<Answer<typeof contract.openReportLink>> {
  const { companyId, id, name, company, timezone: tz, today } = link;
  return ctx.actingIn(companyId, access.roles).transaction(async (t) => {
    const acting = { ...actingAs(t, actor, access), numbers: only };
    const choices = { ...startChoices, ...chosen };
    const range = link.range ?? daysOfChoices(choices, today).range;
    const compared = daysBefore(range);
    const of = ({ start, end }: Range) =>
      readQuestion({ ...questionOfChoices(choices), start, end, tz }, t.now);
    const question = of(range);
    const seen = await companiesThatLeave(acting, question);
    if (!seen.length) fail('report_link.closed');
    const now = await answerQuestion(acting, question, seen, hidden);
    const before = await answerQuestion(acting, { ...of(compared), group: 'none' }, seen, hidden);
    if (id !== null && (await noteOpened(t.tx, companyId, id, t.now)))
      await t.publish(reportLinks.reportLinksChanged, { companyId, linkId: id });
    const words = await questionWords(acting, question, seen);
    const { group, target } = question;
    const called = await nameOfAll(acting, question, seen);
    return {
      data: {
        ...{ name, range, compared, tz, group, target },
        company: { ...company, name: called },
        as_of: t.now.toISOString(),
        expires_at: link.expiresAt.toISOString(),
        filters: await t.contactDetails.mask(
          t.db,
          seen.map((one) => one.id),
          hidden,
          words,
        ),
        rows: now.data.slice(0, MOST_ROWS).map(withoutId(group)),
        more: Math.max(0, now.data.length - MOST_ROWS),
        totals: now.totals,
        before: before.totals,
      },
    };
  });
}
