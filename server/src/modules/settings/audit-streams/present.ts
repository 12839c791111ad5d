import type { auditStreams as contract, Answer, Body } from '#contract';
import type { TxCtx } from '../../../platform/context.ts';
import { countWaiting, type StreamRow } from './store.ts';

type Stream = Answer<typeof contract.listAuditStreams>['data'][number];
type Said = Body<typeof contract.createAuditStream>['target'];
/** Where it sends to, as it is stored: without secrets. */
export type Target =
  | { kind: 'webhook'; url: string }
  | Omit<Extract<Said, { kind: 's3' }>, 'secret_access_key'>;

/** Counting stops here. */
const MOST_WAITING = 10_000;

/** The stored target of a stream. */
export const targetOf = (row: Pick<StreamRow, 'target'>): Target => row.target as Target;

/** A target in words: the address, or the bucket with its prefix. */
export function nameOf(target: Target): string {
  if (target.kind === 'webhook') return target.url;
  const { endpoint, bucket, prefix } = target;
  return `${endpoint ? `${endpoint}/` : 's3://'}${bucket}${prefix ? `/${prefix}` : ''}`;
}

/** A stream as administrators see it. */
export async function presentStream(ctx: TxCtx, row: StreamRow): Promise<Stream> {
  const waits = row.state === 'active' && row.failures > 0;
  return {
    id: row.id,
    kind: row.kind as Stream['kind'],
    target: nameOf(targetOf(row)),
    state: row.state as Stream['state'],
    paused_because: row.paused_because as Stream['paused_because'],
    sent_count: row.sent_count,
    waiting: await countWaiting(ctx.tx, ctx.companyId, row.after_seq, MOST_WAITING),
    failures: row.failures,
    last_error: row.last_error,
    last_sent_at: row.last_sent_at?.toISOString() ?? null,
    next_try_at: waits ? row.next_try_at.toISOString() : null,
    created_at: row.created_at.toISOString(),
  };
}
