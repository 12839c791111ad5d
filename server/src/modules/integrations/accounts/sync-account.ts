import { z } from 'zod';
import type { Answer, oauthIntegrations as contract } from '#contract';
import { integrationsChanged } from '#contract/integrations/events';
import { batchKind } from '../../../platform/batch-kind.ts';
import { advanceBatch, createBatch, presentBatch, readBatch } from '../../../platform/batches.ts';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { ApiError, fail, notFound } from '../../../platform/errors.ts';
import {
  connectedAccount,
  ConnectionUnusableError,
  refreshAccount,
} from '../../connections/index.ts';
import { syncJob } from '../job-kinds.ts';
import { setPlaces } from './set-places.ts';
import { ensureAccount, lockAccount, patchAccount } from './store-accounts.ts';

const KIND = batchKind('integration-sync', z.object({ connectionId: z.number() }));

/** Queues that an account is read again. Fails with `not_found` and `integration.reconnect`. */
export async function syncAccount(
  t: TxCtx,
  id: number,
): Promise<Answer<typeof contract.syncOAuthIntegration>> {
  const connection = await connectedAccount(t, id);
  if (connection.status === 'needs_reconnect') fail('integration.reconnect');
  await ensureAccount(t.tx, t.companyId, id, t.now);
  return { data: { batchId: await queueSync(t, id), status: 'queued' } };
}

/** Queues the job and returns its batch. */
export async function queueSync(t: TxCtx, connectionId: number): Promise<string> {
  const batchId = await createBatch(t, { kind: KIND, input: { connectionId }, total: 1 });
  await t.enqueue(syncJob, { connectionId, batchId });
  return batchId;
}

/** How far reading an account is. Fails with `not_found`. */
export async function syncProgress(
  t: TxCtx,
  batchId: string,
): Promise<Answer<typeof contract.oauthSyncProgress>> {
  const batch = (await readBatch(t.tx, t.companyId, batchId, KIND)) ?? notFound();
  return { data: presentBatch(batch) };
}

/**
 * Job: reads an account at its provider. One that is being activated is delivered with afterwards; one
 * that can't be read stays off. Throws to be run again, except in the `last` attempt.
 */
export async function runSync(
  ctx: Ctx,
  { connectionId, batchId }: { connectionId: number; batchId: string },
  { last }: { last: boolean },
): Promise<void> {
  let problem: string | null = null;
  try {
    await refreshAccount(ctx, connectionId);
  } catch (error) {
    const mustReconnect = error instanceof ConnectionUnusableError && error.code !== 'away';
    // Turned off on this server, or disconnected meanwhile: trying again changes nothing.
    const isRefused = error instanceof ApiError;
    if (!mustReconnect && !isRefused && !last) throw error;
    ctx.log.warn({ err: error, connectionId }, 'an account could not be read');
    problem = mustReconnect
      ? 'Access to this account has ended. Connect it again.'
      : isRefused
        ? 'This provider can’t be asked here.'
        : 'The provider didn’t respond.';
  }
  await ctx.transaction((t) => finish(t, { connectionId, batchId, problem }));
}

async function finish(
  t: TxCtx,
  {
    connectionId,
    batchId,
    problem,
  }: { connectionId: number; batchId: string; problem: string | null },
): Promise<void> {
  const errors = problem ? [{ row: 1, field: '', message: problem }] : [];
  const step = { from: 0, processed: 1, errors };
  // Undefined: disconnected meanwhile.
  const row = await lockAccount(t.tx, t.companyId, connectionId);
  if (!(await advanceBatch(t.tx, t.companyId, batchId, step, t.now)) || !row) return;
  const { provider } = await connectedAccount(t, connectionId);
  const isStarting = row.state === 'activating';
  const state = isStarting ? (problem ? 'inactive' : 'active') : row.state;
  await patchAccount(t.tx, t.companyId, connectionId, {
    state,
    ...(!problem && { last_sync_at: t.now }),
  });
  if (isStarting && !problem)
    await setPlaces(t, {
      ...{ provider, id: connectionId, isActive: true },
      config: row.config as object,
    });
  await t.publish(integrationsChanged, { companyId: t.companyId, provider });
}
