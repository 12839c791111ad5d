import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** How long what was asked already may take to be answered once we stop, in ms. */
const answerMs = 5_000;

/** How a web process leaves: it says so first, and then answers what it was asked. */
export interface Drain {
  /** `/readyz` answers 503, so that a balancer sends nothing new. */
  isDraining(): boolean;
  /**
   * Goes on answering for `ms`, then waits until everything is answered, five seconds at most. Each
   * answer closes its connection, so that the next request goes to another process.
   */
  drain(ms: number): Promise<void>;
}

/** A route whose answers last for hours, such as a stream: nobody waits for their end. */
export const lasting: { config: object } = { config: { lasting: true } };

const isLasting = ({ routeOptions }: FastifyRequest): boolean =>
  'lasting' in (routeOptions.config ?? {});

/** Counts what this server is asked, so that it can be stopped without cutting anyone off. */
export function drainable(app: FastifyInstance): Drain {
  let draining = false;
  let open = 0;
  app.addHook('onRequest', async (request, reply) => {
    if (draining) void reply.header('connection', 'close');
    if (isLasting(request)) return;
    open += 1;
    // Also of a request that its sender gave up.
    reply.raw.once('close', () => {
      open -= 1;
    });
  });
  return {
    isDraining: () => draining,
    drain: async (ms) => {
      draining = true;
      await pause(ms);
      const until = performance.now() + answerMs;
      while (open > 0 && performance.now() < until) await pause(20);
    },
  };
}
