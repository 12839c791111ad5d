import type { Ctx } from './context.ts';
import type { JobKind, Queue } from './job-kind.ts';

/** `number` counts from 1. After the `last` one a failure stays. */
interface Attempt {
  number: number;
  last: boolean;
}

export interface Job {
  name: string;
  queue: Queue;
  timeoutSeconds: number;
  overlap: 'allowed' | 'never' | 'grouped';
  retries: number;
  /** When the clock starts it, and what it does. Undefined: it runs when it is queued. */
  recurring?: { cron: string; does: string };
  /** Throws a ZodError for a payload of another shape. */
  handler(ctx: Ctx, payload: unknown, attempt: Attempt): Promise<void>;
}

/**
 * What a kind of job runs: in a context without a transaction (jobs call third parties), in the
 * payload's `companyId`. It can run twice, so running again must be harmless.
 */
export function runJob<Payload>(
  { name, payload, policy }: JobKind<Payload>,
  run: (ctx: Ctx, payload: Payload, attempt: Attempt) => Promise<void>,
): Job {
  const { queue, timeoutSeconds, overlap, retries } = policy;
  return {
    name,
    queue,
    timeoutSeconds,
    overlap: typeof overlap === 'function' ? 'grouped' : overlap,
    retries,
    handler: async (ctx, raw, attempt) => run(ctx, payload.parse(raw), attempt),
  };
}
