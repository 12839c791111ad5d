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

/**
 * The current draft. Throws flow.draft_gone or flow.draft_changed when it is not the revision the
 * user started from (null = no draft, undefined = do not check).
 */
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

/** PUT of the draft: checks its revision and saves it. */
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

/** Saves the draft as the next revision. */
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
  // Audit the first save of a draft only: the editor saves while the user types.
  if (before === undefined)
    await audit(ctx, 'flow.draft_begun', `number:${numberId}`, { after: { based_on: version } });
  await ctx.publish(
    flows.flowChanged,
    { companyId: ctx.companyId, numberId, what: 'draft', byName: ctx.actor.name },
    { numberId },
  );
}

/** Deletes the draft, if there is one. */
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
