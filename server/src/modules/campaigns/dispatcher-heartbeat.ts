import type { Services } from '../../platform/context.ts';
import type { WorkerLease } from '../../platform/worker-lease.ts';
import { deleteHeartbeat, upsertHeartbeat } from './store-batches.ts';

/** Without a heartbeat this long a worker submits nothing: soon others check its claims. */
const heartbeatLostMs = 5000;
/** The same when its worker lease is lost, too. */
const leaseLostMs = 2000;
const heartbeatEveryMs = 1000;

export interface DispatcherHeartbeat {
  send(): Promise<void>;
  /** Other workers still see that this dispatcher lives. */
  isAlive(): boolean;
  stop(): Promise<void>;
}

/** Shows other workers every second that this dispatcher lives. `lease`: that of its process. */
export function startHeartbeat(
  { db }: Services,
  dispatcherId: string,
  lease: WorkerLease | undefined,
): DispatcherHeartbeat {
  let sentAt = -Infinity;
  const send = async () => {
    try {
      await upsertHeartbeat(db.unscoped, dispatcherId, lease?.id ?? null);
      sentAt = performance.now();
    } catch {
      // The database is unreachable, so no one sees a heartbeat either.
    }
  };
  const timer = setInterval(() => void send(), heartbeatEveryMs);
  return {
    send,
    isAlive: () => {
      const maxAgeMs = lease && !lease.isHeld() ? leaseLostMs : heartbeatLostMs;
      return performance.now() - sentAt < maxAgeMs;
    },
    stop: async () => {
      clearInterval(timer);
      await deleteHeartbeat(db.unscoped, dispatcherId).catch(() => {});
    },
  };
}
