import { render, unregisteredRates, fullText } from '#contract/campaigns/rules';
import { isTollFree } from '#contract/phone';
import type { TxCtx } from '../../platform/context.ts';
import type { OutgoingText } from '../../gateways/messaging.ts';
import {
  blockedPairs,
  pacingIntervalMs,
  hasBlocks,
  optedOutNumbers,
  reserveCapacity,
  type Capacity,
} from '../compliance/index.ts';
import type { StoredMedia } from '../conversations/index.ts';
import { sendProblemOfNumber } from './sendable.ts';
import { nextResumeAt, isPastSendDay, openZones, progressOf } from './sending-hours.ts';
import {
  creditsOf,
  countSegments,
  errorRate,
  idempotencyKeyOf,
  mergeValues,
  settingsOf,
  exceedsErrorRate,
} from './rules.ts';
import { startCampaign } from './start-campaign.ts';
import {
  companyAccountOf,
  campaignById,
  updateCampaignRow,
  clearedPause,
  sendingNumbers,
  type CompanyAccount,
  type CampaignRow,
  type SendingNumber,
} from './store.ts';
import {
  claimableRecipients,
  deleteRequeued,
  zonesWithWaiting,
  insertBatch,
  type NewClaimBatch,
  type ClaimableRecipient,
} from './store-batches.ts';
import { latestOutcomes, skipRecipients, textedSince } from './store-recipients.ts';
import { finishCampaign, pauseFor, publishCampaign } from './campaign-events.ts';

export interface RecipientClaim {
  id: number;
  text: OutgoingText;
  credits: number;
}
export interface ClaimedBatch {
  companyId: number;
  campaignId: number;
  id: number;
  numberId: number;
  carrier: string;
  claims: RecipientClaim[];
  /** Which of them have come to no end yet. */ unfinished: Set<number>;
}
export interface ClaimOptions {
  dispatcherId: string;
  limit: number;
  /** No rate but the carrier's own: for measuring. */ unthrottled?: boolean;
}

const unlimitedCapacity: Capacity = {
  segments: 1_000_000,
  pacedSegments: 1_000_000,
  waitMs: 0,
  idle: true,
  consume: () => Promise.resolve(),
};
/** Pictures can be fetched by the carrier for a week. */
const mediaLinkSeconds = 7 * 86_400;
const retryMs = 250;

/**
 * One turn of a campaign, in one transaction that holds its row: begin it, stop it, end it, or claim the next lines. A claim is
 * written before anything of it leaves this house, with the text it gets; whoever is skipped is skipped with the reason.
 */
export async function claimRecipients(
  t: TxCtx,
  campaignId: number,
  options: ClaimOptions,
): Promise<ClaimedBatch | null> {
  let c = await campaignById(t.tx, t.companyId, campaignId, null, true);
  if (!c?.wake_at || c.wake_at > t.now) return null;
  if (c.state === 'queued') c = await startCampaign(t, c);
  else if (c.state === 'paused' && c.auto_resume_at && c.auto_resume_at <= t.now)
    c = await resumeAfterHours(t, c);
  if (c.state !== 'sending') {
    if (c.wake_at && !c.auto_resume_at)
      await updateCampaignRow(t.tx, t.companyId, c.id, { wake_at: null });
    return null;
  }
  const number = (await sendingNumbers(t.tx, t.companyId, [c.number_id ?? 0])).get(
    c.number_id ?? 0,
  );
  if (!number || sendProblemOfNumber(t, number)) {
    await pauseFor(t, c, 'carrier');
    return null;
  }
  if (
    c.failed_count + c.undelivered_count > 0 &&
    exceedsErrorRate(await latestOutcomes(t.tx, t.companyId, c.id, errorRate.last, c.resumed_at))
  ) {
    await pauseFor(t, c, 'error_rate');
    return null;
  }
  const account = await companyAccountOf(t.tx, t.companyId);
  const open = openZones(c, account, t.now);
  const capacity = options.unthrottled
    ? unlimitedCapacity
    : await reserveCapacity(
        t,
        number.id,
        isTollFree(number.number) ? unregisteredRates.tollFree : unregisteredRates.local,
      );
  const limit = Math.min(
    options.limit,
    c.carrier_down_retries > 0 ? 10 : options.limit,
    Math.max(1, capacity.segments),
    capacity.pacedSegments,
  );
  const recipients =
    open.length && (capacity.segments > 0 || capacity.idle)
      ? await claimableRecipients(t.tx, t.companyId, c.id, open, progressOf(c, open), limit)
      : [];
  if (!recipients.length) {
    await scheduleNextClaim(t, c, account, open, capacity.waitMs);
    return null;
  }
  const { batchId, claims, done, used, full } = await claimEach(
    t,
    c,
    number,
    account,
    recipients,
    capacity,
    options.dispatcherId,
  );
  await capacity.consume(used);
  await deleteRequeued(
    t.tx,
    t.companyId,
    c.id,
    done.filter((l) => l.again).map((l) => l.id),
  );
  // At an even pace; only who may send without a rate, and whoever has nobody left, goes on at once.
  const wake_at = new Date(
    t.now.getTime() +
      (c.carrier_down_retries > 0
        ? 1000
        : full || used >= capacity.pacedSegments
          ? pacingIntervalMs
          : 0),
  );
  await updateCampaignRow(t.tx, t.companyId, c.id, {
    wake_at,
    reached: advanceProgress(c, done),
    ...(claims.length ? { last_claim_at: t.now } : {}),
  });
  return batchId === null
    ? null
    : {
        companyId: t.companyId,
        campaignId: c.id,
        id: batchId,
        numberId: number.id,
        carrier: carrierOfNumber(t, number),
        claims,
        unfinished: new Set(claims.map((l) => l.id)),
      };
}

/** The hours it waited for have come. */
async function resumeAfterHours(t: TxCtx, c: CampaignRow): Promise<CampaignRow> {
  const late = isPastSendDay(c, await companyAccountOf(t.tx, t.companyId), t.now);
  const row = await updateCampaignRow(
    t.tx,
    t.companyId,
    c.id,
    late
      ? { auto_resume_at: null, wake_at: null }
      : { ...clearedPause, state: 'sending', resumed_at: t.now },
  );
  await publishCampaign(t, row);
  return row;
}

/** How far claiming came in each zone of the campaign after these were claimed or skipped. */
function advanceProgress(c: CampaignRow, done: readonly ClaimableRecipient[]): number[] {
  const reached = new Map(c.zones.map((z, i) => [z, c.reached[i] ?? 0]));
  for (const l of done) if (!l.again) reached.set(l.zone, Math.max(reached.get(l.zone)!, l.id));
  return [...reached.values()];
}

const carrierOfNumber = (t: TxCtx, number: SendingNumber) =>
  t.gateways.carriers.all.length === 1
    ? t.gateways.messaging.name
    : (t.gateways.carriers.forNumber(number)?.messaging?.name ?? t.gateways.messaging.name);

/** Nobody can be claimed now: all are done, or asleep, or it is not our turn. */
async function scheduleNextClaim(
  t: TxCtx,
  c: CampaignRow,
  account: CompanyAccount,
  open: readonly string[],
  waitMs: number,
): Promise<void> {
  const wakeIn = (ms: number) =>
    updateCampaignRow(t.tx, t.companyId, c.id, { wake_at: new Date(t.now.getTime() + ms) });
  const waitingZones = await zonesWithWaiting(
    t.tx,
    t.companyId,
    c.id,
    c.zones,
    progressOf(c, c.zones),
  );
  if (!waitingZones.length) {
    if (c.pending_count > 0) await wakeIn(retryMs);
    else await finishCampaign(t, c, 'sent');
    return;
  }
  if (waitingZones.some((z) => open.includes(z))) {
    await wakeIn(Math.max(20, Math.min(waitMs || retryMs, 5000)));
    return;
  }
  await pauseFor(t, c, 'window_closed', nextResumeAt(c, account, waitingZones, t.now));
}

interface ClaimResult {
  /** Null: nobody was claimed. */
  batchId: number | null;
  claims: RecipientClaim[];
  /** Claimed, skipped, or come to an end before: who waits no more. */
  done: ClaimableRecipient[];
  used: number;
  /** The next one found no room. */
  full: boolean;
}
async function claimEach(
  t: TxCtx,
  c: CampaignRow,
  number: SendingNumber,
  account: CompanyAccount,
  recipients: readonly ClaimableRecipient[],
  capacity: Capacity,
  by: string,
): Promise<ClaimResult> {
  const parties = recipients.map((l) => l.to_number);
  const optedOut = await optedOutNumbers(t.tx, t.companyId, parties);
  const recently = await textedSince(
    t.tx,
    t.companyId,
    c.id,
    parties,
    new Date(t.now.getTime() - settingsOf(account.settings).recentlyTextedHours * 3_600_000),
  );
  const blocked = (await hasBlocks(t.tx, t.companyId))
    ? await blockedPairs(
        t.tx,
        t.companyId,
        parties.map((party) => ({ numberId: number.id, party })),
      )
    : new Set<string>();
  const skipReason = (l: ClaimableRecipient) =>
    optedOut.has(l.to_number)
      ? 'unsubscribed'
      : l.gone
        ? 'deleted'
        : blocked.has(`${number.id}:${l.to_number}`)
          ? 'blocked'
          : recently.has(l.to_number)
            ? 'recently_texted'
            : null;
  const files = c.media as StoredMedia[];
  const media = files.map((m) => ({
    url: t.settings.publicUrl + t.files.signUrl(t.companyId, m.fileId!, t.now, mediaLinkSeconds),
    contentType: m.type,
    bytes: m.bytes,
  }));
  const template = fullText(c.text, c.unsubscribe_text);
  const skips: { id: number; reason: string }[] = [];
  const claims: RecipientClaim[] = [];
  const batchClaims: NewClaimBatch['claims'][number][] = [];
  const done: ClaimableRecipient[] = [];
  let used = 0;
  let full = false;
  for (const recipient of recipients) {
    const reason = recipient.state === 'pending' ? skipReason(recipient) : null;
    if (reason) skips.push({ id: recipient.id, reason });
    if (reason || recipient.state !== 'pending') {
      done.push(recipient);
      continue;
    }
    if (used >= capacity.pacedSegments) break;
    const text = render(
      template,
      mergeValues({
        name: recipient.name ?? '',
        number: recipient.to_number,
        email: recipient.email ?? '',
      }),
    );
    const segments = Math.max(1, countSegments(text).segments);
    if (used + segments > capacity.segments && !(used === 0 && capacity.idle)) {
      full = true;
      break;
    }
    used += segments;
    const credits = creditsOf(segments, media.length > 0);
    done.push(recipient);
    batchClaims.push({ id: recipient.id, text, segments, credits });
    claims.push({
      id: recipient.id,
      text: {
        from: number.number,
        to: recipient.to_number,
        text,
        media,
        key: idempotencyKeyOf(recipient, c.text_version),
      },
      credits,
    });
  }
  await skipRecipients(t.tx, t.companyId, skips);
  const batchId = claims.length
    ? await insertBatch(t.tx, t.companyId, {
        campaignId: c.id,
        dispatcherId: by,
        version: c.text_version,
        carrier: carrierOfNumber(t, number),
        claims: batchClaims,
      })
    : null;
  return { batchId, claims, done, used, full };
}
