import { render, fullText } from '#contract/campaigns/rules';
import type { TxCtx } from '../../platform/context.ts';
import type { OutgoingText } from '../../gateways/messaging.ts';
import { blockedPairs, hasBlocks, optedOutNumbers, undecidedNumbers } from '../compliance/index.ts';
import type { StoredMedia } from '../conversations/index.ts';
import { countSegments, mediaLinks, type Capacity } from '../messaging/index.ts';
import { creditsOf, idempotencyKeyOf, mergeValues, settingsOf } from './rules.ts';
import type { CampaignRow } from './store.ts';
import type { CompanyAccount, SendingNumber } from './store-senders.ts';
import { insertBatch, type NewClaimBatch } from './store-batches.ts';
import { type ClaimableRecipient } from './store-claimable.ts';
import { skipRecipients, textedSince } from './store-recipients.ts';

/** A recipient whose text is about to be submitted. */
export interface RecipientClaim {
  id: number;
  text: OutgoingText;
  credits: number;
}
/** What a batch's claims have in common. */
interface ClaimSource {
  c: CampaignRow;
  number: SendingNumber;
  account: CompanyAccount;
  carrier: string;
  dispatcherId: string;
}
export interface ClaimedTexts {
  /** Null: no one was claimed. */
  batchId: number | null;
  claims: RecipientClaim[];
  /** Who no longer waits: claimed, skipped, or finished before. */
  done: ClaimableRecipient[];
  /** Segments of the claims. */
  used: number;
  /** The next one didn't fit. */
  full: boolean;
}
type Selection = Omit<ClaimedTexts, 'batchId'> & {
  skips: { id: number; reason: string }[];
  texts: NewClaimBatch['claims'][number][];
};

/**
 * Claims recipients as far as capacity allows, with the text each gets, and skips who may not be
 * texted.
 */
export async function claimTexts(
  t: TxCtx,
  source: ClaimSource,
  recipients: readonly ClaimableRecipient[],
  capacity: Capacity,
): Promise<ClaimedTexts> {
  const skipReason = await skipReasons(t, source, recipients);
  const write = textWriter(t, source);
  const { skips, texts, ...selected } = selectClaims(recipients, capacity, skipReason, write);
  await skipRecipients(t.tx, t.companyId, skips);
  const { c, carrier, dispatcherId } = source;
  const batchId = selected.claims.length
    ? await insertBatch(t.tx, t.companyId, {
        campaignId: c.id,
        dispatcherId,
        version: c.text_version,
        carrier,
        claims: texts,
      })
    : null;
  return { ...selected, batchId };
}

type SkipReason = (recipient: ClaimableRecipient) => string | null;
/** Why each of these recipients may not be texted now; null: they may. */
async function skipReasons(
  t: TxCtx,
  { c, number, account }: ClaimSource,
  recipients: readonly ClaimableRecipient[],
): Promise<SkipReason> {
  const phones = recipients.map((recipient) => recipient.to_number);
  const optedOut = await optedOutNumbers(t.tx, t.companyId, phones);
  const undecided = await undecidedNumbers(t.tx, t.companyId, phones);
  const guardMs = settingsOf(account.settings).recentlyTextedHours * 3_600_000;
  const since = new Date(t.now.getTime() - guardMs);
  const recently = await textedSince(t.tx, t.companyId, c.id, phones, since);
  const pairs = phones.map((party) => ({ numberId: number.id, party }));
  const blocked = (await hasBlocks(t.tx, t.companyId))
    ? await blockedPairs(t.tx, t.companyId, pairs)
    : new Set<string>();
  return ({ to_number, gone }) => {
    if (optedOut.has(to_number)) return 'unsubscribed';
    if (undecided.has(to_number)) return 'possible_opt_out';
    if (gone) return 'deleted';
    if (blocked.has(`${number.id}:${to_number}`)) return 'blocked';
    return recently.has(to_number) ? 'recently_texted' : null;
  };
}

type TextWriter = (recipient: ClaimableRecipient) => { claim: RecipientClaim; segments: number };
/** Renders a recipient's text. */
function textWriter(t: TxCtx, { c, number }: ClaimSource): TextWriter {
  const media = mediaLinks(t, c.media as StoredMedia[]);
  const template = fullText(c.text, c.unsubscribe_text);
  return (recipient) => {
    const { id, to_number: to, name, email } = recipient;
    const values = mergeValues({ name: name ?? '', number: to, email: email ?? '' });
    const text = render(template, values);
    const segments = Math.max(1, countSegments(text).segments);
    const credits = creditsOf(segments, media.length > 0);
    const key = idempotencyKeyOf(recipient, c.text_version);
    return {
      claim: { id, text: { from: number.number, to, text, media, key }, credits },
      segments,
    };
  };
}

function selectClaims(
  recipients: readonly ClaimableRecipient[],
  capacity: Capacity,
  skipReason: SkipReason,
  write: TextWriter,
): Selection {
  const selected: Selection = { claims: [], texts: [], skips: [], done: [], used: 0, full: false };
  for (const recipient of recipients) {
    // One that waits again may have finished meanwhile: a receipt came after all.
    const isPending = recipient.state === 'pending';
    const reason = isPending ? skipReason(recipient) : null;
    if (reason) selected.skips.push({ id: recipient.id, reason });
    if (reason || !isPending) {
      selected.done.push(recipient);
      continue;
    }
    if (selected.used >= capacity.pacedSegments) break;
    const { claim, segments } = write(recipient);
    const isAlone = selected.used === 0 && capacity.idle;
    if (selected.used + segments > capacity.segments && !isAlone) {
      selected.full = true;
      break;
    }
    selected.used += segments;
    selected.done.push(recipient);
    selected.claims.push(claim);
    const { id, credits, text } = claim;
    selected.texts.push({ id, text: text.text, segments, credits });
  }
  return selected;
}
