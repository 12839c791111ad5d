import { flows, type Body } from '#contract';
import type { TxCtx } from '../../../platform/context.ts';
import { notFound, fail } from '../../../platform/errors.ts';
import { setRoutingSummary } from '../../numbers/index.ts';
import { routingSummary } from '../rules.ts';
import { saveMenu } from '../save-menu.ts';
import { saveRoutes } from '../save-routes.ts';
import { lockRoutes, routesOfNumbers } from '../store.ts';
import { getFlow, visibleNumber } from './get-flow.ts';
import { saveInitialVersion, type VersionOrigin } from './save-version.ts';
import { parseStoredFlow } from './stored-flow.ts';
import { checkDraftRevision, writeDraft } from './save-draft.ts';
import { draftRow, deleteDraft, lastVersion, versionRow, type StoredFlow } from './store.ts';

/** Makes a flow live and saves its version. Running calls keep their flow. */
async function makeLive(
  ctx: TxCtx,
  number: { id: number; number: string },
  flow: StoredFlow,
  origin: VersionOrigin,
): Promise<void> {
  await saveInitialVersion(ctx, number.id);
  await saveMenu(ctx, number.id, flow.menu);
  const known = new Set(
    (await routesOfNumbers(ctx.tx, ctx.companyId, [number.id])).map((route) => route.id),
  );
  // A route deleted since then is created anew.
  const routes = flow.routes.map((route) =>
    route.id && known.has(route.id) ? route : { ...route, id: null },
  );
  const saved = await saveRoutes(ctx, number, routes, 'routes', origin);
  await setRoutingSummary(ctx, number.id, routingSummary(saved));
}

/**
 * Publishes the draft. `over`: the live version the user knows and replaces; without it, throws
 * flow.published_meanwhile when a version was published after the draft began.
 */
export async function publishFlow(
  ctx: TxCtx,
  numberId: number,
  { revision, over }: Body<typeof flows.publishFlow>,
) {
  const number = await visibleNumber(ctx, numberId);
  await lockRoutes(ctx.tx, numberId);
  const draft = (await checkDraftRevision(ctx, numberId, revision)) ?? fail('flow.no_draft');
  const live = await lastVersion(ctx.tx, ctx.companyId, numberId);
  if (live !== undefined && live.version > Math.max(draft.based_on, over ?? 0))
    fail('flow.published_meanwhile', {
      name: live.published_by_name ?? 'Someone',
      version: live.version,
    });
  await makeLive(ctx, number, parseStoredFlow(draft.flow), { kind: 'published' });
  await deleteDraft(ctx.tx, ctx.companyId, numberId);
  return getFlow(ctx, numberId);
}

/** Restores a version: live at once, or as the draft. `not_found` when there is no such version. */
export async function restoreVersion(
  ctx: TxCtx,
  numberId: number,
  version: number,
  { as, revision }: Body<typeof flows.restoreFlowVersion>,
) {
  const number = await visibleNumber(ctx, numberId);
  await lockRoutes(ctx.tx, numberId);
  const row = (await versionRow(ctx.tx, ctx.companyId, numberId, version)) ?? notFound();
  const flow = parseStoredFlow(row.flow);
  if (as === 'draft') {
    const before =
      revision === undefined
        ? await draftRow(ctx.tx, ctx.companyId, numberId)
        : await checkDraftRevision(ctx, numberId, revision);
    await writeDraft(ctx, numberId, flow, before);
  } else await makeLive(ctx, number, flow, { kind: 'restored', restoredFrom: version });
  return getFlow(ctx, numberId);
}
