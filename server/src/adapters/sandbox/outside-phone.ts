/** What the routes of outside phones and of outside fax machines have in common. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Log } from '../../platform/log.ts';
import { currentFaults, shouldFail } from './fault-injection.ts';
import { readSender, toE164 } from '../../exchange/phone-number.ts';

export type ListQuery = {
  Querystring: {
    phone?: string;
    after?: string;
    direction?: string;
    shownAs?: string;
  };
};

/** Delay of the job that repeats what a request itself tries at once. Milliseconds. */
const jobDelayMs = 3000;

/** Refuses a request while faults say so. Undefined: the carrier works. */
export function refuseByFault(reply: FastifyReply): FastifyReply | undefined {
  const { outage, errorRate } = currentFaults();
  if (!outage && !shouldFail(errorRate)) return undefined;
  return reply.code(outage ? 503 : 500).send({ message: 'The sandbox carrier is offline.' });
}

/** When the job delivers what an outside phone sent, unless it was delivered at once. Milliseconds. */
export const deliveryDelayMs = (): number => Math.max(jobDelayMs, currentFaults().lateReceiptsMs);

/**
 * Delivers at once what is stored already, unless faults delay it. When that fails, its job delivers
 * it.
 * @param kind for the log: "text"
 */
export async function deliverAtOnce(
  log: Log,
  kind: string,
  deliver: () => Promise<unknown>,
): Promise<void> {
  const { lateReceiptsMs, reorderRate } = currentFaults();
  if (lateReceiptsMs || shouldFail(reorderRate)) return;
  await deliver().catch((error: unknown) =>
    log.warn({ err: error }, `a ${kind} could not be delivered; its job will try again`),
  );
}

/** Which phone a list is about, in E.164; null after answering that none was named. */
export function listedPhone(
  request: FastifyRequest<ListQuery>,
  reply: FastifyReply,
): { phone: string; both: boolean } | null {
  const query = z.object({ phone: z.string().max(40) }).safeParse(request.query);
  const phone = query.success ? toE164(query.data.phone) : null;
  if (phone) return { phone, both: request.query.direction === 'both' };
  void reply.code(422).send({
    message: 'Choose a phone: ?phone=+1…',
    errors: { phone: ['This isn’t a phone number.'] },
  });
  return null;
}

/**
 * With `both`, the SQL condition that adds what the phone sent, under its number and under the
 * sender that it shows.
 */
export const orSentBy = (phone: string, both: boolean, shownAs = '') =>
  both
    ? sql`or (not outgoing and from_number = any(${[phone, readSender(shownAs) ?? phone]}::text[]))`
    : sql``;

/** With `both`, whether the phone sent or received a row. `outgoing`: from us. */
export const directionOf = (outgoing: boolean, both: boolean) =>
  both ? { direction: outgoing ? 'received' : 'sent' } : {};
