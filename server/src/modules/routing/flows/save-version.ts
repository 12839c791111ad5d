import { flows } from '#contract';
import type { TxCtx } from '../../../platform/context.ts';
import { audit } from '../../../platform/audit.ts';
import { liveFlow, userNames, parseStoredFlow, shownFlow } from './stored-flow.ts';
import { insertVersion, lastVersion, type StoredFlow } from './store.ts';

/** How a version came about. `saved`: directly (PUT /numbers/{id}, a template, a purchase). */
export interface VersionOrigin {
  kind: 'published' | 'saved' | 'restored';
  restoredFrom?: number;
}

/** Before the first change of a number without versions: saves its current flow as version 1. */
export async function saveInitialVersion(ctx: TxCtx, numberId: number): Promise<void> {
  if ((await lastVersion(ctx.tx, ctx.companyId, numberId)) !== undefined) return;
  const flow = await liveFlow(ctx, numberId);
  if (flow.routes.length === 0) return;
  await insertVersion(ctx.tx, ctx.companyId, numberId, {
    version: 1,
    kind: 'first',
    flow,
    summary: 'The flow before version history began.',
    restored_from: null,
    published_by: null,
    published_by_name: null,
    published_at: ctx.now,
  });
}

/**
 * After routes or menu changed: saves the live flow as the next version. An unchanged flow makes a
 * version only when published or restored. The caller holds the routes' lock.
 */
export async function saveVersion(
  ctx: TxCtx,
  numberId: number,
  origin: VersionOrigin,
): Promise<void> {
  const flow = await liveFlow(ctx, numberId);
  const last = await lastVersion(ctx.tx, ctx.companyId, numberId);
  const before: StoredFlow =
    last === undefined
      ? { routes: [], menu: { ...flow.menu, greeting: null, fallback: null } }
      : parseStoredFlow(last.flow);
  const changes = flows.flowChanges(shownFlow(before), shownFlow(flow), await userNames(ctx));
  if (changes.length === 0 && origin.kind === 'saved' && last !== undefined) return;
  const version = (last?.version ?? 0) + 1;
  const summary =
    origin.kind === 'restored'
      ? `Rolled back to version ${origin.restoredFrom}. ${flows.changesInShort(changes)}`
      : flows.changesInShort(changes);
  await insertVersion(ctx.tx, ctx.companyId, numberId, {
    version,
    kind: origin.kind,
    flow,
    summary,
    restored_from: origin.restoredFrom ?? null,
    published_by: ctx.actor.userId || null,
    published_by_name: ctx.actor.name || null,
    published_at: ctx.now,
  });
  await audit(ctx, `flow.${origin.kind}`, `number:${numberId}`, {
    before: last === undefined ? undefined : { version: last.version },
    after: { version, summary },
  });
  await ctx.publish(
    flows.flowChanged,
    { companyId: ctx.companyId, numberId, what: 'published', byName: ctx.actor.name },
    { numberId },
  );
}
