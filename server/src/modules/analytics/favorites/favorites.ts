import { favorites as contract, type Answer, type Body } from '#contract';
import { favoriteLimits, mailedPath } from '#contract/analytics/favorites/rules';
import { audit } from '../../../platform/audit.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { fail, invalid, notFound } from '../../../platform/errors.ts';
import {
  countFavorites,
  favoriteRows,
  insertFavorite,
  patchFavorite,
  removeFavorite,
} from './store.ts';

type Row = Awaited<ReturnType<typeof favoriteRows>>[number];

const present = (ctx: TxCtx, row: Row): contract.FavoriteReport => ({
  id: row.id,
  name: row.name,
  value: row.value,
  shared: row.shared,
  schedule: scheduleOf(row),
  user: { id: row.user_id, name: row.user_name },
  mine: row.user_id === ctx.actor.userId,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

/** Schedules from before there were files to attach have none. */
const scheduleOf = ({ schedule }: Row): contract.ReportSchedule | null =>
  schedule === null
    ? null
    : { attach: 'none', ...(schedule as Omit<contract.ReportSchedule, 'attach'>) };

/** A favorite of the actor or a shared one, with 404 for any other. */
const found = async (ctx: TxCtx, id: number): Promise<Row> =>
  (await favoriteRows(ctx.tx, ctx.companyId, ctx.actor.userId, id))[0] ?? notFound();

/** Everyone changes their own; people who edit settings can clean up shared ones. */
function requireOwn(ctx: TxCtx, { user_id, user_name: name }: Row): void {
  if (user_id !== ctx.actor.userId && ctx.may('settings.edit') === 'none')
    fail('favorite.not_yours', { name });
}

/** What the audit log keeps of a favorite. */
const kept = ({ name, value, shared, schedule }: Row) => ({ name, value, shared, schedule });

/**
 * A schedule as it is stored. Its emails leave the company like a file does, so who has one must be
 * allowed to export; and only call reports can be emailed.
 */
function scheduled(
  ctx: TxCtx,
  schedule: contract.ReportSchedule | null,
  { path }: { path: string },
): string | null {
  if (!schedule) return null;
  if (ctx.may('exports.make') === 'none') fail('role.forbidden');
  if (path !== mailedPath)
    invalid({ schedule: 'Only call reports can be emailed. Open one and add it to favorites.' });
  if (!ctx.settings.canMail) fail('mail.not_set_up');
  const { recipients } = schedule;
  const known = new Map(recipients.map((one) => [one.toLowerCase(), one]));
  return JSON.stringify({ ...schedule, recipients: [...known.values()] });
}

/** The actor’s favorites and those that are shared. */
export const listFavorites = async (
  ctx: TxCtx,
): Promise<Answer<typeof contract.listFavoriteReports>> => ({
  data: (await favoriteRows(ctx.tx, ctx.companyId, ctx.actor.userId)).map((row) =>
    present(ctx, row),
  ),
});

/** Fails with `favorite.exists` for a name that the actor has, and with `favorite.too_many`. */
export async function createFavorite(
  ctx: TxCtx,
  { name, value, shared, schedule }: Body<typeof contract.createFavoriteReport>,
): Promise<Answer<typeof contract.createFavoriteReport>> {
  const { companyId, now, actor } = ctx;
  if ((await countFavorites(ctx.tx, companyId, actor.userId)) >= favoriteLimits.perPerson)
    fail('favorite.too_many', { most: favoriteLimits.perPerson });
  const id = await insertFavorite(ctx.tx, {
    company_id: companyId,
    user_id: actor.userId,
    name,
    value: JSON.stringify(value),
    shared: shared ?? false,
    schedule: scheduled(ctx, schedule ?? null, value),
    created_at: now,
    updated_at: now,
  });
  if (id === undefined) return fail('favorite.exists', { name });
  const row = await found(ctx, id);
  await audit(ctx, 'favorite_report.created', `favorite_report:${id}`, { after: kept(row) });
  await ctx.publish(contract.favoriteReportsChanged, { companyId, favoriteId: id });
  return { data: present(ctx, row) };
}

/** Fails with `not_found`, `favorite.not_yours` and, for a name that is taken, `favorite.exists`. */
export async function updateFavorite(
  ctx: TxCtx,
  id: number,
  { name, value, shared, schedule }: Body<typeof contract.updateFavoriteReport>,
): Promise<Answer<typeof contract.updateFavoriteReport>> {
  const before = await found(ctx, id);
  requireOwn(ctx, before);
  // Others can end a schedule. The figures are what its owner sees, so only they send them.
  if (schedule && before.user_id !== ctx.actor.userId)
    fail('favorite.not_yours', { name: before.user_name });
  const wanted = schedule === undefined ? (before.schedule as typeof schedule) : schedule;
  const checked =
    schedule || (value && wanted)
      ? scheduled(ctx, wanted ?? null, value ?? JSON.parse(before.value))
      : null;
  const changed = await patchFavorite(ctx.tx, before, {
    ...(name !== undefined && { name }),
    ...(value !== undefined && { value: JSON.stringify(value) }),
    ...(shared !== undefined && { shared }),
    ...(schedule !== undefined && { schedule: checked }),
    updated_at: ctx.now,
  });
  if (!changed) return fail('favorite.exists', { name: name ?? before.name });
  // Someone who stops sharing another’s favorite no longer sees it.
  const after = { ...before, ...(await rowAfter(ctx, id)) };
  await audit(ctx, 'favorite_report.updated', `favorite_report:${id}`, {
    before: kept(before),
    after: kept(after),
  });
  const { companyId } = ctx;
  await ctx.publish(contract.favoriteReportsChanged, { companyId, favoriteId: id });
  return { data: present(ctx, after) };
}

const rowAfter = async (ctx: TxCtx, id: number): Promise<Partial<Row>> =>
  (await favoriteRows(ctx.tx, ctx.companyId, ctx.actor.userId, id))[0] ?? { shared: false };

/** Fails with `not_found` and `favorite.not_yours`. */
export async function deleteFavorite(ctx: TxCtx, id: number): Promise<void> {
  const row = await found(ctx, id);
  requireOwn(ctx, row);
  await removeFavorite(ctx.tx, ctx.companyId, id);
  await audit(ctx, 'favorite_report.deleted', `favorite_report:${id}`, { before: kept(row) });
  const { companyId } = ctx;
  await ctx.publish(contract.favoriteReportsChanged, { companyId, favoriteId: id });
}
