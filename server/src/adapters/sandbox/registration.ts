/**
 * The sandbox's registry of business texting: a reviewer with books of its own (`sandbox.registration`) who decides a
 * minute after papers were handed in, or at once when asked to (`POST /sandbox/registrations/{ref}/review`), and says by
 * signed webhook that something moved.
 */
import { sql } from 'kysely';
import { z } from 'zod';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../platform/context.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { defineJob } from '../../platform/jobs.ts';
import type { CarrierWebhook } from '../../gateways/carrier.ts';
import {
  registryBrandFeeCents,
  type RegistrationCarrier,
  type RegistrationDocuments,
  type RegistrationReport,
} from '../../gateways/registration.ts';
import { reviewVerdict } from './registration-verdict.ts';
import { postToCustomer } from './text-jobs.ts';
import { currentFaults } from './fault-injection.ts';
import { isSignedBy, parseJson } from './webhook.ts';

/** How long the reviewer takes, seconds (A13). */
const reviewSeconds = 60;
interface Row {
  id: number;
  papers: RegistrationDocuments;
  state: RegistrationReport['state'];
  verdict: RegistrationReport['objections'];
  score: number | null;
  numbers: string[];
}
const refOf = (id: number) => `sbr-${id}`;
const idOf = (ref: string) => Number(/^sbr-(\d{1,16})$/.exec(ref)?.[1] ?? 0);

export function sandboxRegistration(db: Db): RegistrationCarrier {
  const here = () => {
    if (currentFaults().outage) throw new Error('The sandbox carrier is offline.');
  };
  return {
    name: 'sandbox',
    brandFeeCents: () => registryBrandFeeCents,
    submit: async (papers, subject, attempt) => {
      here();
      const key = `${subject}.${attempt}`; // its reviewer opens a new file for every attempt
      return db.systemTransaction(async (tx) => {
        const fresh = (
          await sql<{
            id: number;
          }>`insert into sandbox.registration (key, kind, papers, numbers) values (${key}, ${papers.kind}, ${JSON.stringify(papers)}::jsonb, ${JSON.stringify(papers.numbers)}::jsonb) on conflict (key) do nothing returning id`.execute(
            tx,
          )
        ).rows[0];
        if (!fresh)
          return {
            ref: refOf(
              (
                await sql<{
                  id: number;
                }>`select id from sandbox.registration where key = ${key}`.execute(tx)
              ).rows[0]!.id,
            ),
          };
        await queueJob(tx, 'sandbox.review', fresh.id, reviewSeconds);
        return { ref: refOf(fresh.id) };
      });
    },
    getStatus: async (ref) => {
      here();
      const row = await rowOf(db, idOf(ref));
      return row
        ? {
            ref,
            state: row.state,
            brandScore: row.score,
            objections: row.verdict,
            numbers: row.numbers.map((number) => ({
              number,
              state: row.state === 'approved' ? ('approved' as const) : ('asked' as const),
              reason: null,
            })),
          }
        : null;
    },
    setNumbers: async (ref, numbers) => {
      here();
      await sql`update sandbox.registration set numbers = ${JSON.stringify(numbers)}::jsonb where id = ${idOf(ref)}`.execute(
        db.unscoped,
      );
    },
    end: async (ref) => {
      here();
      await sql`update sandbox.registration set state = 'expired' where id = ${idOf(ref)}`.execute(
        db.unscoped,
      );
    },
  };
}
const MovedBody = z.object({ refs: z.array(z.string()) });
/** Where the reviewer says that something moved. */
export const registrationWebhook = (secret: string): CarrierWebhook => ({
  path: '/carriers/sandbox/registrations',
  handle: async ({ body, headers }, sink) => {
    if (!isSignedBy(secret, body, headers)) return { status: 403 };
    const said = MovedBody.safeParse(parseJson(body));
    if (said.success) await sink.onRegistrationChanges(said.data.refs);
    return { status: 204 };
  },
});
const rowOf = async (db: Db, id: number) =>
  (
    await sql<Row>`select id, papers, state, verdict, score, numbers from sandbox.registration where id = ${id}`.execute(
      db.unscoped,
    )
  ).rows[0];
const queueJob = (
  tx: Tx,
  name: 'sandbox.review' | 'sandbox.tellReview',
  registrationId: number,
  afterSeconds: number,
) =>
  sql`select enqueue_job(${name}, ${JSON.stringify({ registrationId })}::json, null, clock_timestamp() + make_interval(secs => ${afterSeconds}), 25, null, null)`.execute(
    tx,
  );

/** Decide, once, and tell. What was decided or ended before stays. */
async function review(
  services: Pick<Services, 'db' | 'settings'>,
  registrationId: number,
): Promise<void> {
  const row = await rowOf(services.db, registrationId);
  if (row?.state === 'in_review') {
    const verdict = reviewVerdict(row.papers);
    await sql`update sandbox.registration set state = ${verdict.state}, verdict = ${JSON.stringify(verdict.objections)}::jsonb, score = ${verdict.score}, decided_at = clock_timestamp() where id = ${registrationId} and state = 'in_review'`.execute(
      services.db.unscoped,
    );
  }
  if (row) await notifyCustomer(services, registrationId);
}
async function notifyCustomer(
  services: Pick<Services, 'db' | 'settings'>,
  registrationId: number,
): Promise<void> {
  if (
    currentFaults().outage ||
    !(await postToCustomer(services, 'registrations', { refs: [refOf(registrationId)] }))
  )
    await services.db.systemTransaction((tx) =>
      queueJob(tx, 'sandbox.tellReview', registrationId, 2),
    );
}

const registrationPayload = z.object({ registrationId: z.number() }).loose();
export const jobs = [
  defineJob('sandbox.review', registrationPayload, (ctx, { registrationId }) =>
    review(ctx as unknown as Services, registrationId),
  ),
  defineJob('sandbox.tellReview', registrationPayload, (ctx, { registrationId }) =>
    notifyCustomer(ctx as unknown as Services, registrationId),
  ),
];

/** What waits for the reviewer, and the button that makes them decide now. Only with the sandbox carrier. */
export const sandboxRegistrationRoutes =
  (services: Services) =>
  async (app: FastifyInstance): Promise<void> => {
    app.get('/sandbox/registrations', async () => {
      const { rows } = await sql<
        Row & { key: string; at: Date }
      >`select id, key, papers, state, at from sandbox.registration order by id desc limit 100`.execute(
        services.db.unscoped,
      );
      return {
        data: rows.map((r) => ({
          ref: refOf(r.id),
          key: r.key,
          kind: r.papers.kind,
          brand: r.papers.brand.legalName,
          state: r.state,
          at: r.at,
        })),
      };
    });
    app.post<{ Params: { ref: string } }>(
      '/sandbox/registrations/:ref/review',
      async (request, reply) => {
        const id = idOf(request.params.ref);
        if (!(await rowOf(services.db, id))) return reply.callNotFound();
        await review(services, id);
        return { data: { ref: request.params.ref, state: (await rowOf(services.db, id))!.state } };
      },
    );
  };
