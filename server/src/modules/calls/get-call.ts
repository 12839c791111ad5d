import type { Answer, calls as contract } from '#contract';
import { entityOf } from '#contract/field-rules';
import type { TxCtx } from '../../platform/context.ts';
import { missing } from '../../platform/refuse.ts';
import { valuesOf } from '../fields/index.ts';
import { presentCall } from './present.ts';
import { callSeen, historyOf, neighbours, tagsOf } from './store.ts';
import { recordingsOf, transcriptionsOf, voicemailOf } from './store-audio.ts';
import { legsOf, owedRecordings } from './store-live.ts';

/** One call, whole (A9.1); a call of a number the reader may not see is not there. */
export async function getCall(ctx: TxCtx, id: number): Promise<Answer<typeof contract.getCall>> {
  const { tx, companyId } = ctx;
  const row = (await callSeen(tx, companyId, id, ctx.numbers)) ?? missing();
  return {
    data: presentCall(ctx, {
      row,
      awaited: row.ended_at !== null && (await owedRecordings(tx, companyId, id)),
      recordings: await recordingsOf(tx, companyId, id),
      transcriptions: await transcriptionsOf(tx, companyId, id),
      voicemail: await voicemailOf(tx, companyId, id),
      tags: await tagsOf(tx, companyId, id),
      values: (await valuesOf(ctx, entityOf.call, [id])).get(id)!,
      history: await historyOf(tx, companyId, id), // Supervisors are told of only to those who may be one.
      legs: (await legsOf(tx, companyId, id)).filter(
        (leg) => leg.role !== 'monitor' || ctx.may('calls.monitor') !== 'none',
      ),
    }),
  };
}

/** The calls just before and after, for moving through them by keyboard. */
export async function neighboursOfCall(
  ctx: TxCtx,
  id: number,
): Promise<Answer<typeof contract.neighboursOfCall>> {
  const row = (await callSeen(ctx.tx, ctx.companyId, id, ctx.numbers)) ?? missing();
  return { data: await neighbours(ctx.tx, ctx.companyId, row, ctx.numbers) };
}
