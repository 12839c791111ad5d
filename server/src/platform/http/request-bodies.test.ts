import { once } from 'node:events';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestPerson } from '../../../test/support/test-app.ts';

const MB = 1024 * 1024;
const app = await createTestApp({ env: { BODY_SECONDS: '1', UPLOAD_MB: '3', UPLOADS_MB: '4' } });
const uploads = join(app.services.settings.dataDir, 'uploads');
let port: number;
let owner: TestPerson;
let agent: TestPerson;
beforeAll(async () => {
  port = Number(new URL(await app.server.listen({ port: 0, host: '127.0.0.1' })).port);
  owner = (await app.createCompany()).owner;
  agent = await app.createPerson(owner.companyId, 'user');
});

/** One field or, with a name, one file of a form. */
interface Part {
  field: string;
  value: string | Buffer;
  name?: string;
}
const form = (...parts: Part[]): Buffer =>
  Buffer.concat([
    ...parts.flatMap(({ field, value, name }) => [
      Buffer.from(
        `--b\r\ncontent-disposition: form-data; name="${field}"${name ? `; filename="${name}"\r\ncontent-type: application/octet-stream` : ''}\r\n\r\n`,
      ),
      Buffer.from(value),
      Buffer.from('\r\n'),
    ]),
    Buffer.from('--b--\r\n'),
  ]);
const type = 'multipart/form-data; boundary=b';
const imports = () => `/api/companies/${owner.companyId}/contacts/imports`;
const send = (
  person: TestPerson | null,
  url: string,
  payload: Buffer | string,
  contentType = type,
) =>
  app.as(person).inject({ method: 'POST', url, payload, headers: { 'content-type': contentType } });
const csv = Buffer.from('name,number\nAnn,+12125550147\n');
const shaped = (status: number) => ({
  status,
  body: expect.objectContaining({
    status,
    code: expect.any(String),
    message: expect.any(String),
    request_id: expect.any(String),
  }),
});
/**
 * Sends the head of a request over its own connection, and collects the response until it is
 * closed.
 */
const raw = (head: string[]): { socket: Socket; answer: Promise<string> } => {
  const socket = connect(port, '127.0.0.1');
  const pieces: Buffer[] = [];
  socket.on('data', (piece: Buffer) => pieces.push(piece));
  socket.on('error', () => {});
  socket.write(
    `${[...head, 'host: x', `authorization: Bearer ${owner.token}`].join('\r\n')}\r\n\r\n`,
  );
  return { socket, answer: once(socket, 'close').then(() => Buffer.concat(pieces).toString()) };
};

describe('forms', () => {
  test('are accepted only where the endpoint takes them, from a signed-in and permitted sender, and leave nothing on disk', async () => {
    const file = { field: 'file', name: 'a.csv', value: csv };
    expect(await send(owner, imports(), form(file))).toMatchObject({
      status: 201,
      body: { data: { bytes: csv.length } },
    });
    expect(
      await send(null, '/api/sanctum/login', form({ field: 'email', value: 'a@b.test' }, file)),
    ).toEqual(expect.objectContaining(shaped(415)));
    expect(await send(owner, `/api/companies/${owner.companyId}/tags`, form(file))).toEqual(
      expect.objectContaining(shaped(415)),
    );
    await expect.poll(() => readdirSync(uploads)).toEqual([]);
    // Neither of these two bodies was read.
    const large = form(
      { ...file, value: Buffer.alloc(2 * MB) },
      { ...file, value: Buffer.alloc(2 * MB) },
    );
    expect(await send(null, imports(), large)).toEqual(expect.objectContaining({ status: 401 }));
    expect(await send(agent, imports(), large)).toEqual(expect.objectContaining({ status: 403 }));
    expect(readdirSync(uploads)).toEqual([]);
  });

  test('that are malformed are rejected, never a server error', async () => {
    const bodies: [Buffer | string, string?][] = [
      ['', 'multipart/form-data'],
      [form({ field: 'x', value: '1' }), 'multipart/form-data'],
      ['nonsense'],
      [form({ field: 'file', name: 'a', value: csv }).subarray(0, 60)],
      ['--b\r\n\r\n'],
      [form({ field: 'constructor[]', value: '1' })],
      [form({ field: '__proto__[]', value: '1' })],
      [form({ field: '__proto__', value: '1' })],
      [form({ field: 'toString', value: '1' })],
      [form({ field: 'a', value: '1' }, { field: 'a[]', value: '2' })],
      [form({ field: 'a[]', value: '{"toString":1}' })],
      [form({ field: 'companyId', value: '{"valueOf":1}' })],
      [
        '--b\r\ncontent-disposition: form-data; name="a"\r\ncontent-type: application/json\r\n\r\n{"toString":1}\r\n--b--\r\n',
      ],
      [form(...Array.from({ length: 300 }, (_, i) => ({ field: `f${i}`, value: 'x' })))],
      [form({ field: 'a', value: 'x'.repeat(2.5 * MB) })],
      [
        form(
          ...Array.from({ length: 25 }, (_, i) => ({ field: 'file', name: `${i}`, value: 'x' })),
        ),
      ],
    ];
    for (const [body, contentType] of bodies)
      for (const url of [imports(), '/api/message', '/sandbox/texts', '/sandbox/faxes']) {
        const answer = await send(owner, url, body, contentType);
        expect(answer.status, `${url} ${String(body).slice(0, 80)}`).toBeGreaterThanOrEqual(400);
        expect(
          answer.status,
          `${url} ${String(body).slice(0, 80)} → ${JSON.stringify(answer.body)}`,
        ).toBeLessThan(500);
      }
    await expect.poll(() => readdirSync(uploads)).toEqual([]);
  });

  test('may name their company after the files, and override the method in their body', async () => {
    const sent = await send(
      owner,
      '/api/message',
      form(
        { field: 'media[]', name: 'a.png', value: csv },
        { field: 'numberId', value: '1' },
        { field: 'to', value: '+12125550147' },
        { field: 'company_id', value: String(owner.companyId) },
      ),
    );
    expect(sent.status).toBe(404); // The number is unknown, but the company was found.
    const foreign = await app.createCompany();
    expect(
      await send(
        owner,
        '/api/message',
        form(
          { field: 'message', value: 'x' },
          { field: 'company_id', value: String(foreign.company.id) },
        ),
      ),
    ).toEqual(expect.objectContaining(shaped(404)));
    const path = `/api/companies/${owner.companyId}/sms-verification/campaign`;
    const draft = await app
      .as(owner)
      .inject({ method: 'POST', url: path, payload: { is_draft: true } });
    const id = (draft.body as { data: { id: number } }).data.id;
    expect(
      await send(
        owner,
        `${path}/${id}`,
        form({ field: '_method', value: 'PUT' }, { field: 'is_draft', value: '1' }),
      ),
    ).toMatchObject({ status: 200 });
    expect(await send(owner, `${path}/${id}`, form({ field: '_method', value: 'DELETE' }))).toEqual(
      expect.objectContaining(shaped(404)),
    );
    expect(await send(owner, `${path}/${id}`, form({ field: 'is_draft', value: '1' }))).toEqual(
      expect.objectContaining(shaped(404)),
    );
  });

  test('over the size limit are rejected, and over the process’s limit get a 503', async () => {
    const file = (mb: number) => ({ field: 'file', name: 'a.csv', value: Buffer.alloc(mb * MB) });
    expect(await send(owner, imports(), form(file(2), file(2)))).toEqual(
      expect.objectContaining(shaped(422)),
    );
    // One form that keeps 2.5 MB of the 4 until its connection is cut.
    const slow = raw([
      `POST ${imports()} HTTP/1.1`,
      `content-type: ${type}`,
      `content-length: ${3 * MB}`,
    ]);
    slow.socket.write(form(file(2.5)).subarray(0, -20));
    await expect
      .poll(() =>
        readdirSync(uploads).reduce((sum, name) => sum + statSync(join(uploads, name)).size, 0),
      )
      .toBeGreaterThan(2.4 * MB);
    expect(await send(owner, imports(), form(file(2.5)))).toEqual(
      expect.objectContaining(shaped(503)),
    );
    expect(await send(owner, imports(), form({ ...file(0), value: csv }))).toMatchObject({
      status: 201,
    });
    slow.socket.destroy();
    await expect.poll(() => readdirSync(uploads)).toEqual([]);
    await expect.poll(async () => (await send(owner, imports(), form(file(2.5)))).status).toBe(422);
  });

  test('a rejected form leaves no file behind, however early it is rejected', async () => {
    const big = form(
      { field: 'file', name: 'a.csv', value: Buffer.alloc(2 * MB) },
      { field: 'file', name: 'b.csv', value: Buffer.alloc(2 * MB) },
    );
    for (let i = 0; i < 10; i += 1)
      expect(
        (await Promise.all(Array.from({ length: 4 }, () => send(owner, imports(), big)))).every(
          ({ status }) => status === 422 || status === 503,
        ),
      ).toBe(true);
    await expect.poll(() => readdirSync(uploads)).toEqual([]);
  });

  test('JSON bodies count as well', async () => {
    const held = Array.from({ length: 3 }, () =>
      raw([
        `PUT /api/company/${owner.companyId} HTTP/1.1`,
        'content-type: application/json',
        `content-length: ${Math.floor(1.9 * MB)}`,
      ]),
    );
    const answers = Promise.all(held.map(({ answer }) => answer));
    for (const { socket } of held) socket.write(Buffer.alloc(1.7 * MB, 32));
    expect((await answers).filter((one) => one.startsWith('HTTP/1.1 503'))).toHaveLength(1);
    expect(
      (
        await app.as(owner).inject({
          method: 'PUT',
          url: `/api/company/${owner.companyId}`,
          payload: { name: 'Small' },
        })
      ).status,
    ).not.toBe(503);
  });
});

test('a body rejected by its length and cut off meanwhile only loses its connection', async () => {
  const uncaught: unknown[] = [];
  const hear = (error: unknown) => {
    uncaught.push(error);
  };
  process.on('uncaughtException', hear);
  try {
    for (const path of [
      `/api/company/${owner.companyId}`,
      '/api/sanctum/login',
      '/carriers/sandbox/texts',
    ]) {
      const { socket, answer } = raw([
        `${path.includes('company') ? 'PUT' : 'POST'} ${path} HTTP/1.1`,
        'content-type: application/json',
        `content-length: ${3 * MB}`,
      ]);
      socket.write(Buffer.alloc(MB, 32));
      await once(socket, 'data');
      socket.destroy();
      await answer;
    }
    expect((await app.as(owner).inject({ method: 'GET', url: '/api/user' })).status).toBe(200);
  } finally {
    process.off('uncaughtException', hear);
  }
  expect(uncaught).toEqual([]);
});

test('after a response that did not need the body, the connection serves its next request', async () => {
  const { socket, answer } = raw([
    `POST /carriers/nobody/voice HTTP/1.1`,
    'content-type: application/x-www-form-urlencoded',
    `content-length: ${MB / 2}`,
  ]);
  socket.write(Buffer.alloc(MB / 2, 97));
  socket.write('GET /livez HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
  expect((await answer).match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 404', 'HTTP/1.1 200']);
});

describe('slow bodies', () => {
  test('get a 408 and a closed connection, whether they were read, rejected or waiting', async () => {
    for (const head of [
      [
        `PUT /api/company/${owner.companyId} HTTP/1.1`,
        'content-type: application/json',
        'content-length: 1000',
      ],
      [
        'POST /sandbox/texts HTTP/1.1',
        'content-type: application/json',
        'transfer-encoding: chunked',
      ],
    ]) {
      const { socket, answer } = raw(head);
      socket.write('5\r\n{"a":');
      const [line, ...rest] = (await answer).split('\r\n');
      expect(line).toBe('HTTP/1.1 408 Request Timeout');
      expect(JSON.parse(rest.at(-1)!)).toMatchObject({ code: 'request.timeout', status: 408 });
    }
    const { socket, answer } = raw([
      'POST /api/nothing-here HTTP/1.1',
      'content-type: text/plain',
      'content-length: 1000',
    ]);
    socket.write('x');
    expect(await answer).toMatch(/^HTTP\/1\.1 4\d\d /);
  });
});

describe('readiness', () => {
  test('fails while the disk cannot be written, and recovers afterwards', async () => {
    const ready = async () =>
      (await app.as(null).inject({ method: 'GET', url: '/readyz' })) as {
        status: number;
        body: unknown;
      };
    expect(await ready()).toMatchObject({
      status: 200,
      body: { ok: true, database: true, storage: true },
    });
    await rm(uploads, { recursive: true });
    writeFileSync(uploads, 'a file where the folder was');
    expect(await ready()).toMatchObject({
      status: 503,
      body: { ok: false, database: true, storage: false },
    });
    await rm(uploads);
  });
});
