import Echo from 'laravel-echo';
import pg from 'pg';
import io from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { companies, identity } from '#contract';
import { createTestApp, type TestPerson } from '../../test/support/test-app.ts';
import { tokenOf } from '../../test/support/token-of.ts';

const app = await createTestApp();
let address: string;
beforeAll(async () => {
  address = await app.server.listen({ port: 0, host: '127.0.0.1' });
  await app.drainJobs();
});
const open: { disconnect(): void }[] = [];
afterAll(() => open.forEach((e) => e.disconnect()));

/** A stock laravel-echo client with its socket.io connector. */
function echoOf(person: TestPerson) {
  const echo = new Echo<'socket.io'>({
    broadcaster: 'socket.io',
    client: io,
    host: address,
    transports: ['websocket'],
    auth: { headers: { Authorization: `Bearer ${person.token}` } },
    bearerToken: person.token,
  });
  open.push(echo);
  return echo;
}
/** A raw socket.io client with the given `auth`. */
const socketOf = (auth: Record<string, unknown>, to = address) => {
  const socket = io(to, { transports: ['websocket'], auth, reconnection: false, forceNew: true });
  open.push(socket);
  return socket;
};
const enters = (socket: ReturnType<typeof io>, channel: string, token?: string) =>
  socket.emitWithAck('subscribe', {
    channel,
    ...(token ? { auth: { headers: { Authorization: `Bearer ${token}` } } } : {}),
  }) as Promise<{ ok: boolean }>;
const closes = (socket: ReturnType<typeof io>) =>
  new Promise<string>((resolve) => {
    socket.once('disconnect', resolve);
  });
const next = <T>(within = 30_000) => {
  let resolve!: (v: T) => void;
  const promise = new Promise<T>((r, reject) => {
    resolve = r;
    setTimeout(() => reject(new Error('nothing heard')), within);
  });
  return { promise, hear: resolve };
};
const rename = (owner: TestPerson, name: string) =>
  app
    .as(owner)
    .request(companies.updateCompany, { params: { id: owner.companyId }, body: { name } });
const subscribed = (echo: ReturnType<typeof echoOf>, channel: string) =>
  new Promise<boolean>((resolve) => {
    const socket = (
      echo.connector as unknown as { socket: { on(e: string, f: (c: string) => void): void } }
    ).socket;
    socket.on('subscription_succeeded', (c) => c === channel && resolve(true));
    socket.on('subscription_error', (c) => c === channel && resolve(false));
  });

describe('live events', () => {
  test('a stock laravel-echo client receives its company’s events in A27’s envelope', async () => {
    const { owner, company } = await app.createCompany();
    const echo = echoOf(owner);
    const heard = next<Record<string, unknown>>();
    const ready = subscribed(echo, `private-companies.${company.id}`);
    echo.private(`companies.${company.id}`).listen('.company.changed', heard.hear);
    expect(await ready).toBe(true);
    await rename(owner, 'Heard');
    const said = await heard.promise;
    expect(said).toMatchObject({
      event: 'company.changed',
      companyId: company.id,
      seq: expect.any(Number),
      data: { companyId: company.id },
    });
    // A ULID holds the time in its first ten characters.
    const moment = [...String(said['id']).slice(0, 10)].reduce(
      (n, letter) => n * 32 + '0123456789ABCDEFGHJKMNPQRSTVWXYZ'.indexOf(letter),
      0,
    );
    expect([said['id'], new Date(moment).toISOString()]).toEqual([
      expect.stringMatching(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/),
      said['at'],
    ]);
  });

  test('an unauthenticated client is refused the channel and receives nothing', async () => {
    const { owner, company } = await app.createCompany();
    const other = await app.createCompany();
    const echo = echoOf(other.owner);
    const ready = subscribed(echo, `private-companies.${company.id}`);
    let heard = 0;
    echo.private(`companies.${company.id}`).listen('.company.changed', () => {
      heard++;
    });
    expect(await ready).toBe(false);
    await rename(owner, 'Unheard');
    await app.drainJobs();
    expect(heard).toBe(0);
    expect(
      (
        await app.as(other.owner).request(companies.authorizeChannel, {
          body: { channel_name: `private-companies.${company.id}` },
        })
      ).status,
    ).toBe(403);
    expect(
      (
        await app.as(owner).request(companies.authorizeChannel, {
          body: { channel_name: `private-companies.${company.id}` },
        })
      ).status,
    ).toBe(200);
  });

  test('events missed while disconnected are replayed in order; a client that was away too long must resync', async () => {
    const { owner, company } = await app.createCompany();
    const channel = `private-companies.${company.id}`;
    const listener = async () => {
      const socket = io(address, { transports: ['websocket'], auth: { token: owner.token } });
      open.push(socket);
      const seen: number[] = [];
      socket.on('company.changed', (c: string, e: { seq: number }) => {
        if (c === channel) seen.push(e.seq);
      });
      const join = () =>
        new Promise<void>((resolve) => {
          socket.once('subscription_succeeded', () => resolve());
          socket.emit('subscribe', { channel });
        });
      await join();
      return { socket, seen, join };
    };
    const { socket, seen, join } = await listener();
    const stays = await listener();
    await rename(owner, 'One');
    await expect.poll(() => seen.length).toBe(1);
    socket.disconnect();
    for (const name of ['Two', 'Three', 'Four']) await rename(owner, name);
    // The connected client has received everything: what the other one gets from here on is
    // replayed.
    await expect.poll(() => stays.seen.length).toBe(4);
    socket.connect();
    await join();
    socket.emit('resume', { channel, seq: seen[0] });
    await expect.poll(() => seen.length).toBe(4);
    expect(seen).toEqual(stays.seen);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    const resync = next<string>();
    socket.on('resync', resync.hear);
    socket.emit('resume', { channel, seq: 999_999_999 });
    expect(await resync.promise).toBe(channel);
  });

  test('a page whose data predates its subscription must resync if an event came in between, and only then', async () => {
    const { owner, company } = await app.createCompany();
    const other = await app.createCompany();
    const channel = `private-companies.${company.id}`;
    const read = async () =>
      Number((await app.as(owner).request(companies.listCompaniesSlim, {})).headers['live-seq']);
    // A subscriber shows when the event of the first renaming has reached this process.
    const echo = echoOf(owner);
    const [ready, told] = [subscribed(echo, channel), next<{ seq: number }>()];
    echo.private(`companies.${company.id}`).listen('.company.changed', told.hear);
    expect(await ready).toBe(true);
    await rename(owner, 'Before it reads');
    const { seq } = await told.promise;
    const place = await read();
    expect(place).toBeGreaterThanOrEqual(seq);
    const socket = io(address, { transports: ['websocket'], auth: { token: owner.token } });
    open.push(socket);
    const heard: string[] = [];
    socket.onAny((event: string) => {
      if (event !== 'subscription_succeeded') heard.push(event);
    });
    await new Promise<void>((resolve) => {
      socket.once('subscription_succeeded', () => resolve());
      socket.emit('subscribe', { channel });
    });
    // Events of other channels do not matter to this page.
    await rename(other.owner, 'Elsewhere');
    await app.drainJobs();
    expect(await socket.emitWithAck('resume', { channel, seq: place, replay: false })).toEqual({
      resync: false,
    });
    expect(heard).toEqual([]);
    expect(await socket.emitWithAck('resume', { channel, seq: seq - 1, replay: false })).toEqual({
      resync: true,
    });
    expect(heard).toEqual(['resync']);
  });

  test('a transaction left open anywhere on the database server does not delay events', async () => {
    const { owner } = await app.createCompany();
    const other = new pg.Client({ connectionString: inject('databaseServer') });
    await other.connect();
    try {
      await other.query('begin');
      await other.query('select pg_current_xact_id()');
      await rename(owner, 'Not held back');
      await app.drainJobs();
    } finally {
      await other.end();
    }
    const { rows } = await app.services.db.pool.query<{ seq: number | null }>(
      `select seq from outbox where company_id = $1 and event = 'company.changed'`,
      [owner.companyId],
    );
    expect(rows.map((r) => r.seq)).toEqual([expect.any(Number)]);
  });

  test('events are published in row-lock order, whichever transaction began or published first', async () => {
    const { company } = await app.createCompany();
    const said = (client: pg.PoolClient, what: string) =>
      client.query(`insert into outbox (company_id, event, data) values ($1, 'test.order', $2)`, [
        company.id,
        JSON.stringify({ what }),
      ]);
    const [early, late] = [
      await app.services.db.pool.connect(),
      await app.services.db.pool.connect(),
    ];
    try {
      await early.query('begin');
      await early.query('select pg_current_xact_id()');
      await late.query('begin');
      await late.query(`update company set name = 'by the late one' where id = $1`, [company.id]);
      await said(late, 'late');
      await late.query('commit');
      await early.query(`update company set name = 'by the early one' where id = $1`, [company.id]);
      await said(early, 'early');
      await early.query('commit');
    } finally {
      early.release();
      late.release();
    }
    await app.drainJobs();
    const { rows } = await app.services.db.pool.query<{ what: string }>(
      `select data ->> 'what' what from outbox where company_id = $1 and event = 'test.order' order by seq`,
      [company.id],
    );
    expect(rows.map((r) => r.what)).toEqual(['late', 'early']);
  });

  test('signing out closes the sockets of that session', async () => {
    const { owner } = await app.createCompany();
    const token = tokenOf(
      (
        await app
          .as(null)
          .request(identity.login, { body: { email: owner.email, password: 'trunkline-demo' } })
      ).body,
    );
    const socket = io(address, {
      transports: ['websocket'],
      auth: { token: token.access_token },
      reconnection: false,
    });
    open.push(socket);
    await new Promise<void>((resolve) => {
      socket.once('subscription_succeeded', () => resolve());
      socket.emit('subscribe', { channel: `private-users.${owner.id}` });
    });
    const closed = new Promise<void>((resolve) => socket.once('disconnect', () => resolve()));
    await app.as(null).inject({
      method: 'GET',
      url: '/api/sanctum/logout',
      headers: { authorization: `Bearer ${token.access_token}` },
    });
    await closed;
  });
});

describe('packets of clients', () => {
  test('malformed handshakes and packets are refused, and the server keeps running', async () => {
    const { owner } = await app.createCompany();
    const hostile = { toString: 1, valueOf: 1 };
    const uncaught: unknown[] = [];
    const hear = (error: unknown) => {
      uncaught.push(error);
    };
    process.on('uncaughtException', hear);
    process.on('unhandledRejection', hear);
    try {
      for (const auth of [
        { token: hostile },
        { token: [hostile] },
        { token: 'x'.repeat(5000) },
        hostile,
      ]) {
        const socket = socketOf(auth);
        expect(await enters(socket, `private-users.${owner.id}`)).toEqual({ ok: false });
        socket.disconnect();
      }
      const socket = socketOf({ token: owner.token });
      for (const event of [
        'subscribe',
        'unsubscribe',
        'resume',
        'client event',
        'error',
        'anything',
      ])
        for (const said of [
          hostile,
          { channel: hostile },
          { channel: [hostile] },
          { channel: 'x', auth: { headers: { authorization: hostile } } },
          { channel: 'x', auth: { headers: hostile } },
          null,
          7,
          [[]],
        ])
          socket.emit(event, said);
      expect(await enters(socket, `private-companies.${owner.companyId}`)).toEqual({ ok: true });
      expect(await socket.emitWithAck('resume', { channel: hostile, seq: hostile })).toEqual({
        ok: false,
      });
      expect(
        await socket.emitWithAck('resume', {
          channel: `private-companies.${owner.companyId}`,
          seq: 0,
          replay: false,
        }),
      ).toEqual({ resync: false });
    } finally {
      process.off('uncaughtException', hear);
      process.off('unhandledRejection', hear);
    }
    expect(uncaught).toEqual([]);
  });

  test('a flood of packets closes its socket', async () => {
    const socket = socketOf({});
    const closed = closes(socket);
    for (let i = 0; i < 200; i++) socket.emit('subscribe', { channel: `private-companies.${i}` });
    expect(await closed).toBe('io server disconnect');
  });

  test('ten subscriptions refused for lack of credentials close the socket', async () => {
    const socket = socketOf({ token: 'tla_nobody' });
    const closed = closes(socket);
    for (let i = 0; i < 10; i++) socket.emit('subscribe', { channel: 'private-users.1' });
    expect(await closed).toBe('io server disconnect');
  });
});

describe('socket credentials', () => {
  const signIn = async (person: TestPerson) =>
    tokenOf(
      (
        await app
          .as(null)
          .request(identity.login, { body: { email: person.email, password: 'trunkline-demo' } })
      ).body,
    ).access_token;

  test('each channel depends on the credentials it was joined with: after one person signs out, the other still receives events', async () => {
    const [a, b] = [await app.createCompany(), await app.createCompany()];
    const token = await signIn(a.owner);
    const socket = socketOf({});
    const [ofA, ofB] = [`private-companies.${a.company.id}`, `private-companies.${b.company.id}`];
    expect(await enters(socket, ofA, token)).toEqual({ ok: true });
    expect(await enters(socket, ofB, b.owner.token)).toEqual({ ok: true });
    const heard: string[] = [];
    socket.on('company.changed', (channel: string) => heard.push(channel));
    const lost = next<string>();
    socket.on('subscription_error', lost.hear);
    await app.as(null).inject({
      method: 'GET',
      url: '/api/sanctum/logout',
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await lost.promise).toBe(ofA);
    await rename(a.owner, 'Unheard');
    await rename(b.owner, 'Heard');
    await expect.poll(() => heard).toEqual([ofB]);
    socket.disconnect();
  });

  test('an access token that expires ends its socket; a client that reconnects needs a new one', async () => {
    const { owner } = await app.createCompany();
    const socket = socketOf({ token: await signIn(owner) });
    const channel = `private-users.${owner.id}`;
    expect(await enters(socket, channel)).toEqual({ ok: true });
    const stays = socketOf({ token: owner.token });
    expect(await enters(stays, channel)).toEqual({ ok: true });
    const closed = closes(socket);
    const before = app.clock.value;
    app.clock.advance(3601);
    try {
      expect(await closed).toBe('transport close');
      expect(stays.connected).toBe(true);
      socket.connect();
      expect(await enters(socket, channel)).toEqual({ ok: false });
      expect(await enters(socket, channel, owner.token)).toEqual({ ok: true });
    } finally {
      app.clock.value = before;
    }
  });

  test('a socket that does not sign in is closed, and their number is limited', async () => {
    const strict = await createTestApp({
      env: { SOCKET_SIGN_IN_SECONDS: '1', SOCKETS_UNKNOWN: '30' },
    });
    const to = await strict.server.listen({ port: 0, host: '127.0.0.1' });
    const { owner } = await strict.createCompany();
    // Signed in, but subscribed to nothing yet.
    const idle = socketOf({ token: owner.token }, to);
    await new Promise<void>((resolve) => {
      idle.once('connect', () => resolve());
    });
    const nobody = socketOf({}, to);
    expect(await closes(nobody)).toBe('io server disconnect');
    expect(await enters(idle, `private-users.${owner.id}`)).toEqual({ ok: true });
    // A tenth of thirty from one address.
    expect(
      await letIn(
        to,
        Array.from({ length: 8 }, () => undefined),
      ),
    ).toBe(3);
  });

  test('unauthenticated connections are counted by the same address as requests', async () => {
    const [here, elsewhere] = ['198.51.100.1', '198.51.100.2'];
    const plain = await createTestApp({ env: { SOCKETS_UNKNOWN: '30' } });
    const direct = await plain.server.listen({ port: 0, host: '127.0.0.1' });
    // No proxy is trusted, so all of them come from this machine.
    expect(
      await letIn(
        direct,
        Array.from({ length: 8 }, (_, n) => `198.51.100.${n}`),
      ),
    ).toBe(3);
    const behind = await createTestApp({ env: { SOCKETS_UNKNOWN: '30', TRUST_PROXY: 'loopback' } });
    const proxied = await behind.server.listen({ port: 0, host: '127.0.0.1' });
    expect(
      await letIn(
        proxied,
        Array.from({ length: 8 }, () => here),
      ),
    ).toBe(3);
    // What a client writes into the header comes before what the proxy adds, and is ignored.
    expect(
      await letIn(
        proxied,
        Array.from({ length: 8 }, (_, n) => `192.0.2.${n}, ${elsewhere}`),
      ),
    ).toBe(3);
  });
});

/**
 * Opens a connection without credentials for each of these `X-Forwarded-For` values; returns how
 * many are accepted.
 */
async function letIn(to: string, forwardedFor: readonly (string | undefined)[]): Promise<number> {
  const outcomes = await Promise.all(
    forwardedFor.map(
      (given) =>
        new Promise<boolean>((resolve) => {
          const extraHeaders = given ? { 'x-forwarded-for': given } : {};
          const options = {
            transports: ['websocket'],
            reconnection: false,
            forceNew: true,
            extraHeaders,
          };
          const socket = io(to, options);
          open.push(socket);
          socket.once('connect', () => resolve(true));
          socket.once('connect_error', () => resolve(false));
        }),
    ),
  );
  return outcomes.filter(Boolean).length;
}
