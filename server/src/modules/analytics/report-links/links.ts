import { reportLinks as contract, type Answer, type Body } from '#contract';
import { isDay } from '#contract/analytics/call-analytics/report-choices';
import { mailedPath } from '#contract/analytics/favorites/rules';
import { reportLinkLimits, sharedReportPath } from '#contract/analytics/report-links/rules';
import { audit } from '../../../platform/audit.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { fail, invalid, notFound } from '../../../platform/errors.ts';
import { hashToken, randomToken } from '../../../platform/secrets.ts';
import {
  choicesOf,
  coversTooMuch,
  hasCompanies,
  reportRights,
} from '../favorites/report-rights.ts';
import { favoriteRows } from '../favorites/store.ts';
import { dayAfter } from '../query/question.ts';
import { countWorking, endOfDay, insertLink, linkRows, removeLink } from './store.ts';

type Row = Awaited<ReturnType<typeof linkRows>>[number];

const present = (
  ctx: TxCtx,
  row: Row,
  closed: contract.ReportLink['closed'] = null,
): contract.ReportLink => ({
  id: row.id,
  favorite: { id: row.favorite_id, name: row.favorite_name },
  user: { id: row.user_id, name: row.user_name },
  mine: row.user_id === ctx.actor.userId,
  created_at: row.created_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
  last_opened_at: row.last_opened_at?.toISOString() ?? null,
  closed,
});

/** Why links don't open; null: this one does. Strangers who have it aren't told. */
function closedReasons(ctx: TxCtx): (row: Row) => Promise<contract.ReportLink['closed']> {
  const { companyId } = ctx;
  const makers = new Map<number, ReturnType<typeof reportRights>>();
  const rightsOf = (userId: number): ReturnType<typeof reportRights> => {
    const rights = makers.get(userId) ?? reportRights(ctx.db, { companyId, userId });
    makers.set(userId, rights);
    return rights;
  };
  return async ({ expires_at, favorite_value, user_id, refused_at }) => {
    if (expires_at <= ctx.now) return 'expired';
    const choices = choicesOf(favorite_value);
    if (!choices) return 'not_a_report';
    if (coversTooMuch(choices)) return 'too_long';
    const rights = await rightsOf(user_id);
    if (!rights || !(await hasCompanies(ctx.db, companyId, rights, choices))) return 'maker';
    // How many there are now is only known by counting them.
    return refused_at ? 'too_many' : null;
  };
}

/** Whose links the actor sees: their own; people who edit settings can close everyone's (null). */
const seenOf = (ctx: TxCtx): number | null =>
  ctx.may('settings.edit') === 'none' ? ctx.actor.userId : null;

/** The links that the actor sees, newest first, each with the reason why it doesn't open. */
export async function listReportLinks(
  ctx: TxCtx,
  favoriteId: number | undefined,
): Promise<Answer<typeof contract.listReportLinks>> {
  const rows = await linkRows(ctx.tx, ctx.companyId, { userId: seenOf(ctx), favoriteId });
  const reasonOf = closedReasons(ctx);
  const data: contract.ReportLink[] = [];
  for (const row of rows) data.push(present(ctx, row, await reasonOf(row)));
  return { data };
}

/** When a link ends whose last day this is. Fails with a field error for days that are over or too far. */
async function expiryOf(ctx: TxCtx, lastDay: string): Promise<Date> {
  if (!isDay(lastDay)) invalid({ last_day: 'Enter a date.' });
  const { today, ends } = await endOfDay(ctx.tx, ctx.companyId, lastDay, ctx.now);
  if (lastDay < today) invalid({ last_day: 'Choose today or a later day.' });
  if (lastDay > dayAfter(today, reportLinkLimits.days))
    invalid({ last_day: 'Choose a day within a year.' });
  return ends;
}

/**
 * Makes a link to one of the actor's own favorites. Fails with `not_found`, `favorite.not_yours`,
 * `report_link.too_many`, with `role.forbidden` for someone whose figures could not be counted later,
 * and with a field error for what isn't a call report.
 */
export async function createReportLink(
  ctx: TxCtx,
  { favorite_id, last_day }: Body<typeof contract.createReportLink>,
): Promise<Answer<typeof contract.createReportLink>> {
  const { companyId, actor, now } = ctx;
  const [favorite] = await favoriteRows(ctx.tx, companyId, actor.userId, favorite_id);
  if (!favorite) return notFound();
  // Its owner could change what strangers see in another's name.
  if (favorite.user_id !== actor.userId) fail('favorite.not_yours', { name: favorite.user_name });
  const choices = choicesOf(favorite.value);
  if (!choices)
    return invalid({ favorite_id: `Only reports of ${mailedPath} can be shared by link.` });
  if (coversTooMuch(choices))
    invalid({ favorite_id: 'This report covers more than two years. Choose fewer days first.' });
  const rights = await reportRights(ctx.db, { companyId, userId: actor.userId });
  if (!rights || !(await hasCompanies(ctx.db, companyId, rights, choices))) fail('role.forbidden');
  const expiresAt = await expiryOf(ctx, last_day);
  if ((await countWorking(ctx.tx, companyId, favorite_id, now)) >= reportLinkLimits.perFavorite)
    fail('report_link.too_many', { most: reportLinkLimits.perFavorite });
  const token = randomToken('tlr');
  const id = await insertLink(ctx.tx, {
    company_id: companyId,
    favorite_id,
    user_id: actor.userId,
    token_hash: hashToken(token),
    created_at: now,
    expires_at: expiresAt,
  });
  const [row] = await linkRows(ctx.tx, companyId, { userId: actor.userId, id });
  await audit(ctx, 'report_link.created', `report_link:${id}`, {
    after: { name: favorite.name, value: favorite.value, expires_at: expiresAt.toISOString() },
  });
  await ctx.publish(contract.reportLinksChanged, { companyId, linkId: id });
  const link = `${ctx.settings.publicUrl}${sharedReportPath}#${token}`;
  return { data: { ...present(ctx, row ?? notFound()), link } };
}

/** Ends a link at once. Fails with `not_found`, also for someone else's. */
export async function withdrawReportLink(ctx: TxCtx, id: number): Promise<void> {
  const { companyId } = ctx;
  const [row] = await linkRows(ctx.tx, companyId, { userId: seenOf(ctx), id });
  if (!row) return notFound();
  await removeLink(ctx.tx, companyId, id);
  await audit(ctx, 'report_link.withdrawn', `report_link:${id}`, {
    before: { name: row.favorite_name, expires_at: row.expires_at.toISOString() },
  });
  await ctx.publish(contract.reportLinksChanged, { companyId, linkId: id });
}
