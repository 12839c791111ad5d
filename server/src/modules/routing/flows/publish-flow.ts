import { flows, type Body } from '#contract';
import type { TxCtx } from '../../../platform/context.ts';
import { missing, refuse } from '../../../platform/refuse.ts';
import { setRoutingInShort } from '../../numbers/index.ts';
import { routingInShort } from '../rules.ts';
import { saveMenu } from '../save-menu.ts';
import { saveRoutes } from '../save-routes.ts';
import { holdRoutes, routesOfNumbers } from '../store.ts';
import { getFlow, numberSeen } from './get-flow.ts';
import { keepFirst, type HowKept } from './keep-version.ts';
import { readKept } from './kept-flow.ts';
import { draftAsExpected, writeDraft } from './save-draft.ts';
import { draftRow, dropDraft, lastVersion, versionRow, type KeptFlow } from './store.ts';

/** Make a flow live, in one transaction with its version. Calls that already run keep the flow they began with. */
async function goLive(
  ctx: TxCtx,
  number: { id: number; number: string },
  flow: KeptFlow,
  how: HowKept,
): Promise<void> {
  await keepFirst(ctx, number.id);
  await saveMenu(ctx, number.id, flow.menu);
  const known = new Set(
    (await routesOfNumbers(ctx.tx, ctx.companyId, [number.id])).map((route) => route.id),
  );
  // A route that was removed since comes back as a new one.
  const routes = flow.routes.map((route) =>
    route.id && known.has(route.id) ? route : { ...route, id: null },
  );
  const saved = await saveRoutes(ctx, number, routes, 'routes', how);
  await setRoutingInShort(ctx, number.id, routingInShort(saved));
}

/** `over`: the version one knows to be live; without it a version published since the draft began is not silently replaced. */
export async function publishFlow(
  ctx: TxCtx,
  numberId: number,
  { revision, over }: Body<typeof flows.publishFlow>,
) {
  const number = await numberSeen(ctx, numberId);
  await holdRoutes(ctx.tx, numberId);
  const draft = (await draftAsExpected(ctx, numberId, revision)) ?? refuse('flow.no_draft');
  const live = await lastVersion(ctx.tx, ctx.companyId, numberId);
  if (live !== undefined && live.version > Math.max(draft.based_on, over ?? 0))
    refuse('flow.published_meanwhile', {
      name: live.published_by_name ?? 'Somebody',
      version: live.version,
    });
  await goLive(ctx, number, readKept(draft.flow), { kind: 'published' });
  await dropDraft(ctx.tx, ctx.companyId, numberId);
  return getFlow(ctx, numberId);
}

export async function restoreVersion(
  ctx: TxCtx,
  numberId: number,
  version: number,
  { as, revision }: Body<typeof flows.restoreFlowVersion>,
) {
  const number = await numberSeen(ctx, numberId);
  await holdRoutes(ctx.tx, numberId);
  const row = (await versionRow(ctx.tx, ctx.companyId, numberId, version)) ?? missing();
  const flow = readKept(row.flow);
  if (as === 'draft') {
    const before =
      revision === undefined
        ? await draftRow(ctx.tx, ctx.companyId, numberId)
        : await draftAsExpected(ctx, numberId, revision);
    await writeDraft(ctx, numberId, flow, before);
  } else await goLive(ctx, number, flow, { kind: 'restored', restoredFrom: version });
  return getFlow(ctx, numberId);
}
