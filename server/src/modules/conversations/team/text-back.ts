import type { EventData } from '#contract';
import type { callEnded } from '#contract/calls/events';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { knownIdentities } from '../../calls/index.ts';
import { textBlockReasonFor } from '../textable.ts';
import { queueAutomaticText } from '../queue-automatic-text.ts';
import { conversationByParty } from '../store.ts';
import {
  sentAutoText,
  lockLastAutoText,
  upsertAutoTextSent,
  ownNumbersAmong,
  isKnownLandline,
} from './store-automatic-texts.ts';
import { textBackJob } from './job-kinds.ts';

// The system role: asks the global directory whose a number or a carrier’s object is.

/** Once per caller and hour, so that repeated calls get one text. */
const cooldownMs = 3_600_000;
const missedOutcome = 2;

/**
 * A call that no one answered and that left no voicemail: texts the caller back where a text can be
 * delivered and is wanted.
 */
export async function enqueueTextBack(
  ctx: TxCtx,
  call: EventData<typeof callEnded>,
): Promise<void> {
  if (call.outbound || call.outcome !== missedOutcome || !call.party.startsWith('+')) return;
  if (!(await sentAutoText(ctx.tx, ctx.companyId, call.numberId, 'text_back'))) return;
  await ctx.enqueue(
    textBackJob,
    { callId: call.callId, numberId: call.numberId, party: call.party },
    { key: `text-back:${ctx.companyId}:${call.callId}` },
  );
}

/**
 * Queues that text, unless the caller opted out, is blocked, has a landline or got one within the
 * hour.
 */
export async function sendTextBack(
  ctx: Ctx,
  job: { callId: number; numberId: number; party: string },
): Promise<void> {
  await ctx.transaction(async (t) => {
    const { numberId, party } = job;
    const content = await sentAutoText(t.tx, t.companyId, numberId, 'text_back');
    if (!content || (await ownNumbersAmong(t.db.unscoped, [party])).has(party)) return;
    // Opted out, blocked, or a number that may not text yet: the same rule as for any text.
    if (await textBlockReasonFor(t, numberId, party)) return;
    if ((await knownIdentities(t, [party])).get(party)?.identity?.line_type === 'landline') return;
    const conversation = await conversationByParty(t.tx, t.companyId, numberId, party);
    if (conversation && (await isKnownLandline(t.tx, t.companyId, conversation.id))) return;
    const last = await lockLastAutoText(t.tx, t.companyId, numberId, party, 'text_back');
    if (last && t.now.getTime() - last.getTime() < cooldownMs) return;
    await upsertAutoTextSent(t.tx, {
      company_id: t.companyId,
      number_id: numberId,
      party,
      kind: 'text_back',
      at: t.now,
    });
    await queueAutomaticText(t, {
      numberId,
      party,
      content,
      media: [],
      automatic: 'text_back',
      source: `text-back:${job.callId}`,
    });
  });
}
