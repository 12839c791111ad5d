/**
 * The sandbox's registry for business texting: a reviewer with its own table
 * (`sandbox.registration`) that decides a minute after documents were submitted, or at once on
 * request (`POST /sandbox/registrations/{ref}/review`), and reports changes by signed webhook.
 */
import { sql } from 'kysely';
import { z } from 'zod';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../platform/context.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { jobKind } from '../../platform/job-kind.ts';
import { runJob } from '../../platform/jobs.ts';
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

// The system role: the simulated carrier’s own tables have no company.

/** How long a review takes (A13). */
const reviewSeconds = 60;
interface Row {
  id: number;
  documents: RegistrationDocuments;
  state: RegistrationReport['state'];
  verdict: RegistrationReport['objections'];
  score: number | null;
  numbers: string[];
}
const refOf = (id: number) => `sbr-${id}`;
/** 0 for a ref that is not ours. */
const idOf = (ref: string) => Number(/^sbr-(\d{1,16})$/.exec(ref)?.[1] ?? 0);

/** Every call throws while the sandbox carrier is in an outage. */
export function sandboxRegistration(db: Db): RegistrationCarrier {
  return {
    name: 'sandbox',
    brandFeeCents: () => registryBrandFeeCents,
    submit: async (documents, subject, attempt) => {
      throwInOutage();
      // The reviewer opens a new file for every attempt.
      const id = await insertRegistration(db, `${subject}.${attempt}`, documents);
      return { ref: refOf(id) };
    },
    getStatus: async (ref) => {
      throwInOutage();
      const row = await rowOf(db, idOf(ref));
      return row ? presentStatus(ref, row) : null;
    },
    setNumbers: async (ref, numbers) => {
      throwInOutage();
      await sql`
        update sandbox.registration set numbers = ${JSON.stringify(numbers)}::jsonb
        where id = ${idOf(ref)}`.execute(db.unscoped);
    },
    end: async (ref) => {
      throwInOutage();
      await sql`
        update sandbox.registration set state = 'expired' where id = ${idOf(ref)}`.execute(
        db.unscoped,
      );
    },
  };
}

function throwInOutage(): void {
  if (currentFaults().outage) throw new Error('The sandbox carrier is offline.');
}

/** Returns the existing registration when this key was submitted before. */
const insertRegistration = (
  db: Db,
  key: string,
  documents: RegistrationDocuments,
): Promise<number> =>
  db.systemTransaction(async (tx) => {
    const inserted = await sql<{ id: number }>`
      insert into sandbox.registration (key, kind, documents, numbers)
      values (${key}, ${documents.kind}, ${JSON.stringify(documents)}::jsonb,
        ${JSON.stringify(documents.numbers)}::jsonb)
      on conflict (key) do nothing returning id`.execute(tx);
    const [row] = inserted.rows;
    if (row) {
      await queueJob(tx, 'sandbox.review', row.id, reviewSeconds);
      return row.id;
    }
    const existing = await sql<{ id: number }>`
      select id from sandbox.registration where key = ${key}`.execute(tx);
    return existing.rows[0]!.id; // The insert found it.
  });

const presentStatus = (ref: string, row: Row): RegistrationReport => ({
  ref,
  state: row.state,
  brandScore: row.score,
  objections: row.verdict,
  numbers: row.numbers.map((number) => ({
    number,
    state: row.state === 'approved' ? 'approved' : 'asked',
    reason: null,
  })),
});

const ChangedBody = z.object({ refs: z.array(z.string()) });
/** Receives the refs of registrations that changed. */
export const registrationWebhook = (secret: string): CarrierWebhook => ({
  path: '/carriers/sandbox/registrations',
  handle: async ({ body, headers }, sink) => {
    if (!isSignedBy(secret, body, headers)) return { status: 403 };
    const changed = ChangedBody.safeParse(parseJson(body));
    if (changed.success) await sink.onRegistrationChanges(changed.data.refs);
    return { status: 204 };
  },
});
const rowOf = async (db: Db, id: number) =>
  (
    await sql<Row>`select id, documents, state, verdict, score, numbers
      from sandbox.registration where id = ${id}`.execute(db.unscoped)
  ).rows[0];
const queueJob = (
  tx: Tx,
  name: 'sandbox.review' | 'sandbox.reportReview',
  registrationId: number,
  afterSeconds: number,
) =>
  sql`select enqueue_job(${name}, ${JSON.stringify({ registrationId })}::json, null,
      clock_timestamp() + make_interval(secs => ${afterSeconds}), 25, null, null)`.execute(tx);

/** Decides once, and notifies the customer. An earlier decision or end stays. */
async function review(
  services: Pick<Services, 'db' | 'settings'>,
  registrationId: number,
): Promise<void> {
  const row = await rowOf(services.db, registrationId);
  if (row?.state === 'in_review') {
    const verdict = reviewVerdict(row.documents);
    await sql`update sandbox.registration
      set state = ${verdict.state}, verdict = ${JSON.stringify(verdict.objections)}::jsonb,
      score = ${verdict.score}, decided_at = clock_timestamp()
      where id = ${registrationId} and state = 'in_review'`.execute(services.db.unscoped);
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
      queueJob(tx, 'sandbox.reportReview', registrationId, 2),
    );
}

const registrationPayload = z.object({ registrationId: z.number() }).loose();
export const jobs = [
  runJob(
    jobKind('sandbox.review', registrationPayload, {
      queue: 'default',
      timeoutSeconds: 60,
      overlap: 'allowed',
      retries: 24,
    }),
    (ctx, { registrationId }) => review(ctx as unknown as Services, registrationId),
  ),
  runJob(
    jobKind('sandbox.reportReview', registrationPayload, {
      queue: 'default',
      timeoutSeconds: 60,
      overlap: 'allowed',
      retries: 24,
    }),
    (ctx, { registrationId }) => notifyCustomer(ctx as unknown as Services, registrationId),
  ),
];

/** Lists registrations, and lets the reviewer decide now. */
export const sandboxRegistrationRoutes =
  (services: Services) =>
  async (app: FastifyInstance): Promise<void> => {
    app.get('/sandbox/registrations', async () => {
      const { rows } = await sql<
        Row & { key: string; at: Date }
      >`select id, key, documents, state, at
        from sandbox.registration order by id desc limit 100`.execute(services.db.unscoped);
      return {
        data: rows.map((r) => ({
          ref: refOf(r.id),
          key: r.key,
          kind: r.documents.kind,
          brand: r.documents.brand.legalName,
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
        const reviewed = await rowOf(services.db, id);
        if (!reviewed) return reply.callNotFound();
        return { data: { ref: request.params.ref, state: reviewed.state } };
      },
    );
  };
