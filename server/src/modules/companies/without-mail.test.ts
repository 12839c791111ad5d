import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { companies, identity } from '#contract';
import { createTestApp } from '../../../test/support/test-app.ts';
import {
  createFirstOwnerLink,
  productionNotices,
  undeliveredMailNotice,
} from '../../start/notices.ts';

const env = {
  NODE_ENV: 'production',
  BACKUP_TO: '/mnt/backups',
  BACKUP_PASSPHRASE: 'only the operator knows',
  CARRIER: 'sandbox',
  APP_SECRET: randomBytes(32).toString('hex'),
  PUBLIC_URL: 'https://phones.test',
};
const app = await createTestApp({ env });
const { settings } = app.services;
const linkNow = () => createFirstOwnerLink({ ...settings, databaseUrl: settings.databaseUrl! });
const signup = (more: object) =>
  app.as(null).inject({
    method: 'POST',
    url: '/api/client/signup',
    payload: {
      email: 'ann@first.test',
      password: 'a long enough sentence',
      company_name: 'First',
      ...more,
    },
  });

test('production warns at start about a missing mail server and an unknown proxy', () => {
  const [mail, proxy, ...more] = productionNotices(settings);
  expect(mail).toContain('SMTP_URL is not set');
  expect(proxy).toContain('TRUST_PROXY is not set');
  expect(more).toEqual([]);
  expect(productionNotices({ ...settings, canMail: true, trustProxy: ['loopback'] })).toEqual([]);
  expect(productionNotices({ ...settings, canMail: true, publicUrl: 'http://10.0.0.8' })).toEqual(
    [],
  );
  const quiet = {
    ...settings,
    canMail: true,
    trustProxy: ['loopback'],
    carriers: ['twilio' as const],
  };
  expect(productionNotices({ ...quiet, faxCarrier: 'none' })).toEqual([
    expect.stringMatching(/can’t fax: FAX_CARRIER is not set/),
  ]);
  expect(productionNotices({ ...quiet, faxCarrier: 'sandbox' })).toEqual([
    expect.stringMatching(/^FAX_CARRIER=sandbox simulates faxes/),
  ]);
  expect(
    productionNotices({
      ...settings,
      canMail: true,
      trustProxy: ['loopback'],
      backup: { ...settings.backup, to: null },
    }),
  ).toEqual([expect.stringMatching(/^No backups are made: BACKUP_TO is not set/)]);
  expect(productionNotices({ ...settings, production: false })).toEqual([]);
});

test('without a mail server the first owner signs up by the latest one-time link from the log', async () => {
  expect((await app.as(null).request(companies.checkSignup)).body).toEqual({
    data: { open: true, first: true, mail: false },
  });
  expect((await signup({})).body).toMatchObject({
    status: 409,
    code: 'mail.not_set_up',
    message: 'This server can’t send email yet. Ask its operator to set SMTP_URL.',
  });
  const [older, newest] = [await linkNow(), await linkNow()];
  expect(newest).toMatch(/^https:\/\/phones\.test\/signup#key=owner_/);
  const keyOf = (link: string | null) => link!.split('#key=')[1]!;
  for (const owner_key of [keyOf(older), 'owner_nonsense'])
    expect((await signup({ owner_key })).body).toMatchObject({ code: 'signup.link_used' });
  const both = await Promise.all([
    signup({ owner_key: keyOf(newest) }),
    signup({ owner_key: keyOf(newest), email: 'eve@first.test' }),
  ]);
  expect(both.map((a) => a.status).toSorted()).toEqual([201, 409]);
  const made = both.find((a) => a.status === 201)!.body;
  const me = await app.as(null).inject({
    method: 'GET',
    url: '/api/user',
    headers: { authorization: `Bearer ${made.token.access_token}` },
  });
  expect(me.body.data.companies).toMatchObject([{ name: 'First', role: 'owner' }]);
  expect(await linkNow()).toBeNull();
  expect((await signup({ owner_key: keyOf(newest), email: 'eve@first.test' })).body).toMatchObject({
    code: 'signup.link_used',
  });
});

test('without a mail server, requests for emails fail for every address and store nothing', async () => {
  const { owner } = await app.createCompany();
  const forgot = (email: string) =>
    app.as(null).request(identity.forgotPassword, { body: { email } });
  for (const email of [owner.email, 'nobody@first.test'])
    expect((await forgot(email)).body).toMatchObject({ status: 409, code: 'mail.not_set_up' });
  for (const email of [owner.email, 'nobody@first.test'])
    expect((await signup({ email })).body).toMatchObject({ status: 409, code: 'mail.not_set_up' });
  expect(
    (await app.services.db.pool.query('select count(*)::int n from mail_outbox')).rows[0].n,
  ).toBe(0);
  expect((await app.as(null).inject({ method: 'GET', url: '/dev/outbox' })).status).toBe(404);
});

test('an unknown proxy is not trusted, not even in production', async () => {
  const { owner } = await app.createCompany();
  await app.as(null).inject({
    method: 'POST',
    url: '/api/sanctum/login',
    payload: { email: owner.email, password: 'trunkline-demo' },
    remoteAddress: '198.51.100.9',
    headers: { 'x-forwarded-for': '6.6.6.6' },
  });
  expect(
    (await app.as(owner).request(identity.listTokenSessions)).body.data.map((s) => s.ip),
  ).toContain('198.51.100.9');
});

test('the start log reports how many emails could not be delivered, and why', async () => {
  expect(await undeliveredMailNotice(settings.databaseUrl!)).toBeNull();
  await app.services.db.pool.query(
    `insert into mail_outbox (to_address, failed_at, error) values ('a@first.test', now(),
        'No such mailbox'), ('b@first.test', now() - interval '8 days', 'Older')`,
  );
  expect(await undeliveredMailNotice(settings.databaseUrl!)).toContain(
    'One email of the last seven days could not be delivered. Latest reason: No such mailbox.',
  );
});
