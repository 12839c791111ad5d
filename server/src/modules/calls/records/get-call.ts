import type { Answer, calls as contract } from '#contract';
import { entityOf } from '#contract/fields/rules';
import type { TxCtx } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { valuesOf } from '../../fields/index.ts';
import { attributionOf } from '../../tracking/index.ts';
import { presentCall } from './present.ts';
import { historyOf } from './store-history.ts';
import { tagsOfCall } from './store-tags.ts';
import { firstQualifiedOf } from './store-facts.ts';
import { adjacentCallIds, visibleCall } from './store.ts';
import { hitsOfCall } from '../phrases/store.ts';
import { latestReading } from '../readings/store.ts';
import { recordingsOf } from '../recordings/store.ts';
import { transcriptionsOf } from '../transcripts/store.ts';
import { voicemailOf } from '../voicemail/store.ts';
import { legsOf, hasPendingRecording } from '../runtime/store-live.ts';

/** A call with all its details (A9.1); `not_found` for a call of a number the user may not see. */
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
      hits: await hitsOfCall(tx, companyId, id),
      reading: await latestReading(tx, companyId, id),
      values: (await valuesOf(ctx, entityOf.call, [id])).get(id) ?? [],
      history: await historyOf(tx, companyId, id),
      // Monitoring legs are shown only to those who may monitor.
      legs: (await legsOf(tx, companyId, id)).filter(
        (leg) => leg.role !== 'monitor' || ctx.may('calls.monitor') !== 'none',
      ),
    }),
  };
}

/** The same for work without a request; null: the call is gone. */
export const findCall = async (
  ctx: TxCtx,
  id: number,
): Promise<Answer<typeof contract.getCall>['data'] | null> =>
  (await visibleCall(ctx.tx, ctx.companyId, id, ctx.numbers))
    ? (await getCall(ctx, id)).data
    : null;

/**
 * Where a call came from and what each model credits; null when it wasn't to a tracking number. `not_found` when the user may not
 * see the call.
 */
export async function callAttribution(
  ctx: TxCtx,
  id: number,
): Promise<Answer<typeof contract.callAttribution>> {
  const row = (await visibleCall(ctx.tx, ctx.companyId, id, ctx.numbers)) ?? notFound();
  const qualified = await firstQualifiedOf(ctx.tx, ctx.companyId, [row]);
  return { data: await attributionOf(ctx, 'call', row.id, qualified.get(row.id) ?? null) };
}

/**
 * The ids of the next newer and older call, for keyboard navigation. `not_found` when the user may
 * not see the call.
 */
export async function adjacentCalls(
  ctx: TxCtx,
  id: number,
): Promise<Answer<typeof contract.neighboursOfCall>> {
  const row = (await visibleCall(ctx.tx, ctx.companyId, id, ctx.numbers)) ?? notFound();
  return { data: await adjacentCallIds(ctx.tx, ctx.companyId, row, ctx.numbers) };
}
