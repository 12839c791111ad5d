import type { EventData } from '#contract';
import type { callEnded } from '#contract/calls';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { knownIdentities } from '../../calls/index.ts';
import { whyNot } from '../may-text.ts';
import { queueText } from '../queue-text.ts';
import { conversationBetween } from '../store.ts';
import { autoTextsOf, holdTurn, noteTurn, oursAmong, saidLandline } from './store.ts';

/** Once a caller and hour: who calls again and again gets one text. */
const pauseMs = 3_600_000;
const missed = 2;

/** A call that nobody took (and that left no voicemail): text the caller back, where a text can go and is wanted. */
export async function heardMissedCall(
  ctx: TxCtx,
  call: EventData<typeof callEnded>,
): Promise<void> {
  if (call.outbound || call.outcome !== missed || !call.party.startsWith('+')) return;
  if (!(await autoTextsOf(ctx.tx, ctx.companyId, [call.numberId]))[0]?.text_back) return;
  await ctx.enqueue(
    'conversations.textBack',
    { callId: call.callId, numberId: call.numberId, party: call.party },
    { key: `text-back:${ctx.companyId}:${call.callId}` },
  );
}

export async function textBack(
  ctx: Ctx,
  job: { callId: number; numberId: number; party: string },
): Promise<void> {
  await ctx.transaction(async (t) => {
    const { numberId, party } = job;
    const content = (await autoTextsOf(t.tx, t.companyId, [numberId]))[0]?.text_back;
    if (!content || (await oursAmong(t.db.directory, [party])).has(party)) return;
    // Opted out, blocked, or a number that may not text yet: the same rule as for any text.
    if (await whyNot(t, numberId, party)) return;
    if ((await knownIdentities(t, [party])).get(party)?.identity?.line_type === 'landline') return;
    const conversation = await conversationBetween(t.tx, t.companyId, numberId, party);
    if (conversation && (await saidLandline(t.tx, t.companyId, conversation.id))) return;
    const last = await holdTurn(t.tx, t.companyId, numberId, party, 'text_back');
    if (last && t.now.getTime() - last.getTime() < pauseMs) return;
    await noteTurn(t.tx, {
      company_id: t.companyId,
      number_id: numberId,
      party,
      kind: 'text_back',
      at: t.now,
    });
    await queueText(t, {
      numberId,
      party,
      content,
      media: [],
      automatic: 'text_back',
      source: `text-back:${job.callId}`,
    });
  });
}
