import { createServer, type IncomingHttpHeaders } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { calls, integrations, webhooks as contract, type BodyIn } from '#contract';
import { publicOutbound } from '../../../adapters/outbound/send.ts';
import type { Mail } from '../../../gateways/mail.ts';
import type { Outbound } from '../../../gateways/outbound.ts';
import { systemCtx } from '../../../platform/context.ts';
import { createCallHarness, createTestNumber } from '../../../../test/support/call-harness.ts';
import type { TestPerson } from '../../../../test/support/test-app.ts';

/** Requests as a receiver gets them; it answers with `status`. */
const posts: { headers: IncomingHttpHeaders; body: string; path: string; at: Date }[] = [];
let status = 200;
const receiver = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    posts.push({
      ...{ headers: request.headers, body, path: request.url ?? '' },
      at: new Date(app.clock.value),
    });
    response.writeHead(status).end('Seen by +12125550147');
  });
});
const mails: Mail[] = [];
const gateways: { outbound?: Outbound } = {};
const {
  world: app,
  aCall,
  said: notifier,
} = await createCallHarness({
  env: { CODES_PER_HOUR: '1000' },
  ports: {
    mail: { name: 'smtp', send: (mail) => Promise.resolve(void mails.push(mail)) },
    outbound: { name: 'public', send: (request) => gateways.outbound!.send(request) },
  },
});
let url = '';
beforeAll(async () => {
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const port = String((receiver.address() as AddressInfo).port);
  url = `https://crm.example:${port}/hooks?key=s3same`;
  const outbound = publicOutbound({
    resolve: () => Promise.resolve(['127.0.0.1']),
    isPublic: () => true,
    ports: ['', port],
  });
  // The receiver of the test speaks no TLS.
  gateways.outbound = {
    name: 'public',
    send: (request) => outbound.send({ ...request, url: request.url.replace('https:', 'http:') }),
  };
});
afterAll(() => void receiver.close());
beforeEach(() => {
  posts.length = 0;
  mails.length = 0;
  status = 200;
});

type Body = BodyIn<typeof contract.createWebhook>;
const bodyOf = (more: Partial<Body> = {}): Body => ({
  name: 'Our CRM',
  url,
  rules: [{ event: 'call.missed' }, { event: 'qualified' }, { event: 'outcome_tag' }],
  ...more,
});
const create = async (who: TestPerson, more: Partial<Body> = {}) => {
  const answer = await app.as(who).request(contract.createWebhook, {
    params: { companyId: who.companyId },
    body: bodyOf(more),
  });
  expect(answer.status).toBe(201);
  return { ...answer.body.data.webhook, secret: answer.body.data.signing_secret };
};
const list = async (who: TestPerson) =>
  (await app.as(who).request(contract.listWebhooks, { params: { companyId: who.companyId } })).body
    .data;
const deliveries = async (who: TestPerson, destinationId: number) =>
  (
    await app.as(who).request(integrations.listDeliveries, {
      params: { companyId: who.companyId, destinationId },
    })
  ).body.data;

async function office() {
  const { company, owner } = await app.createCompany();
  const number = await createTestNumber(app, company.id, {
    voicemail: false,
    routes: [{ type: 'standard', to: ['+12065550199'], voicemail: false }],
  });
  return { company, owner, number };
}
async function missedCall(to: string, from = '+12125550147'): Promise<number> {
  const call = aCall(to, from);
  await call.tell(call.inbound);
  const id = await call.id();
  app.clock.advance(12);
  await call.says(call.leg, { type: 'legEnded', cause: 'hangup' });
  await app.drainJobs();
  return id;
}
async function change(who: TestPerson, id: number, body: BodyIn<typeof calls.updateCall>) {
  await app.as(who).request(calls.updateCall, { params: { id }, body });
  await app.drainJobs();
}
/** Moves the clock and waits for what is due by then. */
async function later(minutes: number): Promise<void> {
  app.clock.advance(minutes * 60);
  await app.drainJobs();
}
/** What a receiver's own library reads as it arrives; throws when it doubts. */
function read(secret: string, post: (typeof posts)[number]) {
  vi.useFakeTimers({ toFake: ['Date'], now: post.at });
  try {
    return new Webhook(secret).verify(post.body, post.headers as Record<string, string>) as {
      type: string;
      data: Record<string, unknown>;
    };
  } finally {
    vi.useRealTimers();
  }
}
const typesOf = (id: number): string[] =>
  posts.flatMap(({ body }) => {
    const { type, data } = JSON.parse(body) as { type: string; data: { id: number } };
    return data.id === id ? [type] : [];
  });
const turn = (who: TestPerson, id: number, on: 'active' | 'inactive') =>
  app.as(who).request(contract.updateWebhook, {
    params: { companyId: who.companyId, id },
    body: bodyOf({ status: on }),
  });

test('a missed call arrives signed, verified by a reader of the convention; its secret is shown once', async () => {
  const { owner, number } = await office();
  const { secret, id } = await create(owner);
  const callId = await missedCall(number.number);
  expect(posts).toHaveLength(1);
  const said = read(secret, posts[0]!);
  expect(said).toMatchObject({
    type: 'call.missed',
    data: { object: 'call', id: callId, party: '+12125550147', direction: 'inbound' },
  });
  expect(() => read(`whsec_${Buffer.alloc(32).toString('base64')}`, posts[0]!)).toThrow();
  expect(() => read(secret, { ...posts[0]!, body: `${posts[0]!.body} ` })).toThrow();
  expect(posts[0]?.path).toBe('/hooks?key=s3same');
  const [delivery] = await deliveries(owner, id);
  const { body } = await app.as(owner).request(integrations.getDelivery, {
    params: { companyId: owner.companyId, deliveryId: delivery!.id },
  });
  expect(body.data).toMatchObject({ state: 'sent', tries: [{ response_code: 200, error: null }] });
  expect(posts[0]?.headers['webhook-id']).toBe(`msg_${delivery!.id}`);
  const all = JSON.stringify([body, await list(owner)]);
  expect(all).not.toContain(secret);
  expect(JSON.stringify(body)).not.toMatch(/5550147|s3same|v1,/);
  const { rows } = await app.services.db.pool.query(
    `select coalesce(string_agg(a::text, ''), '') || coalesce((select string_agg(d::text, '') from destination d), '') as said
      from audit_log a where company_id = $1`,
    [owner.companyId],
  );
  expect(rows[0].said).not.toContain(secret.slice(6));
});

test('an endpoint that was down for an hour gets all its events, those of a call in their order', async () => {
  const { owner, number } = await office();
  const { id, secret } = await create(owner);
  status = 503;
  const ids: number[] = [];
  for (let n = 0; n < 4; n++) {
    const call = await missedCall(number.number, `+1212555016${n}`);
    ids.push(call);
    await change(owner, call, { qualified: 1 });
    await change(owner, call, { outcome_tags: ['opportunity'] });
    await later(10);
  }
  // Only the first of each call is tried while it is down.
  expect(new Set(posts.map(({ body }) => (JSON.parse(body) as { type: string }).type))).toEqual(
    new Set(['call.missed']),
  );
  await later(20);
  posts.length = 0;
  status = 200;
  for (let n = 0; n < 4; n++) await later(20);
  for (const call of ids)
    expect(typesOf(call)).toEqual(['call.missed', 'qualified', 'outcome_tag']);
  expect(posts).toHaveLength(12);
  expect(new Set(posts.map(({ headers }) => headers['webhook-id'])).size).toBe(12);
  expect(read(secret, posts.at(-1)!).type).toBeTruthy();
  expect((await list(owner))[0]).toMatchObject({ id, last_error: null, failing_since: null });
});

test('a repeated try keeps its ID, and one that is given up lets the next ones go on', async () => {
  const { owner, number } = await office();
  const { id } = await create(owner);
  status = 410;
  const call = await missedCall(number.number);
  status = 500;
  await change(owner, call, { qualified: 1 });
  status = 200;
  await later(2);
  expect(typesOf(call)).toEqual(['call.missed', 'qualified', 'qualified']);
  expect(posts[1]?.headers['webhook-id']).toBe(posts[2]?.headers['webhook-id']);
  expect((await deliveries(owner, id)).map(({ state }) => state).toSorted()).toEqual([
    'dead',
    'sent',
  ]);
});

test('a new secret signs along with the old one until that ends', async () => {
  const { owner, number } = await office();
  const { id, secret: old } = await create(owner);
  const rotate = async () =>
    (
      await app.as(owner).request(contract.rotateWebhookSecret, {
        params: { companyId: owner.companyId, id },
        body: { overlap_hours: 2 },
      })
    ).body.data;
  const { signing_secret: fresh, old_secret_until } = await rotate();
  expect(old_secret_until).not.toBeNull();
  await missedCall(number.number);
  for (const secret of [old, fresh]) expect(read(secret, posts[0]!).type).toBe('call.missed');
  expect((await list(owner))[0]?.old_secret_until).toBe(old_secret_until);
  app.clock.advance(2 * 3600 + 1);
  await missedCall(number.number, '+12125550150');
  expect(() => read(old, posts[1]!)).toThrow();
  expect(read(fresh, posts[1]!).type).toBe('call.missed');
  // Replaced twice: only two sign.
  const third = await rotate();
  await rotate();
  await missedCall(number.number, '+12125550151');
  expect(() => read(fresh, posts[2]!)).toThrow();
  expect(read(third.signing_secret, posts[2]!).type).toBe('call.missed');
});

describe('an endpoint that fails for days', () => {
  test('is turned off with an email and an alert, keeps what it misses, and gets it when it is back', async () => {
    const { owner, number } = await office();
    const { id } = await create(owner, { rules: [{ event: 'call.missed' }] });
    status = 500;
    const ids = [await missedCall(number.number)];
    for (let day = 0; day < 4; day++) {
      await later(24 * 60);
      ids.push(await missedCall(number.number, `+1212555017${day}`));
    }
    expect((await list(owner))[0]).toMatchObject({ status: 'inactive', off_because: 'failing' });
    expect(mails.map(({ subject }) => subject)).toEqual(['Our CRM was turned off']);
    expect(mails[0]?.text).toContain(`/integrations/webhooks/${id}`);
    const { ruleOf } = await import('../../monitoring/rules/index.ts');
    const ctx = systemCtx(app.services, owner.companyId, notifier);
    const found = await ctx.transaction(async (t) => {
      const company = await t.tx
        .selectFrom('company')
        .selectAll()
        .where('id', '=', owner.companyId)
        .executeTakeFirstOrThrow();
      const look = { tx: t.tx, company, now: t.clock() } as never;
      return [await ruleOf.integration_error(look), await ruleOf.webhook_dead(look)];
    });
    expect(found.map(([one]) => one?.subjectId)).toEqual([id, id]);
    const missed = await missedCall(number.number, '+12125550180');
    ids.push(missed);
    status = 200;
    posts.length = 0;
    const replay = () =>
      app.as(owner).request(integrations.replayDeliveries, {
        params: { companyId: owner.companyId, destinationId: id },
        body: {
          since: new Date(app.clock.value.getTime() - 30 * 86_400_000).toISOString(),
          until: app.clock.value.toISOString(),
        },
      });
    expect((await replay()).body).toMatchObject({ code: 'integration.off' });
    const on = await turn(owner, id, 'active');
    expect(on.body.data).toMatchObject({ status: 'active', off_because: null, last_error: null });
    expect((await replay()).body.data.queued).toBeGreaterThanOrEqual(2);
    await app.drainJobs();
    await later(1);
    for (const call of ids) expect(typesOf(call)).toEqual(['call.missed']);
    expect((await replay()).body.data.queued).toBe(0);
  });

  test('a success in between starts the days again', async () => {
    const { owner, number } = await office();
    await create(owner, { rules: [{ event: 'call.missed' }] });
    for (let day = 0; day < 5; day++) {
      status = day % 2 === 0 ? 500 : 200;
      await missedCall(number.number, `+1212555017${day}`);
      await later(24 * 60);
    }
    expect((await list(owner))[0]?.status).toBe('active');
  });
});

test('a test event is marked as one, says what came back, and isn’t in the log', async () => {
  const { owner } = await office();
  const { id, secret } = await create(owner, { status: 'inactive' });
  const send = async () =>
    (
      await app.as(owner).request(contract.testWebhook, {
        params: { companyId: owner.companyId, id },
        body: { event: 'message.received' },
      })
    ).body.data;
  expect(await send()).toMatchObject({ taken: true, response_code: 200, error: null });
  expect(read(secret, posts[0]!)).toMatchObject({ type: 'message.received', test: true });
  status = 404;
  const refused = await send();
  expect(refused).toMatchObject({ taken: false, response_code: 404 });
  expect(JSON.stringify(refused)).not.toMatch(/s3same|5550147|v1,/);
  expect(await deliveries(owner, id)).toEqual([]);
});

test('the filter decides, the company’s switch stops it, and no other company reaches it', async () => {
  const [mine, theirs] = [await office(), await office()];
  const { id } = await create(mine.owner, {
    rules: [{ event: 'call.missed', number_ids: [mine.number.id], first_contact_only: true }],
  });
  await missedCall(mine.number.number);
  await missedCall(mine.number.number);
  await missedCall(theirs.number.number);
  expect(posts).toHaveLength(1);
  await app.services.db.pool.query(
    `update company set settings = settings || '{"feature.webhooks": false}' where id = $1`,
    [mine.company.id],
  );
  await missedCall(mine.number.number, '+12125550155');
  expect(posts).toHaveLength(1);
  const params = { companyId: theirs.company.id, id };
  const as = app.as(theirs.owner);
  const body = { overlap_hours: 0 };
  expect((await as.request(contract.rotateWebhookSecret, { params, body })).status).toBe(404);
  expect((await as.request(contract.deleteWebhook, { params })).status).toBe(404);
  expect((await as.request(contract.updateWebhook, { params, body: bodyOf() })).status).toBe(404);
  const tried = await as.request(contract.testWebhook, { params, body: { event: 'form' } });
  expect(tried.status).toBe(404);
  const [delivery] = await deliveries(mine.owner, id);
  const read404 = await as.request(integrations.getDelivery, {
    params: { companyId: theirs.company.id, deliveryId: delivery!.id },
  });
  expect(read404.status).toBe(404);
});

test.each([
  { url: 'http://crm.example.com' },
  { url: 'https://user:pass@crm.example.com' },
  { url: 'not an address' },
  { rules: [] },
  { name: '' },
])('refuses %o', async (wrong) => {
  const { owner } = await office();
  const answer = await app.as(owner).request(contract.createWebhook, {
    params: { companyId: owner.companyId },
    body: bodyOf(wrong),
  });
  expect(answer.status).toBe(422);
});
