import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterAll, expect, test } from 'vitest';
import { companies, identity } from '#contract';
import { createTestApp } from '../../test/support/test-app.ts';
import { startWorker } from '../app.ts';
import { mailResetLink } from '../modules/identity/reset-password.ts';
import { systemCtx } from './context.ts';
import { jobs, queueMail } from './mail.ts';

/**
 * A test mail server that keeps what it receives; `refuse` makes it reject recipients permanently.
 */
function aMailServer() {
  const taken: { to: string; text: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _, done) =>
      done(
        address.startsWith('gone')
          ? Object.assign(new Error('No such mailbox'), { responseCode: 550 })
          : null,
      ),
    onData: (stream, session, done) => {
      let text = '';
      stream.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      stream.on('end', () => {
        taken.push({
          to: session.envelope.rcptTo[0]?.address ?? '',
          text: text.replace(/=\r\n/g, '').replace(/=3D/g, '='),
        });
        done();
      });
    },
  });
  return { taken, server };
}

/**
 * A mail server that accepts connections and never responds, until `comesBack` on the same address.
 */
async function aSilentServer() {
  const sockets = new Set<Socket>();
  const silent: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const hangUp = async () => {
    for (const socket of sockets) socket.destroy();
    silent.close();
    await once(silent, 'close');
  };
  return {
    port,
    sockets,
    hangUp,
    comesBack: async () => {
      await hangUp();
      const { server, taken } = aMailServer();
      await once(server.listen(port, '127.0.0.1'), 'listening');
      afterAll(
        () =>
          new Promise<void>((closed) => {
            server.close(() => closed());
          }),
      );
      return taken;
    },
  };
}

const smtp = await aSilentServer();
const app = await createTestApp({
  env: { SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, CODES_PER_HOUR: '5' },
});
const ctx = () => systemCtx(app.services, 0, app.notifier);
const rowsTo = async (to: string) =>
  (
    await app.services.db.pool.query(
      'select * from mail_outbox where to_address = $1 order by id',
      [to],
    )
  ).rows;

test(
  'while the mail server hangs, password resets and sign-ups respond at once and alike for known and unknown addresses; afterwards all mail is sent',
  { timeout: 90_000 },
  async () => {
    const { owner } = await app.createCompany();
    const forgot = async (email: string) => {
      const { status, body } = await app
        .as(null)
        .request(identity.forgotPassword, { body: { email } });
      return { status, body };
    };
    expect(await forgot(owner.email)).toEqual({ status: 202, body: { data: { sent: true } } });
    expect(await forgot('nobody@alike.test')).toEqual(await forgot('nobody@alike.test'));
    expect(await forgot('nobody@alike.test')).toEqual({
      status: 202,
      body: { data: { sent: true } },
    });
    const signup = async (email: string, code?: string) =>
      app.as(null).request(companies.signup, {
        body: { email, password: 'a long enough sentence', ...(code && { code }) },
      });
    const [known, unknown] = [await signup(owner.email), await signup('newcomer@alike.test')];
    expect([known.status, unknown.status]).toEqual([202, 202]);
    expect(Object.keys(known.body)).toEqual(Object.keys(unknown.body));
    // A wrong code gets the same response for both as well.
    const [a, b] = [
      await signup(owner.email, '000000x'),
      await signup('newcomer@alike.test', '000000x'),
    ];
    expect({ ...a.body, request_id: 0 }).toEqual({ ...b.body, request_id: 0 });
    // No account was looked up and nothing was mailed before these responses: no request talked to
    // the mail server.
    expect(smtp.sockets.size).toBe(0);
    expect(await rowsTo(owner.email)).toEqual([]);

    const worker = await startWorker(app.services);
    try {
      // The worker tries, with at most one job per lane.
      await expect.poll(() => smtp.sockets.size, { timeout: 30_000 }).toBeGreaterThan(0);
      await expect
        .poll(async () => (await rowsTo(owner.email)).length, { timeout: 30_000 })
        .toBe(2);
      expect(smtp.sockets.size).toBe(1);
      const taken = await smtp.comesBack();
      await expect
        .poll(() => taken.map((m) => m.to).toSorted(), { timeout: 60_000, interval: 100 })
        .toEqual([owner.email, owner.email, 'newcomer@alike.test'].toSorted());
      expect(
        taken
          .filter((m) => m.to === owner.email)
          .map((m) => /Subject: (.*)\r/.exec(m.text)![1])
          .toSorted(),
      ).toEqual(['Set a new password', 'You already have an account']);
      expect(taken.find((m) => m.to === 'newcomer@alike.test')!.text).toMatch(/Your code is \d{6}/);
      await expect
        .poll(
          async () =>
            (await rowsTo(owner.email)).map((r) => [r.sent_at !== null, r.sealed, r.error]),
          { timeout: 30_000 },
        )
        .toEqual([
          [true, null, null],
          [true, null, null],
        ]);
      // An interrupted mail was attempted twice or more.
      const { rows } = await app.services.db.pool.query(
        'select max(attempts) most from mail_outbox',
      );
      expect(rows[0].most).toBeGreaterThan(1);

      // A permanently rejected recipient is not retried; the reason is stored.
      await queueMail(ctx(), {
        to: 'gone@alike.test',
        subject: 'Hello',
        text: 'Hello',
        html: '<p>Hello</p>',
      });
      await expect
        .poll(
          async () =>
            (await rowsTo('gone@alike.test')).map((r) => [
              r.failed_at !== null,
              r.attempts,
              r.sealed,
            ]),
          { timeout: 30_000 },
        )
        .toEqual([[true, 1, null]]);
      expect((await rowsTo('gone@alike.test'))[0].error).toContain('No such mailbox');

      // Mail that has expired is not sent, and a used key sends nothing more.
      await queueMail(ctx(), {
        to: 'late@alike.test',
        subject: 'Code',
        text: 'Code',
        html: 'Code',
        expiresAt: new Date(app.clock.value.getTime() - 1000),
      });
      for (let i = 0; i < 2; i++)
        await queueMail(ctx(), {
          to: 'once@alike.test',
          subject: 'Once',
          text: 'Once',
          html: 'Once',
          key: 'once',
          attachments: [{ name: 'a.txt', contentType: 'text/plain', bytes: Buffer.from('inside') }],
        });
      await expect
        .poll(async () => (await rowsTo('late@alike.test'))[0].failed_at, { timeout: 30_000 })
        .not.toBeNull();
      await expect
        .poll(async () => (await rowsTo('once@alike.test')).map((r) => r.sent_at !== null), {
          timeout: 30_000,
        })
        .toEqual([true]);
      expect(taken.filter((m) => m.to === 'once@alike.test')).toHaveLength(1);
      expect(taken.find((m) => m.to === 'once@alike.test')!.text).toContain(
        Buffer.from('inside').toString('base64'),
      );
      expect(taken.some((m) => m.to === 'late@alike.test')).toBe(false);
    } finally {
      await worker.stop();
    }
  },
);

test('a mail that fails to the last attempt is given up, logged, and keeps its reason', async () => {
  const logged: unknown[] = [];
  const failing = {
    ...ctx(),
    gateways: {
      ...app.services.gateways,
      mail: {
        name: 'smtp',
        send: async () => {
          throw new Error('connection refused');
        },
      },
    },
  };
  failing.log = Object.assign(Object.create(app.services.log), {
    error: (...said: unknown[]) => {
      logged.push(said);
    },
  });
  await queueMail(ctx(), {
    to: 'never@alike.test',
    subject: 'Hello',
    text: 'Hello',
    html: '<p>Hello</p>',
  });
  const [row] = await rowsTo('never@alike.test');
  const attempt = (number: number) =>
    jobs[0]!.handler(failing, { mailId: row.id } as never, { number, last: number === 12 });
  await expect(attempt(1)).rejects.toThrow('connection refused');
  expect((await rowsTo('never@alike.test'))[0]).toMatchObject({
    attempts: 1,
    error: 'connection refused',
    failed_at: null,
  });
  await attempt(12);
  expect((await rowsTo('never@alike.test'))[0]).toMatchObject({
    attempts: 12,
    error: 'connection refused',
    sealed: null,
  });
  expect((await rowsTo('never@alike.test'))[0].failed_at).not.toBeNull();
  expect(logged).toEqual([
    [{ mailId: row.id, reason: 'connection refused' }, 'an email could not be delivered'],
  ]);
});

test('neither links nor codes are readable in the tables', async () => {
  const { owner } = await app.createCompany();
  await mailResetLink(ctx(), { email: owner.email });
  const [mail] = await app.mails(owner.email);
  const token = /reset-password\/(\S+)/.exec(mail!.text)![1]!;
  const all = JSON.stringify([
    await rowsTo(owner.email),
    (await app.services.db.pool.query('select * from sent_code')).rows,
  ]);
  expect(all).not.toContain(token);
  expect(all).not.toContain('reset-password');
});
