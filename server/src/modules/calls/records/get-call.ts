import type { Answer, calls as contract } from '#contract';
import { entityOf } from '#contract/field-rules';
import type { TxCtx } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { valuesOf } from '../../fields/index.ts';
import { presentCall } from './present.ts';
import { historyOf } from './store-history.ts';
import { tagsOfCall } from './store-tags.ts';
import { visibleCall, adjacentCallIds } from './store.ts';
import { recordingsOf } from '../recordings/store.ts';
import { transcriptionsOf } from '../transcripts/store.ts';
import { voicemailOf } from '../voicemail/store.ts';
import { legsOf, hasPendingRecording } from '../runtime/store-live.ts';

/** One call, whole (A9.1); a call of a number the reader may not see is not there. */
export async function getCall(ctx: TxCtx, id: number): Promise<Answer<typeof contract.getCall>> {
  const { tx, companyId } = ctx;
  const row = (await visibleCall(tx, companyId, id, ctx.numbers)) ?? notFound();
  return {
    data: presentCall(ctx, {
      row,
      awaited: row.ended_at !== null && (await hasPendingRecording(tx, companyId, id)),
      recordings: await recordingsOf(tx, companyId, id),
      transcriptions: await transcriptionsOf(tx, companyId, id),
      voicemail: await voicemailOf(tx, companyId, id),
      tags: await tagsOfCall(tx, companyId, id),
      values: (await valuesOf(ctx, entityOf.call, [id])).get(id)!,
      history: await historyOf(tx, companyId, id), // Supervisors are told of only to those who may be one.
      legs: (await legsOf(tx, companyId, id)).filter(
        (leg) => leg.role !== 'monitor' || ctx.may('calls.monitor') !== 'none',
      ),
    }),
  };
}

/** The calls just before and after, for moving through them by keyboard. */
export async function adjacentCalls(
  ctx: TxCtx,
  id: number,
): Promise<Answer<typeof contract.neighboursOfCall>> {
  const row = (await visibleCall(ctx.tx, ctx.companyId, id, ctx.numbers)) ?? notFound();
  return { data: await adjacentCallIds(ctx.tx, ctx.companyId, row, ctx.numbers) };
}
