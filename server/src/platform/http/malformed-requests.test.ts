import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { endpoints } from '#contract';
import { createTestDatabase } from '../../../test/support/test-database.ts';
import { createTestApp } from '../../../test/support/test-app.ts';
import { openDb } from '../db.ts';
import { createLogger } from '../log.ts';
import { knownError } from '../errors.ts';
import { parseQuery, parseWebhookJson, unsafeJsonReason } from './request-fields.ts';
import { createPausableProxy } from '../../../test/support/pausable-proxy.ts';

/** An id that exists in no table. */
const MISSING = 8_999_999_999_999;

const app = await createTestApp();
const { company, owner } = await app.createCompany();
const get = (url: string) => app.as(owner).inject({ method: 'GET', url });
const shaped = (answer: { status: number; body: unknown }, status: number) =>
  expect(answer).toMatchObject({
    status,
    body: {
      status,
      code: expect.any(String),
      message: expect.any(String),
      request_id: expect.any(String),
    },
  });

describe('query strings', () => {
  test('of any form are parsed without throwing; a key given plain and with brackets is a list', () => {
    expect({ ...parseQuery('a=1&a[]=2&b[]=1&b[]=2&c[0]=x&d=1&d=2') }).toEqual({
      a: ['1', '2'],
      b: ['1', '2'],
      c: ['x'],
      d: '2',
    });
    for (const text of [
      'a&a[]',
      '__proto__[]=1&__proto__=2',
      'constructor[]=1',
      'toString=1&toString[]=2',
      '%',
      '%zz=%ff',
      '[]=1',
      'a[=1',
      '&&==&',
      'a[]={"a":[}',
      '\u0000[]=1',
    ])
      expect(() => parseQuery(text)).not.toThrow();
  });

  test('with unexpected content get a response on every path, signed in or not', async () => {
    for (const url of [
      '/?a=1&a[]=2',
      '/livez?a=1&a[]=2',
      '/api/user?a=1&a[]=2',
      '/nothing?constructor[]=1&constructor=2',
    ])
      for (const person of [owner, null])
        expect((await app.as(person).inject({ method: 'GET', url })).status, url).toBeLessThan(500);
    for (const url of [
      '/%',
      '/api/%ff',
      `/api/numbers/${'9'.repeat(200)}`,
      `/api/files/${'x'.repeat(5000)}`,
    ]) {
      const answer = await get(url);
      shaped(answer, answer.status);
      expect([404, 422], url).toContain(answer.status);
    }
  });
});

test('data that would throw when used is rejected at the entrance', async () => {
  expect(unsafeJsonReason({ a: [{ b: 1, c: null, list: [[1]] }], text: 'toString' })).toBeNull();
  for (const bad of [
    { toString: 1 },
    { a: [{ valueOf: 1 }] },
    JSON.parse('{"__proto__":1}'),
    JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`),
  ])
    expect(unsafeJsonReason(bad)).toEqual(expect.any(String));
  for (const query of [
    'companyId[]={"toString":1}',
    'companyId={"toString":1}',
    'company_id={"valueOf":1}',
    'page={"toString":1}',
  ])
    for (const path of [
      '/api/notification-settings',
      '/api/notificationCounts/byNumber',
      `/api/companies/${company.id}/users`,
      '/api/conversations/1/items/1',
    ])
      expect((await get(`${path}?${query}`)).status, `${path}?${query}`).toBeLessThan(500);
  for (const url of [
    '/api/message',
    '/api/in-app-calling/heartbeat',
    '/api/notification-blocks',
    '/api/calls/search',
    '/sandbox/handset/token',
    '/sandbox/texts',
    '/sandbox/calls',
    '/media/join',
  ])
    for (const payload of [
      { companyId: { toString: 1 } },
      { companyId: company.id, a: { valueOf: 1 } },
      { number: { a: 1 } },
      { number: { toString: 1 } },
      { from: { toString: 1 }, to: [] },
      [{ toString: 1 }],
      { token: { split: 1 } },
    ]) {
      const answer = await app.as(owner).inject({ method: 'POST', url, payload });
      // Without the media process, its endpoints report that it is not running.
      if (answer.status !== 503)
        expect(
          answer.status,
          `${url} ${JSON.stringify(payload)} ${JSON.stringify(answer.body)}`,
        ).toBeLessThan(500);
    }
});

test('carrier payloads are read so that they can be stored', () => {
  expect(
    parseWebhookJson(Buffer.from('{"a":"x\\u0000y","b":["\\ud83d!","\\ud83d\\ude00"]}')),
  ).toEqual({
    a: 'xy',
    b: ['\uFFFD!', '\u{1F600}'],
  });
});

test('sorting by a property that every object has is rejected like any unknown column', async () => {
  const lists = endpoints.filter(
    (e) => (e.method === 'GET' && e.paged) || e.name === 'exportNumbers',
  );
  expect(lists.length).toBeGreaterThan(20);
  for (const e of lists) {
    const path = e.path.replace(/\{(\w+)\}/g, (_, key: string) =>
      String(key === 'companyId' || e.path.startsWith('/company/{id}') ? company.id : MISSING),
    );
    const url = (sort: string) => `/api${path}?companyId=${company.id}&sort=${sort}`;
    for (const sort of ['toString', 'constructor', 'hasOwnProperty', '__proto__', 'valueOf']) {
      const answer = await get(url(sort));
      expect(answer.status, `${url(sort)} ${JSON.stringify(answer.body)}`).toBeLessThan(500);
    }
  }
  for (const path of [
    '/api/numbers/datatable',
    '/api/numbers/datatable/export',
    `/api/companies/${company.id}/tags`,
  ])
    expect((await get(`${path}?companyId=${company.id}&sort=hasOwnProperty`)).status).toBe(422);
});

describe('database failures', () => {
  test('a database that does not answer times out soon, and is used again when it recovers', async () => {
    const proxy = await createPausableProxy(new URL(await createTestDatabase()));
    const db = openDb(proxy.url, createLogger('silent', 'test'), { statementMs: 100, size: 1 });
    try {
      const asks = [
        () => db.forRequests.transaction({ companyId: 1 }, (tx) => sql`select 1`.execute(tx)),
        () => db.forRequests.systemTransaction((tx) => sql`select 1`.execute(tx)),
        () => sql`select 1`.execute(db.forRequests.unscoped),
      ];
      await Promise.all(asks.map((ask) => ask()));
      proxy.pause();
      for (const ask of asks) {
        const error = await ask().then(
          () => null,
          (problem: Error) => problem,
        );
        expect(knownError(error!)).toMatchObject({ code: 'unavailable', status: 503 });
      }
      proxy.resume();
      for (const ask of asks) expect((await ask()).rows).toHaveLength(1);
    } finally {
      await db.close();
      await proxy.close();
    }
  });

  test('a statement of a request is canceled at its time limit; a job’s is not', async () => {
    const db = openDb(await createTestDatabase(), createLogger('silent', 'test'), {
      statementMs: 50,
    });
    try {
      const error = await db.forRequests
        .transaction({}, (tx) => sql`select pg_sleep(20)`.execute(tx))
        .then(
          () => null,
          (problem: Error) => problem,
        );
      expect(knownError(error!)).toMatchObject({ code: 'busy', status: 503 });
      await db.transaction({}, (tx) => sql`select pg_sleep(0.2)`.execute(tx));
      await db.forRequests.transaction({}, (tx) => sql`select 1`.execute(tx));
    } finally {
      await db.close();
    }
  });

  test('a full disk is reported as such, ours and the database’s', async () => {
    const ours = await writeFile('/dev/full', 'x').then(
      () => null,
      (problem: Error) => problem,
    );
    const theirs =
      await sql`do $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`
        .execute(app.services.db.unscoped)
        .then(
          () => null,
          (problem: Error) => problem,
        );
    for (const error of [ours, theirs])
      expect(knownError(error!)).toMatchObject({
        code: 'storage.full',
        status: 507,
        message: expect.stringContaining('storage is full'),
      });
  });
});

test('bytes that are not HTTP get a 400 and a closed connection', async () => {
  const port = Number(new URL(await app.server.listen({ port: 0, host: '127.0.0.1' })).port);
  const socket = connect(port, '127.0.0.1');
  let got = '';
  socket.on('data', (piece: Buffer) => {
    got += piece.toString();
  });
  socket.write('NONSENSE\r\n\r\n');
  await once(socket, 'close');
  expect(got).toMatch(/^HTTP\/1\.1 400 /);
  shaped({ status: 400, body: JSON.parse(got.split('\r\n\r\n')[1]!) }, 400);
});
