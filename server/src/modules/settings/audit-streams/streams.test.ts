import { createHmac } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { auditStreams as contract, companies } from '#contract';
import type { LogBucket, SinkResult } from '../../../gateways/log-sinks.ts';
import type { Mail } from '../../../gateways/mail.ts';
import { systemCtx } from '../../../platform/context.ts';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { jobs } from './jobs.ts';

interface Post {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}
const posts: Post[] = [];
const objects = new Map<string, { bucket: LogBucket; body: string }>();
const sent: Mail[] = [];
let answer: SinkResult = { ok: true };
const app = await createTestApp({
  clock: 'still',
  env: { CODES_PER_HOUR: '1000' },
  ports: {
    logSinks: {
      name: 'test',
      post: (url, headers, body) => {
        posts.push({ url, headers, body });
        return Promise.resolve(answer);
      },
      put: (bucket, key, body) => {
        if (answer.ok) objects.set(key, { bucket, body });
        return Promise.resolve(answer);
      },
    },
    mail: { name: 'test', send: (mail) => Promise.resolve(void sent.push(mail)) },
  },
});
beforeEach(async () => {
  // Those of the tests before would be due as well.
  await app.services.db.pool.query('delete from audit_stream');
  posts.length = 0;
  objects.clear();
  sent.length = 0;
  answer = { ok: true };
});

const query = (text: string, values: unknown[]) => app.services.db.pool.query(text, values);
const paramsOf = ({ companyId }: TestPerson) => ({ params: { companyId } });
const write = (companyId: number, subject: string, actorId: number | null = null) =>
  query(
    `insert into audit_log (company_id, at, actor_id, actor_kind, action, subject)
      values ($1, $2, $3, 'user', 'user.updated', $4)`,
    [companyId, app.clock.value, actorId, subject],
  );
const feed = async (who: TestPerson, after?: string, limit?: number) =>
  (
    await app.as(who).request(contract.readAuditFeed, {
      ...paramsOf(who),
      query: { ...(after && { after }), ...(limit && { limit }) },
    })
  ).body;
const webhook = { kind: 'webhook', url: 'https://logs.example/in' } as const;
const create = (
  who: TestPerson,
  target: object = webhook,
  from_beginning = true,
  of: TestPerson = who,
) =>
  app.as(who).request(contract.createAuditStream, {
    ...paramsOf(of),
    body: { target: target as typeof webhook, from_beginning },
  });
const streams = async (who: TestPerson) =>
  (await app.as(who).request(contract.listAuditStreams, paramsOf(who))).body.data;
/** Moves the clock and runs what the clock starts. */
async function later(minutes: number): Promise<void> {
  app.clock.advance(minutes * 60);
  const start = jobs.find(({ name }) => name === 'settings.streamAudit');
  await start?.handler(systemCtx(app.services, 0, app.notifier), {}, { number: 1, last: false });
  await app.drainJobs();
}
const entriesOf = ({ body }: Post): { id: number; subject: string }[] => JSON.parse(body).entries;

test('the feed skips nothing and repeats nothing while transactions end out of order', async () => {
  const { owner } = await app.createCompany();
  const { companyId } = owner;
  const { meta } = await feed(owner);
  // Begun first and written first, committed last.
  const slow = await app.services.db.pool.connect();
  await slow.query('begin');
  await slow.query(
    `insert into audit_log (company_id, at, actor_kind, action, subject)
      values ($1, $2, 'user', 'user.updated', 'user:1')`,
    [companyId, app.clock.value],
  );
  await write(companyId, 'user:2');
  const first = await feed(owner, meta.next_cursor);
  expect(first.data.map(({ subject }) => subject)).toEqual(['user:2']);
  await slow.query('commit');
  slow.release();
  await write(companyId, 'user:3');
  const second = await feed(owner, first.meta.next_cursor);
  expect(second.data.map(({ subject }) => subject).sort()).toEqual(['user:1', 'user:3']);
  expect((await feed(owner, second.meta.next_cursor)).data).toEqual([]);
});

test('pages written at the same time by many are read whole, each entry once', async () => {
  const { owner } = await app.createCompany();
  let { next_cursor: cursor } = (await feed(owner)).meta;
  const seen: string[] = [];
  const subjects = Array.from({ length: 120 }, (_, at) => `user:${at + 1}`);
  const writing = Promise.all(subjects.map((subject) => write(owner.companyId, subject)));
  let isWritten = false;
  void writing.then(() => (isWritten = true));
  for (;;) {
    const wasWritten = isWritten;
    const page = await feed(owner, cursor, 7);
    seen.push(...page.data.map(({ subject }) => subject));
    cursor = page.meta.next_cursor;
    if (wasWritten && !page.meta.has_more) break;
  }
  expect(seen).toHaveLength(subjects.length);
  expect(new Set(seen)).toEqual(new Set(subjects));
});

test('another company’s log isn’t read or streamed, and users get their own entries', async () => {
  const [{ owner }, other] = [await app.createCompany(), await app.createCompany()];
  const user = await app.createPerson(owner.companyId, 'user');
  await write(owner.companyId, 'user:77', user.id);
  await write(owner.companyId, 'user:78', owner.id);
  expect((await feed(user)).data.map(({ subject }) => subject)).toEqual(['user:77']);
  const foreign = await app.as(other.owner).request(contract.readAuditFeed, paramsOf(owner));
  expect(foreign.status).toBe(404);
  expect((await create(other.owner, webhook, true, owner)).status).toBe(404);
  expect((await create(user)).status).toBe(403);

  const { body } = await create(owner);
  await app.drainJobs();
  const companyIds = posts.map((post) => JSON.parse(post.body).company_id);
  expect(new Set(companyIds)).toEqual(new Set([owner.companyId]));
  expect(await streams(other.owner)).toEqual([]);
  const params = { companyId: other.owner.companyId, streamId: body.data.stream.id };
  expect((await app.as(other.owner).request(contract.deleteAuditStream, { params })).status).toBe(
    404,
  );
});

test('a webhook gets signed entries as they come; its secret is shown once', async () => {
  const { owner } = await app.createCompany();
  await write(owner.companyId, 'user:1');
  const { body } = await create(owner);
  const secret = body.data.signing_secret ?? '';
  await app.drainJobs();
  await later(1);
  await write(owner.companyId, 'user:2');
  await later(1);
  const subjects = posts.flatMap(entriesOf).map(({ subject }) => subject);
  expect(subjects).toContain('user:1');
  expect(subjects.at(-1)).toBe('user:2');
  // The setting itself is in the log, without the secret.
  expect(subjects).toContain(`audit_stream:${body.data.stream.id}`);
  expect(JSON.stringify([posts, await streams(owner)])).not.toContain(secret);
  for (const { headers, body: text } of posts) {
    const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = headers;
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    expect(signature).toBe(
      `v1,${createHmac('sha256', key).update(`${id}.${at}.${text}`).digest('base64')}`,
    );
  }
  expect((await streams(owner))[0]).toMatchObject({ state: 'active', waiting: 0, failures: 0 });
});

test('what a receiver refuses is repeated unchanged, later each time, until it is taken', async () => {
  const { owner } = await app.createCompany();
  await write(owner.companyId, 'user:1');
  answer = { ok: false, error: 'The receiver answered with status 503.' };
  await create(owner);
  await app.drainJobs();
  await write(owner.companyId, 'user:2');
  await later(0.4); // Too early.
  expect(posts).toHaveLength(1);
  await later(0.2);
  expect((await streams(owner))[0]).toMatchObject({
    failures: 2,
    last_error: 'The receiver answered with status 503.',
    state: 'active',
  });
  answer = { ok: true };
  await later(2);
  const [first, second, third, fourth] = posts;
  expect(second?.body).toBe(first?.body);
  expect(third?.body).toBe(first?.body);
  expect(third?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  // What came meanwhile follows in a batch of its own.
  expect(fourth && entriesOf(fourth).map(({ subject }) => subject)).toEqual(['user:2']);
  const ids = [third, fourth].flatMap((post) => (post ? entriesOf(post) : [])).map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect((await streams(owner))[0]).toMatchObject({ failures: 0, last_error: null, waiting: 0 });
});

test('after a day of failures a stream is paused with a notice, and goes on where it stopped', async () => {
  const { owner } = await app.createCompany();
  await write(owner.companyId, 'user:1');
  answer = { ok: false, error: 'The receiver answered with status 500.' };
  const { body } = await create(owner);
  await app.drainJobs();
  for (let hour = 0; hour < 25; hour++) await later(61);
  expect((await streams(owner))[0]).toMatchObject({ state: 'paused', paused_because: 'failing' });
  const tries = posts.length;
  await later(600);
  expect(posts).toHaveLength(tries);
  expect(sent.filter(({ subject }) => subject.includes('paused'))).toHaveLength(1);
  const { rows } = await query(
    `select actor_kind from audit_log where company_id = $1 and action = 'audit_stream.paused'`,
    [owner.companyId],
  );
  expect(rows).toHaveLength(1);

  answer = { ok: true };
  await app.as(owner).request(contract.setAuditStreamState, {
    params: { companyId: owner.companyId, streamId: body.data.stream.id },
    body: { state: 'active' },
  });
  await app.drainJobs();
  const taken = posts.slice(tries).flatMap(entriesOf);
  expect(taken[0]?.id).toBe(posts[0] && entriesOf(posts[0])[0]?.id);
  expect((await streams(owner))[0]).toMatchObject({ state: 'active', waiting: 0 });
});

test('a bucket gets JSON lines under ordered names; its secret is stored sealed', async () => {
  const { owner } = await app.createCompany();
  await write(owner.companyId, 'user:1');
  const target = {
    kind: 's3',
    bucket: 'harbor-logs',
    region: 'eu-central-1',
    prefix: 'audit/',
    access_key_id: 'AKIAHARBOR',
    secret_access_key: 'very-secret-key',
  };
  const { body } = await create(owner, target);
  expect(body.data.signing_secret).toBeNull();
  await app.drainJobs();
  const [[key, object] = []] = objects;
  expect(key).toMatch(new RegExp(`^audit/${owner.companyId}/\\d{12}-\\d{12}\\.jsonl$`));
  expect(object?.bucket).toMatchObject({ endpoint: null, secretAccessKey: 'very-secret-key' });
  const lines = (object?.body ?? '')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ subject }) => subject)).toContain('user:1');
  const { rows } = await query('select target, secret_sealed from audit_stream where id = $1', [
    body.data.stream.id,
  ]);
  expect(JSON.stringify(rows)).not.toContain('very-secret-key');
});

test('a stream from now on sends only what follows; there are five at most', async () => {
  const { owner } = await app.createCompany();
  await write(owner.companyId, 'user:1');
  for (let n = 0; n < 5; n++) expect((await create(owner, webhook, false)).status).toBe(201);
  expect(await create(owner)).toMatchObject({
    status: 409,
    body: { code: 'audit_stream.too_many' },
  });
  await app.drainJobs();
  expect(posts.flatMap(entriesOf).map(({ subject }) => subject)).not.toContain('user:1');
});

test('nothing is streamed while the audit log is turned off or the company is gone', async () => {
  const { owner } = await app.createCompany();
  await create(owner);
  await app.drainJobs();
  posts.length = 0;
  await query(
    `update company set settings = settings || '{"feature.audit-log": false}' where id = $1`,
    [owner.companyId],
  );
  await write(owner.companyId, 'user:1');
  await later(1);
  expect(posts).toEqual([]);
  const shown = await app.as(owner).request(companies.getCompany, {
    params: { id: owner.companyId },
  });
  expect(shown.status).toBe(200);
});
