import { OAuth2Server } from 'oauth2-mock-server';
import { afterAll, expect, test } from 'vitest';
import { sso } from '#contract';
import { createOrganization } from '../../../../test/support/sso-organization.ts';
import { createTestApp } from '../../../../test/support/test-app.ts';
import { ownProviders } from '../../../adapters/sign-in-organizations/own-providers.ts';
import { DnsUnavailableError } from '../../../gateways/dns.ts';
import { systemCtx } from '../../../platform/context.ts';
import { unseal } from '../../../platform/secrets.ts';
import { checkDueDomains } from './domains.ts';

const provider = new OAuth2Server();
await provider.issuer.keys.generate('RS256');
await provider.start(0, '127.0.0.1');
const issuer = provider.issuer.url!; // started
afterAll(() => provider.stop());
const app = await createTestApp({
  ports: { ownProviders: ownProviders({ isPrivateAllowed: true }) },
});
const { pool } = app.services.db;

const body = { issuer, client_id: 'client', client_secret: 'a secret' };
const publish = (host: string, value: string) =>
  app.as(null).inject({
    method: 'PUT',
    url: '/sandbox/dns',
    payload: { records: [{ type: 'TXT', host, value }] },
  });
/** The code of an error. */
const codeOf = ({ body }: { body: unknown }) => (body as { code?: string }).code;
const logOf = async (companyId: number) =>
  (
    await pool.query<{ action: string }>(
      `select action from audit_log where company_id = $1 and action like 'sso.%' order by id`,
      [companyId],
    )
  ).rows.map(({ action }) => action);
const checkDue = () => checkDueDomains(systemCtx(app.services, 0, app.notifier));

test('an administrator connects a provider; its secret is sealed and never shown', async () => {
  const { id, company, owner, as, params } = await createOrganization(app);
  expect((await as.request(sso.getSso, { params })).body.data).toMatchObject({
    connection: null,
    domains: [],
    redirect_uri: `${app.services.settings.publicUrl}/api/oauth/sso/${id}/callback`,
  });
  const saved = await as.request(sso.saveSso, { params, body });
  expect(saved.body.data.connection).toMatchObject({
    issuer,
    client_id: 'client',
    groups_claim: 'groups',
  });
  expect(JSON.stringify(saved.body)).not.toContain('a secret');
  const { rows } = await pool.query('select * from sso_connection where organization_id = $1', [
    id,
  ]);
  expect(unseal(app.services.settings.appSecrets, rows[0].secret_sealed)).toBe('a secret');
  // Without a secret the stored one stays, of the same issuer.
  const { client_secret: _, ...kept } = body;
  const again = await as.request(sso.saveSso, {
    params,
    body: { ...kept, client_id: 'other', groups_claim: 'roles' },
  });
  expect(again.body.data.connection).toMatchObject({ client_id: 'other', groups_claim: 'roles' });
  expect((await as.request(sso.removeSso, { params })).status).toBe(204);
  expect(codeOf(await as.request(sso.removeSso, { params }))).toBe('sso.not_set_up');
  expect(await logOf(company.id)).toEqual(['sso.connected', 'sso.changed', 'sso.disconnected']);
  const log = await pool.query('select before, after from audit_log where company_id = $1', [
    company.id,
  ]);
  expect(JSON.stringify(log.rows)).not.toMatch(/a secret|secret_sealed/);
  expect((await app.mails(owner.email)).map(({ subject }) => subject)).toEqual([
    'Single sign-on of Harborline was set up',
    'Single sign-on of Harborline was changed',
    'Single sign-on of Harborline was disconnected',
  ]);
});

test('a stored secret isn’t sent to another issuer', async () => {
  const { as, params } = await createOrganization(app);
  await as.request(sso.saveSso, { params, body });
  const other = new OAuth2Server();
  await other.issuer.keys.generate('RS256');
  await other.start(0, '127.0.0.1');
  const moved = await as.request(sso.saveSso, {
    params,
    body: { issuer: other.issuer.url!, client_id: 'client' },
  });
  expect(moved.body).toMatchObject({
    status: 422,
    errors: { client_secret: ['Enter the client secret.'] },
  });
  await other.stop();
});

test('a provider that can’t be used is refused with the reason', async () => {
  const { as, params } = await createOrganization(app);
  const problem = async (said: string) =>
    (await as.request(sso.testSso, { params, body: { issuer: said } })).body.data.problem;
  expect(await problem(issuer)).toBeNull();
  expect(await problem(`${issuer}/`)).toBe(
    `This provider calls itself ${issuer}. Enter exactly that.`,
  );
  expect(await problem(`${issuer}/realm`)).toMatch(/^There is no OpenID discovery document at /);
  expect(await problem('http://127.0.0.1:1')).toMatch(/^127\.0\.0\.1:1 didn’t answer/);
  expect(await problem('https://login.microsoftonline.com/common/v2.0')).toMatch(
    /Use the one of your directory/,
  );
  const refused = await as.request(sso.saveSso, {
    params,
    body: { issuer: `${issuer}/`, client_id: 'c', client_secret: 's' },
  });
  expect(refused.body).toMatchObject({ status: 422, errors: { issuer: [/calls itself/] } });
  for (const wrong of ['', 'id.example.com', 'ftp://id.example.com', 'https://a.test/?x=1'])
    expect((await as.request(sso.testSso, { params, body: { issuer: wrong } })).status).toBe(422);
});

test('addresses of our own network are never asked, unless the operator allows it', async () => {
  const guarded = ownProviders({ isPrivateAllowed: false });
  for (const inside of [issuer, 'http://localhost', 'http://169.254.169.254', 'http://[::1]'])
    expect([inside, await guarded.check(inside)]).toEqual([inside, { is: 'private' }]);
});

test('only administrators of this organization see and change it', async () => {
  const a = await createOrganization(app);
  const b = await createOrganization(app);
  const admin = await app.createPerson(a.company.id, 'administrator');
  for (const [who, status] of [
    [b.as, 404],
    [app.as(admin), 403],
    [app.as(null), 401],
  ] as const) {
    const { params } = a;
    expect((await who.request(sso.getSso, { params })).status).toBe(status);
    expect((await who.request(sso.saveSso, { params, body })).status).toBe(status);
    expect(
      (await who.request(sso.addSsoDomain, { params, body: { domain: 'evil.test' } })).status,
    ).toBe(status);
  }
  await app.unconfirm(a.owner);
  expect(codeOf(await a.as.request(sso.saveSso, { params: a.params, body }))).toBe(
    'confirmation.required',
  );
});

test('a domain is proven by a TXT record, of one organization only', async () => {
  const a = await createOrganization(app);
  const b = await createOrganization(app);
  const named = { domain: 'Harborline-One.com' };
  const added = await a.as.request(sso.addSsoDomain, { params: a.params, body: named });
  const [domain] = added.body.data.domains;
  expect(domain).toMatchObject({ domain: 'harborline-one.com', state: 'pending' });
  const params = { ...a.params, domain: 'harborline-one.com' };
  const state = async () =>
    (await a.as.request(sso.checkSsoDomain, { params })).body.data.domains[0]!.state;
  expect(await state()).toBe('pending');
  await publish(domain!.record.host, 'trunkline-verification=v_another');
  expect(await state()).toBe('pending');
  // The same of both, before either is proven.
  const theirs = await b.as.request(sso.addSsoDomain, { params: b.params, body: named });
  await publish(domain!.record.host, domain!.record.value);
  expect(await state()).toBe('proven');
  const their = { ...b.params, domain: params.domain };
  expect(
    (await b.as.request(sso.checkSsoDomain, { params: their })).body.data.domains[0]!.state,
  ).toBe('pending');
  await publish(domain!.record.host, theirs.body.data.domains[0]!.record.value);
  expect(codeOf(await b.as.request(sso.checkSsoDomain, { params: their }))).toBe(
    'sso.domain_taken',
  );
  const c = await createOrganization(app);
  expect(codeOf(await c.as.request(sso.addSsoDomain, { params: c.params, body: named }))).toBe(
    'sso.domain_taken',
  );
  // Once it is removed there, it is free.
  expect((await a.as.request(sso.removeSsoDomain, { params })).status).toBe(204);
  expect(
    (await b.as.request(sso.checkSsoDomain, { params: their })).body.data.domains[0]!.state,
  ).toBe('proven');
  expect(await logOf(a.company.id)).toEqual([
    'sso.domain_added',
    'sso.domain_proven',
    'sso.domain_removed',
  ]);
});

test('what is no domain of one’s own is refused', async () => {
  const { as, params } = await createOrganization(app);
  for (const domain of [
    '',
    'com',
    'co.uk',
    '127.0.0.1',
    'a b.com',
    'me@acme.com',
    'https://acme.com',
  ])
    expect([
      domain,
      (await as.request(sso.addSsoDomain, { params, body: { domain } })).status,
    ]).toEqual([domain, 422]);
  const mailbox = await as.request(sso.addSsoDomain, { params, body: { domain: 'gmail.com' } });
  expect(mailbox.body).toMatchObject({ errors: { domain: [/belongs to everyone/] } });
});

test('a proof whose record is gone holds three days; name servers that are away end nothing', async () => {
  const { company, owner, as, params } = await createOrganization(app);
  await as.request(sso.addSsoDomain, { params, body: { domain: 'lost.com' } });
  const now = async () => (await as.request(sso.getSso, { params })).body.data.domains[0]!;
  const { record } = await now();
  await publish(record.host, record.value);
  await checkDue();
  expect((await now()).state).toBe('proven');

  const { dns } = app.services.gateways;
  app.services.gateways.dns = {
    name: 'away',
    lookup: () => Promise.reject(new DnsUnavailableError('away')),
  };
  app.clock.advance(25 * 3600);
  await checkDue();
  app.services.gateways.dns = dns;
  expect((await now()).state).toBe('proven');

  await publish(record.host, '');
  app.clock.advance(25 * 3600);
  await checkDue();
  const missing = await now();
  expect(missing.state).toBe('missing');
  const hours = (Date.parse(missing.ends_at!) - app.clock.value.getTime()) / 3_600_000;
  expect(Math.round(hours)).toBe(72);
  app.clock.advance(71 * 3600);
  await checkDue();
  expect((await now()).state).toBe('missing');
  app.clock.advance(3600);
  await checkDue();
  expect(await now()).toMatchObject({ state: 'pending', ends_at: null });
  expect(await logOf(company.id)).toEqual([
    'sso.domain_added',
    'sso.domain_proven',
    'sso.domain_lost',
  ]);
  expect((await app.mails(owner.email)).map(({ subject }) => subject)).toEqual([
    'The DNS record of lost.com is missing',
    'lost.com is no longer proven',
  ]);
});
