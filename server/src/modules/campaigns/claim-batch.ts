import { render, unregisteredRates, wholeText } from '#contract/campaign-rules';
import { isTollFree } from '#contract/phone';
import type { TxCtx } from '../../platform/context.ts';
import type { OutgoingText } from '../../ports/messaging.ts';
import {
  blockedAmong,
  evenMs,
  hasBlocks,
  optedOutAmong,
  takeRoom,
  type Room,
} from '../compliance/index.ts';
import type { KeptMedia } from '../conversations/index.ts';
import { whyNotFrom } from './may-send.ts';
import { goesOnAt, missedItsDay, openZones, reachedOf } from './hours.ts';
import { creditsOf, cut, errorRate, keyOf, mergeValues, settingsOf, tooManyFail } from './rules.ts';
import { startCampaign } from './start-campaign.ts';
import {
  accountOf,
  campaignById,
  changeCampaign,
  notPaused,
  sendingNumbers,
  type Account,
  type CampaignRow,
  type SendingNumber,
} from './store.ts';
import {
  claimable,
  noMoreAgain,
  stillWaiting,
  writeBatch,
  type NewBatch,
  type Waiting,
} from './store-batches.ts';
import { lastOutcomes, skipLines, textedSince } from './store-ledger.ts';
import { finish, pauseFor, sayCampaign } from './tell.ts';

export interface Claim {
  id: number;
  text: OutgoingText;
  credits: number;
}
export interface Batch {
  companyId: number;
  campaignId: number;
  id: number;
  numberId: number;
  carrier: string;
  claims: Claim[];
  /** Which of them have come to no end yet. */ open: Set<number>;
}
export interface ClaimOptions {
  by: string;
  most: number;
  /** No rate but the carrier's own: for measuring. */ unthrottled?: boolean;
}

const noRoomLimit: Room = {
  segments: 1_000_000,
  due: 1_000_000,
  waitMs: 0,
  idle: true,
  take: () => Promise.resolve(),
};
/** Pictures can be fetched by the carrier for a week. */
const mediaSeconds = 7 * 86_400;
const soonMs = 250;

/**
 * One turn of a campaign, in one transaction that holds its row: begin it, stop it, end it, or claim the next lines. A claim is
 * written before anything of it leaves this house, with the text it gets; whoever is skipped is skipped with the reason.
 */
export async function claimBatch(
  t: TxCtx,
  campaignId: number,
  o: ClaimOptions,
): Promise<Batch | null> {
  let c = await campaignById(t.tx, t.companyId, campaignId, null, true);
  if (!c?.wake_at || c.wake_at > t.now) return null;
  if (c.state === 'queued') c = await startCampaign(t, c);
  else if (c.state === 'paused' && c.auto_resume_at && c.auto_resume_at <= t.now)
    c = await goOn(t, c);
  if (c.state !== 'sending') {
    if (c.wake_at && !c.auto_resume_at)
      await changeCampaign(t.tx, t.companyId, c.id, { wake_at: null });
    return null;
  }
  const number = (await sendingNumbers(t.tx, t.companyId, [c.number_id ?? 0])).get(
    c.number_id ?? 0,
  );
  if (!number || whyNotFrom(t, number)) {
    await pauseFor(t, c, 'carrier');
    return null;
  }
  if (
    c.failed_count + c.undelivered_count > 0 &&
    tooManyFail(await lastOutcomes(t.tx, t.companyId, c.id, errorRate.last, c.resumed_at))
  ) {
    await pauseFor(t, c, 'error_rate');
    return null;
  }
  const account = await accountOf(t.tx, t.companyId);
  const open = openZones(c, account, t.now);
  const room = o.unthrottled
    ? noRoomLimit
    : await takeRoom(
        t,
        number.id,
        isTollFree(number.number) ? unregisteredRates.tollFree : unregisteredRates.local,
      );
  const most = Math.min(
    o.most,
    c.away_times > 0 ? 10 : o.most,
    Math.max(1, room.segments),
    room.due,
  );
  const lines =
    open.length && (room.segments > 0 || room.idle)
      ? await claimable(t.tx, t.companyId, c.id, open, reachedOf(c, open), most)
      : [];
  if (!lines.length) {
    await whenNobody(t, c, account, open, room.waitMs);
    return null;
  }
  const { batchId, claims, done, used, full } = await claimLines(
    t,
    c,
    number,
    account,
    lines,
    room,
    o.by,
  );
  await room.take(used);
  await noMoreAgain(
    t.tx,
    t.companyId,
    c.id,
    done.filter((l) => l.again).map((l) => l.id),
  );
  // At an even pace; only who may send without a rate, and whoever has nobody left, goes on at once.
  const wake_at = new Date(
    t.now.getTime() + (c.away_times > 0 ? 1000 : full || used >= room.due ? evenMs : 0),
  );
  await changeCampaign(t.tx, t.companyId, c.id, {
    wake_at,
    reached: reachedBy(c, done),
    ...(claims.length ? { last_claim_at: t.now } : {}),
  });
  return batchId === null
    ? null
    : {
        companyId: t.companyId,
        campaignId: c.id,
        id: batchId,
        numberId: number.id,
        carrier: carrierOf(t, number),
        claims,
        open: new Set(claims.map((l) => l.id)),
      };
}

/** The hours it waited for have come. */
async function goOn(t: TxCtx, c: CampaignRow): Promise<CampaignRow> {
  const late = missedItsDay(c, await accountOf(t.tx, t.companyId), t.now);
  const row = await changeCampaign(
    t.tx,
    t.companyId,
    c.id,
    late
      ? { auto_resume_at: null, wake_at: null }
      : { ...notPaused, state: 'sending', resumed_at: t.now },
  );
  await sayCampaign(t, row);
  return row;
}

/** How far claiming came in each zone of the campaign after these were claimed or skipped. */
function reachedBy(c: CampaignRow, done: readonly Waiting[]): number[] {
  const reached = new Map(c.zones.map((z, i) => [z, c.reached[i] ?? 0]));
  for (const l of done) if (!l.again) reached.set(l.zone, Math.max(reached.get(l.zone)!, l.id));
  return [...reached.values()];
}

const carrierOf = (t: TxCtx, number: SendingNumber) =>
  t.ports.carriers.all.length === 1
    ? t.ports.messaging.name
    : (t.ports.carriers.ofNumber(number)?.messaging?.name ?? t.ports.messaging.name);

/** Nobody can be claimed now: all are done, or asleep, or it is not our turn. */
async function whenNobody(
  t: TxCtx,
  c: CampaignRow,
  account: Account,
  open: readonly string[],
  waitMs: number,
): Promise<void> {
  const later = (ms: number) =>
    changeCampaign(t.tx, t.companyId, c.id, { wake_at: new Date(t.now.getTime() + ms) });
  const waiting = await stillWaiting(t.tx, t.companyId, c.id, c.zones, reachedOf(c, c.zones));
  if (!waiting.length) {
    if (c.pending_count > 0) await later(soonMs);
    else await finish(t, c, 'sent');
    return;
  }
  if (waiting.some((z) => open.includes(z))) {
    await later(Math.max(20, Math.min(waitMs || soonMs, 5000)));
    return;
  }
  await pauseFor(t, c, 'window_closed', goesOnAt(c, account, waiting, t.now));
}

interface Claims {
  /** Null: nobody was claimed. */
  batchId: number | null;
  claims: Claim[];
  /** Claimed, skipped, or come to an end before: who waits no more. */
  done: Waiting[];
  used: number;
  /** The next one found no room. */
  full: boolean;
}
async function claimLines(
  t: TxCtx,
  c: CampaignRow,
  number: SendingNumber,
  account: Account,
  lines: readonly Waiting[],
  room: Room,
  by: string,
): Promise<Claims> {
  const parties = lines.map((l) => l.to_number);
  const optedOut = await optedOutAmong(t.tx, t.companyId, parties);
  const recently = await textedSince(
    t.tx,
    t.companyId,
    c.id,
    parties,
    new Date(t.now.getTime() - settingsOf(account.settings).recentlyTextedHours * 3_600_000),
  );
  const blocked = (await hasBlocks(t.tx, t.companyId))
    ? await blockedAmong(
        t.tx,
        t.companyId,
        parties.map((party) => ({ numberId: number.id, party })),
      )
    : new Set<string>();
  const whyNot = (l: Waiting) =>
    optedOut.has(l.to_number)
      ? 'unsubscribed'
      : l.gone
        ? 'deleted'
        : blocked.has(`${number.id}:${l.to_number}`)
          ? 'blocked'
          : recently.has(l.to_number)
            ? 'recently_texted'
            : null;
  const files = c.media as KeptMedia[];
  const media = files.map((m) => ({
    url: t.settings.publicUrl + t.files.sign(t.companyId, m.fileId!, t.now, mediaSeconds),
    contentType: m.type,
    bytes: m.bytes,
  }));
  const whole = wholeText(c.text, c.unsubscribe_text);
  const skips: { id: number; reason: string }[] = [];
  const claims: Claim[] = [];
  const frozen: NewBatch['claims'][number][] = [];
  const done: Waiting[] = [];
  let used = 0;
  let full = false;
  for (const line of lines) {
    const reason = line.state === 'pending' ? whyNot(line) : null;
    if (reason) skips.push({ id: line.id, reason });
    if (reason || line.state !== 'pending') {
      done.push(line);
      continue;
    }
    if (used >= room.due) break;
    const text = render(
      whole,
      mergeValues({ name: line.name ?? '', number: line.to_number, email: line.email ?? '' }),
    );
    const segments = Math.max(1, cut(text).segments);
    if (used + segments > room.segments && !(used === 0 && room.idle)) {
      full = true;
      break;
    }
    used += segments;
    const credits = creditsOf(segments, media.length > 0);
    done.push(line);
    frozen.push({ id: line.id, text, segments, credits });
    claims.push({
      id: line.id,
      text: {
        from: number.number,
        to: line.to_number,
        text,
        media,
        key: keyOf(line, c.text_version),
      },
      credits,
    });
  }
  await skipLines(t.tx, t.companyId, skips);
  const batchId = claims.length
    ? await writeBatch(t.tx, t.companyId, {
        campaignId: c.id,
        by,
        version: c.text_version,
        carrier: carrierOf(t, number),
        claims: frozen,
      })
    : null;
  return { batchId, claims, done, used, full };
}
