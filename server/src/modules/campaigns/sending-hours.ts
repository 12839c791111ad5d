import type { TxCtx } from '../../platform/context.ts';
import {
  resumesNextDay,
  isOpen,
  nextOpening,
  settingsOf,
  wallClock,
  type QuietHours,
} from './rules.ts';
import {
  campaignById,
  updateCampaignRow,
  campaignsWaitingForHours,
  type CampaignRow,
} from './store.ts';
import { companyAccountOf, type CompanyAccount } from './store-senders.ts';
import { zonesWithWaiting } from './store-claimable.ts';
import { publishCampaign } from './campaign-events.ts';

/** The campaign's own quiet hours, or else its company's. */
const quietHoursOf = (c: CampaignRow, account: CompanyAccount): QuietHours =>
  (c.quiet_hours as QuietHours | null) ?? settingsOf(account.settings).quietHours;
const ownZone = (c: CampaignRow, account: CompanyAccount): string => c.timezone ?? account.timezone;
const zoneForHours = (c: CampaignRow, account: CompanyAccount, zone: string): string =>
  quietHoursOf(c, account).mode === 'company' ? ownZone(c, account) : zone;
/** The campaign's zones in which people may be texted now. */
export const openZones = (c: CampaignRow, account: CompanyAccount, now: Date): string[] =>
  c.zones.filter((z) => isOpen(quietHoursOf(c, account), zoneForHours(c, account, z), now));

/** How far claiming came in each of these zones. */
export const progressOf = (c: CampaignRow, zones: readonly string[]): number[] =>
  zones.map((z) => c.reached[c.zones.indexOf(z)] ?? 0);

const sameDay = (c: CampaignRow, account: CompanyAccount, a: Date, b: Date): boolean =>
  wallClock(ownZone(c, account), a).day === wallClock(ownZone(c, account), b).day;

/**
 * When a campaign that waits for its hours resumes (A12.1): at the first opening for any recipient
 * that waits. Null: that is another day, and it may not resume then.
 */
export function nextResumeAt(
  c: CampaignRow,
  account: CompanyAccount,
  waiting: readonly string[],
  now: Date,
): Date | null {
  const first = Math.min(
    ...waiting.map((z) =>
      nextOpening(quietHoursOf(c, account), zoneForHours(c, account, z), now).getTime(),
    ),
  );
  const opens = new Date(first);
  return sameDay(c, account, opens, now) || resumesNextDay(c.resume_next_day, c.text)
    ? opens
    : null;
}

/**
 * The day of a text about today is over: it doesn't resume, even if its workers were down until
 * now.
 */
export const isPastSendDay = (c: CampaignRow, account: CompanyAccount, now: Date): boolean =>
  !resumesNextDay(c.resume_next_day, c.text) && !sameDay(c, account, c.auto_resume_at ?? now, now);

/**
 * Hours, zone or text of a campaign changed: if it waits for its hours, recomputes when it resumes.
 * One that waits for a person isn't resumed by that. Returns the row as it is then.
 */
export async function rescheduleResume(t: TxCtx, c: CampaignRow): Promise<CampaignRow> {
  if (c.state !== 'paused' || c.paused_reason !== 'window_closed') return c;
  const account = await companyAccountOf(t.tx, t.companyId);
  const waiting = await zonesWithWaiting(t.tx, t.companyId, c.id, c.zones, progressOf(c, c.zones));
  const at = waiting.length ? nextResumeAt(c, account, waiting, t.now) : c.auto_resume_at;
  const next = c.auto_resume_at === null && at !== null && at <= t.now ? null : at;
  if (next?.getTime() === c.auto_resume_at?.getTime()) return c;
  return updateCampaignRow(t.tx, t.companyId, c.id, { auto_resume_at: next, wake_at: next });
}

/** The company's quiet hours or zone may have changed: recomputes when waiting campaigns resume. */
export async function rescheduleWaitingCampaigns(t: TxCtx): Promise<void> {
  for (const id of await campaignsWaitingForHours(t.tx, t.companyId)) {
    const c = await campaignById(t.tx, t.companyId, id, null, true);
    if (!c?.auto_resume_at) continue;
    const after = await rescheduleResume(t, c);
    if (after !== c) await publishCampaign(t, after);
  }
}
