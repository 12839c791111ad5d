import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { companies, identity, platform, setup as contract } from '#contract';
import type { SetupCheck } from '#contract/monitoring/setup/rules';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { addressFindings, forwardingFindings } from '../../../platform/checks/address.ts';
import { clockFindings } from '../../../platform/checks/database.ts';

const sent: { to: string; text: string }[] = [];
let mailServer: 'accepts' | Error = 'accepts';
const app = await createTestApp({
  env: {
    NODE_ENV: 'production',
    CARRIER: 'sandbox',
    APP_SECRET: randomBytes(32).toString('hex'),
    PUBLIC_URL: 'https://phones.test',
    SMTP_URL: 'smtp://mail.test',
    MAIL_FROM: 'Phones <phones@example.com>',
    TRUST_PROXY: '127.0.0.1',
  },
  ports: {
    mail: {
      name: 'smtp',
      send: async (mail) => {
        if (mailServer !== 'accepts') throw mailServer;
        sent.push(mail);
      },
    },
  },
});
const { settings } = app.services;
const password = 'a long enough sentence';

const staff = await app.createStaff('reads');
const headers = { isadmin: '1' };
async function run(check: SetupCheck, body: object = {}, more: object = {}) {
  const answer = await app.as(staff).request(contract.runSetupCheck, {
    params: { check },
    body,
    headers: { ...headers, ...more },
  });
  expect(answer.status).toBe(200);
  return answer.body.data.findings;
}
const problems = async (...args: Parameters<typeof run>) =>
  (await run(...args)).flatMap(({ found, fix }) => (fix === null ? [] : found));

test('staff in admin mode test each part, also when reading only; nobody else does', async () => {
  const { owner } = await app.createCompany();
  const ask = (who: TestPerson | null, more = headers) =>
    app.as(who).request(contract.runSetupCheck, {
      params: { check: 'disk' },
      body: {},
      headers: more,
    });
  expect((await ask(null)).status).toBe(401);
  expect((await ask(owner)).status).toBeGreaterThanOrEqual(401);
  expect((await ask(await app.createStaff('outside'))).status).toBe(403);
  for (const check of ['disk', 'files', 'clock'] as const)
    expect(await problems(check, { time: app.clock.value.toISOString() })).toEqual([]);
  // Other roles' connections count, whose details a role without rights isn't told.
  expect((await run('database')).map(({ found }) => found)).toContainEqual(
    expect.stringMatching(/^[1-9]\d* of \d+ connections are in use\.$/),
  );
  // The tests' database writes to a disk in memory.
  expect(await problems('database')).toEqual(
    ['fsync', 'full_page_writes', 'synchronous_commit'].map(
      (name) => `${name} is off: a power cut can lose what was saved, or damage the database.`,
    ),
  );
});

test('the test email goes to who asks, and a mail server that refuses is quoted', async () => {
  expect(await problems('mail')).toEqual([]);
  expect(sent).toMatchObject([{ to: staff.email }]);
  mailServer = new Error('535 Authentication failed.');
  expect(await problems('mail')).toEqual([
    `The mail server didn’t accept an email to ${staff.email}: 535 Authentication failed.`,
  ]);
  mailServer = 'accepts';
});

test('what is missing or broken is a problem with its fix', async () => {
  expect(await problems('carrier')).toEqual([
    expect.stringMatching(/^The simulated carrier is connected/),
  ]);
  expect(await problems('backups')).toEqual([
    'No backups are made.',
    'There is no good backup yet.',
  ]);
  await app.services.db.pool.query(
    `insert into backup_run (name, place, started_at, finished_at, bytes)
      values ('one', '/mnt', $1::timestamptz - interval '50 hours', $1::timestamptz - interval '49 hours', 10)`,
    [app.clock.value],
  );
  expect(await problems('backups')).toEqual([
    'No backups are made.',
    'The last good backup is 2 days old.',
  ]);
  const { blobs } = app.services.files;
  const { put } = blobs;
  blobs.put = () => Promise.reject(new Error('ENOSPC: no space left on device'));
  expect(await problems('files')).toEqual([
    `A file can’t be stored in ${settings.dataDir}/files: ENOSPC: no space left on device.`,
  ]);
  blobs.put = put;
  expect((await clockFindings(app.services.db, new Date(Date.now() + 180_000))).at(-1)?.found).toBe(
    'This machine’s clock is 3 minutes behind your browser’s.',
  );
});

test('a proxy that hides who is asking, or isn’t trusted, is found', () => {
  const arrival = {
    ip: '198.51.100.7',
    peer: '127.0.0.1',
    host: 'phones.test',
    forwardedFor: '198.51.100.7',
    opened: 'https://phones.test',
  };
  const found = (more: Partial<typeof arrival>, trustProxy = ['loopback']) =>
    forwardingFindings(
      { publicUrl: 'https://phones.test', trustProxy },
      { ...arrival, ...more },
    ).map((one) => one.fix ?? one.found);
  expect(found({})).toEqual(['The proxy says who is asking: your address is 198.51.100.7.']);
  expect(found({ ip: '127.0.0.1' }, [])).toEqual(['Set TRUST_PROXY=loopback and restart.']);
  expect(found({ ip: '10.1.2.3', peer: '10.1.2.3' })).toEqual([
    'Set TRUST_PROXY=10.1.2.3 and restart.',
  ]);
  const bare = forwardingFindings(
    { publicUrl: 'https://phones.test', trustProxy: [] },
    { ...arrival, forwardedFor: undefined },
  );
  expect(bare[0]?.fix).toContain('X-Forwarded-For');
  expect(found({ host: '127.0.0.1:3000' })[0]).toContain('header Host');
  expect(found({ opened: 'https://other.test' })[0]).toContain('Set PUBLIC_URL');
});

test('the address is tested from outside: this server, another one, something else, nothing', async () => {
  await app.server.listen({ port: 0, host: '127.0.0.1' });
  const at = (port: number) => `http://127.0.0.1:${port}`;
  const own = at((app.server.server.address() as AddressInfo).port);
  const ask = async (publicUrl: string, more: object = {}) =>
    (await addressFindings({ ...settings, publicUrl, production: false, ...more })).map(
      ({ found }) => found,
    );
  expect(await ask(own)).toEqual([
    `${own} leads to this server.`,
    'Live connections (websockets) pass.',
  ]);
  expect(await ask(own, { production: true })).toContain(
    `PUBLIC_URL is ${own}, without TLS. Browsers give the microphone to https pages only.`,
  );
  expect(await ask(own, { appSecret: randomBytes(32) })).toEqual([
    `${own} leads to another Trunkline.`,
  ]);
  // A proxy that passes requests on, but no upgrades.
  const stranger = createServer((request, response) => {
    if (stranger.listening && request.url === '/livez' && passes)
      void fetch(`${own}/livez`).then(async (answer) => response.end(await answer.text()));
    else response.writeHead(502).end('bad gateway');
  }).listen(0, '127.0.0.1');
  await once(stranger, 'listening');
  const theirs = at((stranger.address() as AddressInfo).port);
  let passes = false;
  expect(await ask(theirs)).toEqual([`${theirs} answers with 502, but not as Trunkline.`]);
  passes = true;
  expect(await ask(theirs)).toEqual([
    `${theirs} leads to this server.`,
    'Live connections don’t pass: the answer was 502 instead of 101.',
  ]);
  stranger.close();
  await once(stranger, 'close');
  const [gone] = await addressFindings({ ...settings, publicUrl: theirs, production: false });
  expect(gone?.fix).toBe('Start the proxy, and open ports 80 and 443 in the firewall.');
});

test('staff add a company whose owner is mailed a link, sets a password by it and signs in', async () => {
  const reader = staff;
  const body = {
    name: 'Harbor Dental',
    timezone: 'America/Chicago',
    owner: { email: 'Olive@harbor.test', first_name: 'Olive', last_name: 'Owner' },
  };
  const add = (who: TestPerson, more: object = {}) =>
    app.as(who).request(platform.createPlatformCompany, { body: { ...body, ...more }, headers });
  expect((await add(reader)).body).toMatchObject({ code: 'admin.read_only' });
  const writer = await app.createStaff('writes');
  const { owner: outsider } = await app.createCompany('Zebra Taxi');
  expect((await add(outsider)).status).toBeGreaterThanOrEqual(401);
  const added = await add(writer);
  expect(added.status).toBe(201);
  expect(added.body.data).toMatchObject({ name: 'Harbor Dental', link: null });
  expect((await add(writer)).body).toMatchObject({ code: 'email.taken' });
  expect((await add(writer, { timezone: 'Mars/Base' })).status).toBe(422);

  const [mail] = await app.mails('Olive@harbor.test');
  const token = /reset-password\/(\S+)/.exec(mail!.text)![1]!;
  // Six days later it still works, unlike one that a person asks for.
  app.clock.advance(6 * 86_400);
  expect(
    (await app.as(null).request(identity.resetPassword, { body: { token, password } })).status,
  ).toBe(200);
  const signedIn = await app.as(null).inject({
    method: 'POST',
    url: '/api/sanctum/login',
    payload: { email: 'olive@harbor.test', password },
  });
  const me = await app.as(null).inject({
    method: 'GET',
    url: companies.getUser.path.replace(/^/, '/api'),
    headers: { authorization: `Bearer ${signedIn.body.token.access_token}` },
  });
  expect(me.body.data).toMatchObject({
    is_staff: false,
    companies: [{ id: added.body.data.id, name: 'Harbor Dental', role: 'owner' }],
  });
  const { rows } = await app.services.db.pool.query(
    'select company_id, action, actor_kind from audit_log where subject = $1 and company_id = $2',
    ['request:createPlatformCompany', added.body.data.id],
  );
  expect(rows.map((row) => [Number(row.company_id), row.action, row.actor_kind])).toEqual([
    [added.body.data.id, 'admin.acted', 'platform'],
  ]);
  expect(
    (await app.as(null).request(identity.resetPassword, { body: { token, password } })).body,
  ).toMatchObject({ code: 'reset.expired' });
});
