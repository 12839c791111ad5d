import type { adminMode as contract, Answer, Body } from '#contract';
import { permissionsChanged } from '#contract/identity/events';
import { companyChanged } from '#contract/companies/events';
import { publishIn, type Ctx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { fail } from '../../../platform/errors.ts';
import {
  companiesOpenedIn,
  insertEntry,
  runningEntry,
  staffSession,
  updateEntry,
  type EntryRow,
} from './store.ts';

// The system role: platform staff help every company; the endpoints are theirs alone.

type Entry = Promise<Answer<typeof contract.enterAdminMode>>;

const present = (row: EntryRow) => ({
  id: row.id,
  reason: row.reason,
  entered_at: row.entered_at.toISOString(),
  ends_at: row.ends_at.toISOString(),
  may_write: row.writes_at !== null,
});

/** The admin mode that this session is in; null: none. */
export async function getAdminMode(ctx: Ctx): Promise<Answer<typeof contract.getAdminMode>> {
  const row = await runningEntry(ctx.db.unscoped, ctx.actor.sessionId, ctx.now);
  return { data: row ? present(row) : null };
}

/**
 * Enters admin mode with a reason and an end; the row is the record of the entry. Fails with
 * `admin.staff_only`, and `admin.factor_required` for a session that began without a second factor
 * (on a demo installation, its one-click sign-in stands for it).
 */
export async function enterAdminMode(
  ctx: Ctx,
  { reason, minutes }: Body<typeof contract.enterAdminMode>,
): Entry {
  const session = await staffSession(ctx.db.unscoped, ctx.actor.sessionId);
  if (!session?.is_staff || !session.admin_mode || ctx.actor.scopes) fail('admin.staff_only');
  // Since a factor is set up, no session begins without it.
  const { mfa_enabled_at: since, began_at: began } = session;
  if (!ctx.settings.demo && (!since || began < since)) fail('admin.factor_required');
  const row = await ctx.db.systemTransaction(async (tx) => {
    const entry = await insertEntry(tx, {
      person_id: ctx.actor.userId,
      family: session.family,
      reason,
      entered_at: ctx.now,
      ends_at: new Date(ctx.now.getTime() + minutes * 60_000),
    });
    await publishChange(tx, entry);
    return entry;
  });
  ctx.log.info({ userId: ctx.actor.userId, entry: row.id }, 'platform staff entered admin mode');
  return { data: present(row) };
}

/** The second step: allows changes until the end of the entry. `admin.not_entered` without one. */
export async function allowAdminWrites(ctx: Ctx): Entry {
  const row = await ctx.db.systemTransaction(async (tx) => {
    const entry =
      (await runningEntry(tx, ctx.actor.sessionId, ctx.now)) ?? fail('admin.not_entered');
    const changed = entry.writes_at
      ? entry
      : await updateEntry(tx, entry.id, { writes_at: ctx.now });
    await publishChange(tx, changed);
    return changed;
  });
  return { data: present(row) };
}

/** Leaves admin mode; without one nothing happens. */
export const leaveAdminMode = (ctx: Ctx): Promise<void> =>
  ctx.db.systemTransaction(async (tx) => {
    const entry = await runningEntry(tx, ctx.actor.sessionId, ctx.now);
    if (!entry) return;
    await publishChange(tx, await updateEntry(tx, entry.id, { left_at: ctx.now }));
  });

/** The staff member's sockets and the screens of the opened companies follow. */
async function publishChange(tx: Tx, { id, person_id: userId }: EntryRow): Promise<void> {
  await publishIn(tx, permissionsChanged, { userId }, { userId });
  for (const companyId of await companiesOpenedIn(tx, id))
    await publishIn(tx, companyChanged, { companyId }, { companyId });
}
