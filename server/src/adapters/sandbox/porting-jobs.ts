/**
 * How the sandbox advances port orders: one state a minute, each reported to the customer until it
 * is accepted.
 */
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Services } from '../../platform/context.ts';
import { jobKind } from '../../platform/job-kind.ts';
import { runJob } from '../../platform/jobs.ts';
import {
  csrRequiredSuffix,
  unportableSuffix,
  nextStep,
  rejectedSuffix,
  secondsPerState,
  wrongPin,
} from './porting-rules.ts';
import { queueAdvance, toPortReport, type PortRow } from './porting.ts';
import { postToCustomer } from './text-jobs.ts';
import { currentFaults } from './fault-injection.ts';

// The system role: the simulated carrier’s own tables have no company.

/**
 * Advances an order by one state, if it is still at `seq` (null: wherever it is). False: it waits
 * for its customer, or is over.
 */
export async function advancePort(
  services: Pick<Services, 'db' | 'settings'>,
  ref: string,
  seq: number | null,
): Promise<boolean> {
  if (currentFaults().outage) {
    await services.db.systemTransaction((tx) => queueAdvance(tx, ref, seq ?? 0, 5));
    return true;
  }
  const advanced = await services.db.systemTransaction(async (tx) => {
    const row = (
      await sql<PortRow>`select * from sandbox.port where ref = ${ref} for update`.execute(tx)
    ).rows[0];
    if (!row || (seq !== null && row.seq !== seq)) return false;
    const next = nextStep({
      state: row.state,
      documents: row.documents,
      focDate: row.foc_date,
      order: row.order,
    });
    if (!next) return false;
    await sql`update sandbox.port set state = ${next.state},
      seq = seq + 1, foc_date = ${next.focDate}, wanted = ${next.wanted}::text[],
      rejection = ${next.rejection ? JSON.stringify(next.rejection) : null}::jsonb,
      advances_at = ${
        next.advances
          ? sql`clock_timestamp() + make_interval(secs =>
          ${secondsPerState})`
          : sql`null`
      }
        where ref = ${ref}`.execute(tx);
    // From now on no one else can buy the numbers.
    if (next.state === 'completed')
      for (const number of row.order.numbers)
        await sql`insert into sandbox_order (number, key)
          values (${number}, ${ref}) on conflict (number) do nothing`.execute(tx);
    if (next.advances) await queueAdvance(tx, ref, row.seq + 1, secondsPerState);
    await sql`select enqueue_job('sandbox.reportPort',
        ${JSON.stringify({ ref })}::json, null, clock_timestamp() + interval '3 seconds', 25,
        ${`sandbox.tellPort:${ref}`}, null)`.execute(tx);
    return true;
  });
  // When this fails, the job reports it.
  if (advanced) await reportPort(services, ref).catch(() => false);
  return advanced;
}

/**
 * Reports an order's state to the customer, unless it has it. False when the customer did not
 * accept it.
 */
async function reportPort(
  services: Pick<Services, 'db' | 'settings'>,
  ref: string,
): Promise<boolean> {
  const row = (
    await sql<PortRow>`select * from sandbox.port where ref = ${ref}`.execute(services.db.unscoped)
  ).rows[0];
  if (!row || row.delivered_seq >= row.seq) return true;
  if (
    currentFaults().outage ||
    !(await postToCustomer(services, 'ports', { ports: [toPortReport(row)] }))
  )
    return false;
  await sql`update sandbox.port set delivered_seq = greatest(delivered_seq, ${row.seq})
    where ref = ${ref}`.execute(services.db.unscoped);
  return true;
}

export const jobs = [
  runJob(
    jobKind('sandbox.advancePort', z.object({ ref: z.string(), seq: z.number() }).loose(), {
      queue: 'documents',
      timeoutSeconds: 60,
      overlap: 'allowed',
      retries: 24,
    }),
    async (ctx, { ref, seq }) => {
      await advancePort(ctx as unknown as Services, ref, seq || null);
    },
  ),
  runJob(
    jobKind('sandbox.reportPort', z.object({ ref: z.string() }).loose(), {
      queue: 'default',
      timeoutSeconds: 60,
      overlap: 'allowed',
      retries: 24,
    }),
    async (ctx, { ref }) => {
      if (!(await reportPort(ctx as unknown as Services, ref)))
        throw new Error('the customer did not accept the report of a port');
    },
  ),
];

/** The simulation's rules, and a way to advance an order without waiting a minute. */
export const sandboxPortRoutes =
  (services: Services) =>
  async (app: FastifyInstance): Promise<void> => {
    app.get('/sandbox/ports/rules', () => ({
      data: {
        secondsAState: secondsPerState,
        asksForRecord: csrRequiredSuffix,
        refusedAtOnce: rejectedSuffix,
        wrongPin,
        keptBack: unportableSuffix,
      },
    }));
    app.post<{ Params: { ref: string } }>('/sandbox/ports/:ref/advance', async (request, reply) => {
      if (!/^sbp-[0-9a-f]{12}$/.test(request.params.ref))
        return reply.code(404).send({ message: 'The sandbox has no such order.' });
      if (await advancePort(services, request.params.ref, null)) return reply.code(204).send();
      return reply
        .code(409)
        .send({ message: 'This order is waiting for its customer, or has ended.' });
    });
  };
