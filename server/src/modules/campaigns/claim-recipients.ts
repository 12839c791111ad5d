import { unregisteredRates } from '#contract/campaigns/rules';
import { isTollFree } from '#contract/phone';
import type { TxCtx } from '../../platform/context.ts';
import {
  carrierNameOf,
  pacingIntervalMs,
  reserveCapacity,
  type Capacity,
} from '../messaging/index.ts';
import { claimTexts, type ClaimedTexts, type RecipientClaim } from './claim-texts.ts';
import { sendProblemOfNumber } from './sendable.ts';
import { nextResumeAt, isPastSendDay, openZones, progressOf } from './sending-hours.ts';
import { errorRate, exceedsErrorRate } from './rules.ts';
import { startCampaign } from './start-campaign.ts';
import { campaignById, updateCampaignRow, clearedPause, type CampaignRow } from './store.ts';
import {
  companyAccountOf,
  sendingNumbers,
  type CompanyAccount,
  type SendingNumber,
} from './store-senders.ts';
import { deleteRequeued } from './store-batches.ts';
import {
  claimableRecipients,
  zonesWithWaiting,
  type ClaimableRecipient,
} from './store-claimable.ts';
import { latestOutcomes } from './store-recipients.ts';
import { finishCampaign, pauseFor, publishCampaign } from './campaign-events.ts';

/** Recipients claimed together, all through one carrier. */
export interface ClaimedBatch {
  companyId: number;
  campaignId: number;
  id: number;
  numberId: number;
  carrier: string;
  claims: RecipientClaim[];
  /** Those whose result isn't stored yet. */
  unfinished: Set<number>;
}
interface ClaimOptions {
  dispatcherId: string;
  /** At most so many recipients. */
  limit: number;
  /** No rate but the carrier's own: for measuring. */
  unthrottled?: boolean;
}

const unlimitedCapacity: Capacity = {
  segments: 1_000_000,
  pacedSegments: 1_000_000,
  waitMs: 0,
  idle: true,
  consume: () => Promise.resolve(),
};
const retryMs = 250;
/** While the carrier takes nothing, few are tried, once a second. */
const carrierDown = { limit: 10, retryMs: 1000 } as const;

/**
 * One turn of a campaign, in a transaction that locks its row: starts it, pauses it, finishes it, or
 * claims its next recipients. A claim is stored, with its text, before anything is submitted; who
 * may not be texted is skipped with the reason. Null: nothing was claimed.
 */
export async function claimRecipients(
  t: TxCtx,
  campaignId: number,
  options: ClaimOptions,
): Promise<ClaimedBatch | null> {
  const c = await sendingCampaign(t, campaignId);
  if (!c) return null;
  const number = await numberOf(t, c);
  if (!number || sendProblemOfNumber(t, number)) {
    await pauseFor(t, c, 'carrier');
    return null;
  }
  if (await isFailing(t, c)) {
    await pauseFor(t, c, 'error_rate');
    return null;
  }
  const account = await companyAccountOf(t.tx, t.companyId);
  const open = openZones(c, account, t.now);
  const capacity = options.unthrottled
    ? unlimitedCapacity
    : await reserveCapacity(t, number.id, unregisteredRateOf(number));
  const recipients =
    capacity.segments > 0 || capacity.idle
      ? await nextRecipients(t, c, open, capacity, options.limit)
      : [];
  if (!recipients.length) {
    await scheduleNextClaim(t, c, account, open, capacity.waitMs);
    return null;
  }
  const carrier = carrierNameOf(t.gateways, number);
  const { dispatcherId } = options;
  const claimed = await claimTexts(
    t,
    { c, number, account, carrier, dispatcherId },
    recipients,
    capacity,
  );
  await storeProgress(t, c, capacity, claimed);
  const { batchId: id, claims } = claimed;
  if (id === null) return null;
  const unfinished = new Set(claims.map((claim) => claim.id));
  const { companyId } = t;
  return { companyId, campaignId: c.id, id, numberId: number.id, carrier, claims, unfinished };
}

/**
 * The campaign, locked, if it is due and sends; it is started or resumed when its time has come.
 */
async function sendingCampaign(t: TxCtx, campaignId: number): Promise<CampaignRow | null> {
  let c = await campaignById(t.tx, t.companyId, campaignId, null, true);
  if (!c?.wake_at || c.wake_at > t.now) return null;
  if (c.state === 'queued') c = await startCampaign(t, c);
  else if (c.state === 'paused' && c.auto_resume_at && c.auto_resume_at <= t.now)
    c = await resumeAfterHours(t, c);
  if (c.state === 'sending') return c;
  if (c.wake_at && !c.auto_resume_at)
    await updateCampaignRow(t.tx, t.companyId, c.id, { wake_at: null });
  return null;
}

/** The quiet hours it waited for are over. A text about today doesn't continue on another day. */
async function resumeAfterHours(t: TxCtx, c: CampaignRow): Promise<CampaignRow> {
  const account = await companyAccountOf(t.tx, t.companyId);
  const row = await updateCampaignRow(
    t.tx,
    t.companyId,
    c.id,
    isPastSendDay(c, account, t.now)
      ? { auto_resume_at: null, wake_at: null }
      : { ...clearedPause, state: 'sending', resumed_at: t.now },
  );
  await publishCampaign(t, row);
  return row;
}

async function numberOf(t: TxCtx, c: CampaignRow): Promise<SendingNumber | undefined> {
  const id = c.number_id ?? 0;
  return (await sendingNumbers(t.tx, t.companyId, [id])).get(id);
}
const unregisteredRateOf = ({ number }: SendingNumber): number =>
  isTollFree(number) ? unregisteredRates.tollFree : unregisteredRates.local;

async function isFailing(t: TxCtx, c: CampaignRow): Promise<boolean> {
  if (c.failed_count + c.undelivered_count === 0) return false;
  const { last } = errorRate;
  return exceedsErrorRate(await latestOutcomes(t.tx, t.companyId, c.id, last, c.resumed_at));
}

/** Who may be claimed now in the open zones; none when no zone is open. */
function nextRecipients(
  t: TxCtx,
  c: CampaignRow,
  open: readonly string[],
  capacity: Capacity,
  limit: number,
): Promise<ClaimableRecipient[]> {
  if (!open.length) return Promise.resolve([]);
  const most = Math.min(
    limit,
    c.carrier_down_retries > 0 ? carrierDown.limit : limit,
    Math.max(1, capacity.segments),
    capacity.pacedSegments,
  );
  return claimableRecipients(t.tx, t.companyId, c.id, open, progressOf(c, open), most);
}

/** Stores the capacity used, how far claiming came and when the campaign's next turn is. */
async function storeProgress(
  t: TxCtx,
  c: CampaignRow,
  capacity: Capacity,
  { claims, done, used, full }: ClaimedTexts,
): Promise<void> {
  await capacity.consume(used);
  const requeued = done.filter((recipient) => recipient.again).map((recipient) => recipient.id);
  await deleteRequeued(t.tx, t.companyId, c.id, requeued);
  // At an even pace; without a rate, or if capacity remains, the next turn is now.
  const paced = full || used >= capacity.pacedSegments ? pacingIntervalMs : 0;
  const waitMs = c.carrier_down_retries > 0 ? carrierDown.retryMs : paced;
  await updateCampaignRow(t.tx, t.companyId, c.id, {
    wake_at: new Date(t.now.getTime() + waitMs),
    reached: advanceProgress(c, done),
    ...(claims.length ? { last_claim_at: t.now } : {}),
  });
}

/** How far claiming came in each zone of the campaign after these were claimed or skipped. */
function advanceProgress(c: CampaignRow, done: readonly ClaimableRecipient[]): number[] {
  const reached = new Map(c.zones.map((zone, i) => [zone, c.reached[i] ?? 0]));
  for (const { again, zone, id } of done)
    if (!again) reached.set(zone, Math.max(reached.get(zone) ?? 0, id));
  return [...reached.values()];
}

/**
 * No one can be claimed now: all are done, the open zones' hours are over, or there is no capacity.
 */
async function scheduleNextClaim(
  t: TxCtx,
  c: CampaignRow,
  account: CompanyAccount,
  open: readonly string[],
  waitMs: number,
): Promise<void> {
  const wakeIn = (ms: number) =>
    updateCampaignRow(t.tx, t.companyId, c.id, { wake_at: new Date(t.now.getTime() + ms) });
  const progress = progressOf(c, c.zones);
  const waitingZones = await zonesWithWaiting(t.tx, t.companyId, c.id, c.zones, progress);
  if (!waitingZones.length) {
    if (c.pending_count > 0) await wakeIn(retryMs);
    else await finishCampaign(t, c, 'sent');
  } else if (waitingZones.some((zone) => open.includes(zone)))
    await wakeIn(Math.max(20, Math.min(waitMs || retryMs, 5000)));
  else await pauseFor(t, c, 'window_closed', nextResumeAt(c, account, waitingZones, t.now));
}
