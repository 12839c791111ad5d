import type { TxCtx } from '../../platform/context.ts';
import {
  goesOnNextDay,
  isOpen,
  nextOpening,
  settingsOf,
  wallClock,
  type QuietHours,
} from './rules.ts';
import {
  accountOf,
  campaignById,
  changeCampaign,
  waitingForHours,
  type Account,
  type CampaignRow,
} from './store.ts';
import { stillWaiting } from './store-batches.ts';
import { sayCampaign } from './tell.ts';

/** The campaign's own quiet hours, or else its company's. */
export const quietOf = (c: CampaignRow, account: Account): QuietHours =>
  (c.quiet_hours as QuietHours | null) ?? settingsOf(account.settings).quietHours;
const ownZone = (c: CampaignRow, account: Account): string => c.timezone ?? account.timezone;
const clockOf = (c: CampaignRow, account: Account, zone: string): string =>
  quietOf(c, account).mode === 'company' ? ownZone(c, account) : zone;
/** In which of the campaign's zones people may be texted now. */
export const openZones = (c: CampaignRow, account: Account, now: Date): string[] =>
  c.zones.filter((z) => isOpen(quietOf(c, account), clockOf(c, account, z), now));

/** How far claiming came in each of these zones. */
export const reachedOf = (c: CampaignRow, zones: readonly string[]): number[] =>
  zones.map((z) => c.reached[c.zones.indexOf(z)] ?? 0);

const sameDay = (c: CampaignRow, account: Account, a: Date, b: Date): boolean =>
  wallClock(ownZone(c, account), a).day === wallClock(ownZone(c, account), b).day;

/**
 * When a campaign that waits for its hours goes on by itself (A12.1): at the first opening for anybody who
 * waits. Null: that is another day, and the campaign is not to go on then.
 */
export function goesOnAt(
  c: CampaignRow,
  account: Account,
  waiting: readonly string[],
  now: Date,
): Date | null {
  const first = Math.min(
    ...waiting.map((z) => nextOpening(quietOf(c, account), clockOf(c, account, z), now).getTime()),
  );
  const opens = new Date(first);
  return sameDay(c, account, opens, now) || goesOnNextDay(c.resume_next_day, c.text) ? opens : null;
}

/** A text about today whose worker was away over the end of that day does not go on the day after. */
export const missedItsDay = (c: CampaignRow, account: Account, now: Date): boolean =>
  !goesOnNextDay(c.resume_next_day, c.text) && !sameDay(c, account, c.auto_resume_at ?? now, now);

/**
 * The hours, the zone or the text of a campaign changed: if it waits for its hours, say anew when it goes on.
 * One that waits for a person is not set going by that.
 */
export async function waitAnew(t: TxCtx, c: CampaignRow): Promise<CampaignRow> {
  if (c.state !== 'paused' || c.paused_reason !== 'window_closed') return c;
  const account = await accountOf(t.tx, t.companyId);
  const waiting = await stillWaiting(t.tx, t.companyId, c.id, c.zones, reachedOf(c, c.zones));
  const at = waiting.length ? goesOnAt(c, account, waiting, t.now) : c.auto_resume_at;
  const next = c.auto_resume_at === null && at !== null && at <= t.now ? null : at;
  if (next?.getTime() === c.auto_resume_at?.getTime()) return c;
  return changeCampaign(t.tx, t.companyId, c.id, { auto_resume_at: next, wake_at: next });
}

/** The company's quiet hours or zone may have changed: whoever waits for them says anew when it goes on. */
export async function followHours(t: TxCtx): Promise<void> {
  for (const id of await waitingForHours(t.tx, t.companyId)) {
    const c = await campaignById(t.tx, t.companyId, id, null, true);
    if (!c?.auto_resume_at) continue;
    const after = await waitAnew(t, c);
    if (after !== c) await sayCampaign(t, after);
  }
}
