import { flows, type Body } from '#contract';
import type { TxCtx } from '../../../platform/context.ts';
import { audit } from '../../../platform/audit.ts';
import { fail } from '../../../platform/errors.ts';
import { lockRoutes } from '../store.ts';
import { getFlow, visibleNumber } from './get-flow.ts';
import {
  draftRow,
  deleteDraft,
  lastVersion,
  saveDraftRow,
  type DraftRow,
  type StoredFlow,
} from './store.ts';

/** Refuses when the draft is no longer the one the caller started from: named with who changed it. `undefined` = not asked. */
export async function checkDraftRevision(
  ctx: TxCtx,
  numberId: number,
  revision: number | null | undefined,
): Promise<DraftRow | undefined> {
  const draft = await draftRow(ctx.tx, ctx.companyId, numberId);
  if (revision === undefined || revision === (draft?.revision ?? null)) return draft;
  if (draft === undefined) fail('flow.draft_gone');
  fail('flow.draft_changed', { name: draft.edited_by_name || 'Someone' });
}

export async function saveDraft(
  ctx: TxCtx,
  numberId: number,
  { revision, ...flow }: Body<typeof flows.saveFlowDraft>,
) {
  await visibleNumber(ctx, numberId);
  await lockRoutes(ctx.tx, numberId);
  await writeDraft(ctx, numberId, flow, await checkDraftRevision(ctx, numberId, revision));
  return getFlow(ctx, numberId);
}

export async function writeDraft(
  ctx: TxCtx,
  numberId: number,
  flow: StoredFlow,
  before: DraftRow | undefined,
): Promise<void> {
  const version = (await lastVersion(ctx.tx, ctx.companyId, numberId))?.version ?? 0;
  await saveDraftRow(ctx.tx, ctx.companyId, numberId, {
    flow,
    based_on: before?.based_on ?? version,
    revision: (before?.revision ?? 0) + 1,
    edited_by: ctx.actor.userId || null,
    edited_by_name: ctx.actor.name,
    edited_at: ctx.now,
  });
  // Typing is not worth a line each: the first save of a draft is.
  if (before === undefined)
    await audit(ctx, 'flow.draft_begun', `number:${numberId}`, { after: { based_on: version } });
  await ctx.publish(
    flows.flowChanged,
    { companyId: ctx.companyId, numberId, what: 'draft', byName: ctx.actor.name },
    { numberId },
  );
}

export async function discardDraft(
  ctx: TxCtx,
  numberId: number,
  revision: number | null | undefined,
): Promise<void> {
  await visibleNumber(ctx, numberId);
  await lockRoutes(ctx.tx, numberId);
  if ((await checkDraftRevision(ctx, numberId, revision)) === undefined) return;
  await deleteDraft(ctx.tx, ctx.companyId, numberId);
  await audit(ctx, 'flow.draft_discarded', `number:${numberId}`);
  await ctx.publish(
    flows.flowChanged,
    { companyId: ctx.companyId, numberId, what: 'discarded', byName: ctx.actor.name },
    { numberId },
  );
}
