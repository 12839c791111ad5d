import Echo from 'laravel-echo';
import pg from 'pg';
import io from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { companies, identity } from '#contract';
import { aWorld, type TestPerson } from '../../test/world.ts';

const world = await aWorld();
let address: string;
beforeAll(async () => { address = await world.app.listen({ port: 0, host: '127.0.0.1' }); await world.settle(); });
const open: { disconnect(): void }[] = [];
afterAll(() => open.forEach((e) => e.disconnect()));

/** A stock laravel-echo client with its socket.io connector. */
function echoOf(person: TestPerson) {
  const echo = new Echo<'socket.io'>({ broadcaster: 'socket.io', client: io, host: address, transports: ['websocket'], auth: { headers: { Authorization: `Bearer ${person.token}` } }, bearerToken: person.token } as never);
  open.push(echo);
  return echo;
}
const next = <T>(within = 30_000) => {
  let resolve!: (v: T) => void;
  const promise = new Promise<T>((r, reject) => { resolve = r; setTimeout(() => reject(new Error('nothing heard')), within); });
  return { promise, hear: resolve };
};
const rename = (owner: TestPerson, name: string) => world.as(owner).ask(companies.updateCompany, { params: { id: owner.companyId }, body: { name } });
const subscribed = (echo: ReturnType<typeof echoOf>, channel: string) => new Promise<boolean>((resolve) => {
  const socket = (echo.connector as unknown as { socket: { on(e: string, f: (c: string) => void): void } }).socket;
  socket.on('subscription_succeeded', (c) => c === channel && resolve(true));
  socket.on('subscription_error', (c) => c === channel && resolve(false));
});

describe('live events', () => {
  test('a stock laravel-echo client hears its company’s event with A27’s envelope', async () => {
    const { owner, company } = await world.company();
    const echo = echoOf(owner);
    const heard = next<Record<string, unknown>>();
    const ready = subscribed(echo, `private-companies.${company.id}`);
    echo.private(`companies.${company.id}`).listen('.company.changed', heard.hear);
    expect(await ready).toBe(true);
    await rename(owner, 'Heard');
    expect(await heard.promise).toMatchObject({ event: 'company.changed', companyId: company.id, seq: expect.any(Number), data: { companyId: company.id } });
  });

  test('a stranger is refused the channel and hears nothing', async () => {
    const { owner, company } = await world.company();
    const other = await world.company();
    const echo = echoOf(other.owner);
    const ready = subscribed(echo, `private-companies.${company.id}`);
    let heard = 0;
    echo.private(`companies.${company.id}`).listen('.company.changed', () => { heard++; });
    expect(await ready).toBe(false);
    await rename(owner, 'Unheard');
    await world.settle();
    expect(heard).toBe(0);
    expect((await world.as(other.owner).ask(companies.authorizeChannel, { body: { channel_name: `private-companies.${company.id}` } })).status).toBe(403);
    expect((await world.as(owner).ask(companies.authorizeChannel, { body: { channel_name: `private-companies.${company.id}` } })).status).toBe(200);
  });

  test('what was missed while away is replayed in order; a client too long away is told to resync', async () => {
    const { owner, company } = await world.company();
    const channel = `private-companies.${company.id}`;
    const listener = async () => {
      const socket = io(address, { transports: ['websocket'], auth: { token: owner.token } });
      open.push(socket);
      const seen: number[] = [];
      socket.on('company.changed', (c: string, e: { seq: number }) => { if (c === channel) seen.push(e.seq); });
      const join = () => new Promise<void>((resolve) => { socket.once('subscription_succeeded', () => resolve()); socket.emit('subscribe', { channel }); });
      await join();
      return { socket, seen, join };
    };
    const { socket, seen, join } = await listener();
    const stays = await listener();
    await rename(owner, 'One');
    await expect.poll(() => seen.length).toBe(1);
    socket.disconnect();
    for (const name of ['Two', 'Three', 'Four']) await rename(owner, name);
    // Who stayed has heard all: what comes to the other from here on is replayed.
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

  test('a page that read before it listened is told to read again when something came in between, and only then', async () => {
    const { owner, company } = await world.company();
    const other = await world.company();
    const channel = `private-companies.${company.id}`;
    const read = async () => Number((await world.as(owner).ask(companies.listCompaniesSlim, {})).headers['live-seq']);
    // Somebody who listens tells that the news of the first renaming came to this process.
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
    socket.onAny((event: string) => { if (event !== 'subscription_succeeded') heard.push(event); });
    await new Promise<void>((resolve) => { socket.once('subscription_succeeded', () => resolve()); socket.emit('subscribe', { channel }); });
    // What happened to others is nothing to this page.
    await rename(other.owner, 'Elsewhere');
    await world.settle();
    expect(await socket.emitWithAck('resume', { channel, seq: place, replay: false })).toEqual({ resync: false });
    expect(heard).toEqual([]);
    expect(await socket.emitWithAck('resume', { channel, seq: seq - 1, replay: false })).toEqual({ resync: true });
    expect(heard).toEqual(['resync']);
  });

  test('a transaction that stays open anywhere on the database server holds nobody’s news back', async () => {
    const { owner } = await world.company();
    const other = new pg.Client({ connectionString: inject('databaseServer') });
    await other.connect();
    try {
      await other.query('begin');
      await other.query('select pg_current_xact_id()');
      await rename(owner, 'Not held back');
      await world.settle();
    } finally {
      await other.end();
    }
    const { rows } = await world.house.db.pool.query<{ seq: number | null }>(`select seq from outbox where company_id = $1`, [owner.companyId]);
    expect(rows.map((r) => r.seq)).toEqual([expect.any(Number)]);
  });

  test('whoever held a row first is heard first, though its transaction began later and the other said something else before', async () => {
    const { company } = await world.company();
    const said = (client: pg.PoolClient, what: string) => client.query(`insert into outbox (company_id, event, data) values ($1, 'test.order', $2)`, [company.id, JSON.stringify({ what })]);
    const [early, late] = [await world.house.db.pool.connect(), await world.house.db.pool.connect()];
    try {
      await early.query('begin'); await early.query('select pg_current_xact_id()');
      await late.query('begin'); await late.query(`update company set name = 'by the late one' where id = $1`, [company.id]);
      await said(late, 'late');
      await late.query('commit');
      await early.query(`update company set name = 'by the early one' where id = $1`, [company.id]);
      await said(early, 'early');
      await early.query('commit');
    } finally {
      early.release();
      late.release();
    }
    await world.settle();
    const { rows } = await world.house.db.pool.query<{ what: string }>(`select data ->> 'what' what from outbox where company_id = $1 and event = 'test.order' order by seq`, [company.id]);
    expect(rows.map((r) => r.what)).toEqual(['late', 'early']);
  });

  test('signing out closes the sockets of that session', async () => {
    const { owner } = await world.company();
    const { token } = (await world.as(null).ask(identity.login, { body: { email: owner.email, password: 'trunkline-demo' } })).body;
    const socket = io(address, { transports: ['websocket'], auth: { token: token.access_token }, reconnection: false });
    open.push(socket);
    await new Promise<void>((resolve) => { socket.once('subscription_succeeded', () => resolve()); socket.emit('subscribe', { channel: `private-users.${owner.id}` }); });
    const closed = new Promise<void>((resolve) => socket.once('disconnect', () => resolve()));
    await world.as(null).raw({ method: 'GET', url: '/api/sanctum/logout', headers: { authorization: `Bearer ${token.access_token}` } });
    await closed;
  });
});
