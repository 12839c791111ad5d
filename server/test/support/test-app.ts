import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hash } from '@node-rs/argon2';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { afterAll, afterEach } from 'vitest';
import type { AnyEndpoint, Answer, CompanyRole, Input } from '#contract';
import { setWebhookTransport } from '../../src/adapters/sandbox/text-jobs.ts';
import { shareFaultsIn } from '../../src/adapters/sandbox/fault-injection.ts';
import { createServices, createWebServer, startWorker } from '../../src/app.ts';
import type { Services, OutboxNotifier } from '../../src/platform/context.ts';
import { createSipCredentials } from '../../src/modules/identity/index.ts';
import { insertCompany, insertMembership } from '../../src/modules/companies/index.ts';
import { listOutboxMails } from '../../src/platform/mail.ts';
import { hashToken, randomToken } from '../../src/platform/secrets.ts';
import { databaseLogins } from '../../src/platform/roles.ts';
import { readSettings } from '../../src/settings.ts';
import type { Gateways } from '../../src/gateways/index.ts';
import { createTestDatabase, dropTestDatabase } from './test-database.ts';
import { appsWithWorker } from './stop-workers.ts';

export interface TestPerson {
  id: number;
  email: string;
  token: string;
  companyId: number;
  role: string;
}
export interface TestCompany {
  id: number;
  name: string;
}
export interface TestResponse<A> {
  status: number;
  body: A;
  headers: Record<string, unknown>;
}

/** A user's client: calls an endpoint of the real server the way the shared request layer does. */
interface TestClient {
  request<E extends AnyEndpoint>(
    endpoint: E,
    input?: Input<E> & { headers?: Record<string, string> },
  ): Promise<TestResponse<Answer<E>>>;
  inject(options: InjectOptions): Promise<TestResponse<any>>; // oxlint-disable-line no-explicit-any -- whatever came back
}

export interface TestApp {
  services: Services;
  server: FastifyInstance;
  notifier: OutboxNotifier;
  clock: { value: Date; advance(seconds: number): void };
  /** Creates a company with its owner. */
  createCompany(name?: string): Promise<{ company: TestCompany; owner: TestPerson }>;
  /** Creates a user with a role in a company (no numberIds: all numbers). */
  createPerson(companyId: number, role: CompanyRole, numberIds?: number[]): Promise<TestPerson>;
  /** Platform staff in admin mode who may change things; or who only read, or haven't entered it. */
  createStaff(mode?: 'writes' | 'reads' | 'outside'): Promise<TestPerson>;
  as(person: TestPerson | null): TestClient;
  /** Test people have confirmed who they are; not this one any more, until they do it again. */
  unconfirm(person: TestPerson): Promise<unknown>;
  /**
   * Mails queued to an address, oldest first. Those written by subscribers or jobs are there after
   * `drainJobs`.
   */
  mails(
    to: string,
  ): Promise<{ to: string; subject: string; text: string; html: string; attached: string[] }[]>;
  /**
   * Runs relay, subscribers and due jobs until nothing is left. Throws when a job failed
   * permanently. `dueWithinMs`: also waits for jobs that become due within that time.
   */
  drainJobs(dueWithinMs?: number): Promise<void>;
  /** Pauses relay, subscribers and jobs until the next `drainJobs`. */
  stopJobs(): Promise<void>;
  close(): Promise<void>;
}

const PASSWORD = 'trunkline-demo';
let passwordHash: Promise<string> | null = null;

/**
 * A complete server with its own database and the sandbox's carriers. Create one per test file;
 * each test creates its own company. Time stands at `now.value` unless told to follow the clock.
 */
export async function createTestApp(
  options: {
    ports?: Partial<Gateways>;
    demo?: boolean;
    env?: Record<string, string>;
    clock?: 'real' | 'still';
  } = {},
): Promise<TestApp> {
  const given = options.env?.['DATABASE_URL'];
  const url = given ?? (await createTestDatabase());
  const dataDir = mkdtempSync(join(tmpdir(), 'trunkline-test-'));
  const settings = readSettings({
    DATABASE_URL: url,
    DATA_DIR: dataDir,
    LOG_LEVEL: process.env['TEST_LOG'] ?? 'silent',
    DEMO: options.demo ? '1' : '0',
    RATE_USER_PER_MINUTE: '1000000',
    RATE_COMPANY_PER_MINUTE: '1000000',
    CODES_PER_HOUR: '5',
    STATEMENT_SECONDS: '60',
    BILLING: 'sandbox',
    ...options.env,
  });
  let offsetMs = 0;
  const frozenAt = options.clock === 'still' ? new Date() : null;
  const now = {
    get value() {
      return new Date((frozenAt ?? new Date()).getTime() + offsetMs);
    },
    set value(at: Date) {
      offsetMs += at.getTime() - this.value.getTime();
    },
    advance(seconds: number) {
      offsetMs += seconds * 1000;
    },
  };
  // On a busy machine many requests wait for a connection at once; all must be answered.
  const services = await createServices(settings, 'test', {
    now: () => now.value,
    databaseWaitMs: 30_000,
    logins: await databaseLogins(url, settings.appSecret),
    ...(options.ports ? { gateways: options.ports } : {}),
  });
  const app = await createWebServer(services);
  await app.ready();
  // No port is listening here: the sandbox delivers its webhooks directly.
  setWebhookTransport(
    async (_, path, body, headers) =>
      (await app.inject({ method: 'POST', url: path, payload: body, headers })).statusCode < 300,
  );
  let worker: ReturnType<typeof startWorker> | null = null;
  let counter = 0;

  const addPerson = async (
    role: string,
    companyId: number,
    numberIds: number[],
    staff = false,
  ): Promise<TestPerson> => {
    const email = `${role}${++counter}.${companyId}@people.test`;
    const token = randomToken('tla');
    const cookie = randomToken('tls');
    passwordHash ??= hash(PASSWORD);
    return services.db.systemTransaction(async (tx) => {
      // Written directly: hashing a password for every test user would take most of a run's time.
      const person = await tx
        .insertInto('person')
        .values({
          email,
          password_hash: await passwordHash!,
          first_name: role,
          last_name: String(counter),
          is_staff: staff,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await createSipCredentials(tx, settings.appSecrets, person, 'test');
      if (companyId)
        await insertMembership(tx, {
          company_id: companyId,
          user_id: person.id,
          role,
          number_ids: numberIds,
        });
      const at = now.value;
      await tx
        .insertInto('session')
        .values({
          person_id: person.id,
          // Devices stay signed in while a test moves the clock; browsers would be idle for too long.
          kind: 'device',
          access_hash: hashToken(token),
          cookie_hash: hashToken(cookie),
          access_expires_at: new Date(at.getTime() + 400 * 86_400_000),
          refresh_expires_at: new Date(at.getTime() + 400 * 86_400_000),
          admin_mode: staff,
          // However far a test moves the clock; tests of confirmation itself take it away.
          confirmed_at: new Date(at.getTime() + 400 * 86_400_000),
          last_seen_at: at,
          created_at: at,
        })
        .execute();
      return { id: person.id, email, token, companyId, role };
    });
  };

  const testApp: TestApp = {
    services,
    server: app,
    notifier: app.notifier,
    clock: now,
    createCompany: async (name = `Company ${++counter}`) => {
      const company = await services.db.systemTransaction((tx) =>
        insertCompany(tx, { name, timezone: 'America/New_York', created_at: now.value }),
      );
      return { company: { id: company.id, name }, owner: await addPerson('owner', company.id, []) };
    },
    createPerson: (companyId, role, numberIds = []) => addPerson(role, companyId, numberIds),
    unconfirm: (person) =>
      services.db.pool.query('update session set confirmed_at = null where person_id = $1', [
        person.id,
      ]),
    createStaff: async (mode = 'writes') => {
      const staff = await addPerson('staff', 0, [], true);
      if (mode === 'outside') return staff;
      await services.db.pool.query(
        `insert into admin_entry (person_id, family, reason, entered_at, ends_at, writes_at)
          select person_id, family, 'Test of admin mode', $2::timestamptz, $2::timestamptz + interval '400 days', $3::timestamptz
          from session where person_id = $1`,
        [staff.id, now.value, mode === 'writes' ? now.value : null],
      );
      return staff;
    },
    as: (person) => ({
      request: async (endpoint, input) => {
        const said = (input ?? {}) as {
          params?: Record<string, unknown>;
          query?: Record<string, unknown>;
          body?: unknown;
          headers?: Record<string, string>;
        };
        const path = endpoint.path.replace(/\{(\w+)\}/g, (_, key: string) =>
          encodeURIComponent(
            String(
              said.params?.[key] ??
                (key === 'companyId' || (key === 'id' && endpoint.path.startsWith('/company/'))
                  ? person?.companyId
                  : ''),
            ),
          ),
        );
        const query = new URLSearchParams();
        for (const [key, value] of Object.entries(said.query ?? {})) {
          if (value === null || value === undefined) continue;
          if (Array.isArray(value))
            for (const v of value)
              query.append(`${key}[]`, typeof v === 'object' ? JSON.stringify(v) : String(v));
          else query.append(key, typeof value === 'object' ? JSON.stringify(value) : String(value));
        }
        if (
          endpoint.company === 'given' &&
          person?.companyId &&
          !query.has('companyId') &&
          !query.has('company_id')
        )
          query.set('companyId', String(person.companyId));
        return testApp.as(person).inject({
          method: endpoint.method,
          url: `/api${path}${query.size ? `?${query}` : ''}`,
          ...(said.body === undefined ? {} : { payload: said.body as object }),
          headers: said.headers ?? {},
        });
      },
      inject: async (request) => {
        const answer = await app.inject({
          ...request,
          headers: {
            ...(person ? { authorization: `Bearer ${person.token}` } : {}),
            ...request.headers,
          },
        });
        const text = answer.body;
        let body: unknown = text;
        try {
          body = text ? JSON.parse(text) : null;
        } catch {
          /* not JSON: keep the text */
        }
        return { status: answer.statusCode, body: body, headers: answer.headers };
      },
    }),
    mails: async (to) => (await listOutboxMails(services.db, settings.appSecrets, to)).reverse(),
    drainJobs: async (dueWithinMs = 0) => {
      appsWithWorker.add(testApp);
      const running = await (worker ??= startWorker(services, { isClockOn: false }));
      // One statement, so one snapshot: between two, work could move from a job to the outbox
      // unseen. A locked job runs, also one in its last attempt.
      const isIdle = async () =>
        (
          await owner.query<{ left: number }>(
            `select (select count(*) from outbox
              where seq is null)::int + (select count(*) from ordered_event)::int
        + (select count(*) from delivery d where d.state in ('queued', 'failed')
          and d.next_try_at <= $2 and (d.claimed_until is null or d.claimed_until < $2)
          and not exists (select from delivery b where b.company_id = d.company_id
            and b.destination_id = d.destination_id and b.order_key = d.order_key
            and b.state in ('queued', 'failed')
            and (b.event_seq, b.id) < (d.event_seq, d.id)))::int + (select count(*) from graphile_worker._private_jobs
        where run_at <= clock_timestamp() + $1 * interval '1 ms'
          and (locked_at is not null or attempts < max_attempts
            and (attempts = 0 or last_error is null)))::int as left`,
            [dueWithinMs, services.now()],
          )
        ).rows[0]!.left === 0 && !running.isDelivering();
      const until = Date.now() + 45_000;
      for (let idleChecks = 0; idleChecks < 2;) {
        if (Date.now() > until)
          throw new Error(`the world did not settle: ${JSON.stringify(await failedJobs())}`);
        idleChecks = (await isIdle()) ? idleChecks + 1 : 0;
        await new Promise((resolve) => setTimeout(resolve, 15));
      }
      const failed = await failedJobs();
      if (failed.length) throw new Error(`jobs failed: ${JSON.stringify(failed)}`);
    },
    stopJobs: async () => {
      appsWithWorker.delete(testApp);
      await (await worker)?.stop();
      worker = null;
    },
    close: async () => {
      await testApp.stopJobs();
      await app.close();
      await (services as Services & { close(): Promise<void> }).close();
      await owner?.end().catch(() => {});
      if (given === undefined) await dropTestDatabase(url);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };

  // The queue's tables belong to the owner, so the owner's connection reads them.
  const { default: pg } = await import('pg');
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  owner.on('error', () => {});
  const failedJobs = async () =>
    (
      await owner.query(
        `select t.identifier, j.last_error from graphile_worker._private_jobs j
          join graphile_worker._private_tasks t on t.id = j.task_id where j.last_error is not null
          -- The clock's: it came while a test held what it waits for, and is tried again.
          and not (j.last_error like '%lock timeout%' and j.payload::jsonb ? '_cron'
            and j.attempts < j.max_attempts)`,
      )
    ).rows;
  afterEach(async ({ task }) => {
    if (task.result?.state !== 'fail') return;
    const { rows } = await owner
      .query(`select t.identifier, j.attempts, j.run_at, j.locked_at,
        left(j.last_error, 300) as error, left(j.payload::text, 200) as payload
      from graphile_worker._private_jobs j
        join graphile_worker._private_tasks t on t.id = j.task_id order by j.id desc limit 10`)
      .catch((error: unknown) => ({ rows: [String(error)] }));
    (task.meta.pages ??= []).push(
      `the world’s clock ${now.value.toISOString()}, the machine’s ${new Date().toISOString()}, jobs left: ${JSON.stringify(rows)}`,
    );
  });
  afterAll(async () => {
    await testApp.close();
    // What this app's carrier was made to do is no business of the next file's exchange.
    shareFaultsIn(null);
  });
  return testApp;
}
