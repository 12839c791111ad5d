import { createVerify } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { tenant as contract, type Body } from '#contract';
import type { DnsRecordType } from '../../../gateways/dns.ts';
import { DnsUnavailableError } from '../../../gateways/dns.ts';
import { NoCertificateError } from '../../../gateways/certificates.ts';
import type { Mail } from '../../../gateways/mail.ts';
import { queueMail } from '../../../platform/mail.ts';
import { systemCtx } from '../../../platform/context.ts';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { jobs } from './jobs.ts';
import { hostRecord } from './rules.ts';

/** Name servers of the test: records by type and host. */
const published = new Map<string, string[]>();
let [isDnsDown, certificateProblem] = [false, ''];
const certified: string[][] = [];
const sent: Mail[] = [];
const app = await createTestApp({
  clock: 'still',
  env: { PUBLIC_URL: 'https://phones.test', CODES_PER_HOUR: '1000' },
  ports: {
    dns: {
      name: 'test',
      lookup: (type: DnsRecordType, host: string) =>
        isDnsDown
          ? Promise.reject(new DnsUnavailableError('down'))
          : Promise.resolve(published.get(`${type} ${host}`) ?? []),
    },
    certificates: {
      name: 'test',
      issue: (hosts, now) => {
        certified.push([...hosts]);
        return certificateProblem
          ? Promise.reject(new NoCertificateError(certificateProblem))
          : Promise.resolve({ expiresAt: new Date(now.getTime() + 90 * 86_400_000) });
      },
    },
    mail: { name: 'test', send: (mail) => Promise.resolve(void sent.push(mail)) },
  },
});
beforeEach(() => {
  published.clear();
  [isDnsDown, certificateProblem] = [false, ''];
  certified.length = 0;
  sent.length = 0;
});

let organizations = 0;
/** A company in an organization of its own, and the organization's administrator. */
async function createOrganization(): Promise<{ admin: TestPerson; owner: TestPerson }> {
  const { owner } = await app.createCompany();
  const admin = await app.createPerson(owner.companyId, 'user');
  await app.services.db.systemTransaction(async (tx) => {
    const { id } = await tx
      .insertInto('organization')
      .values({ name: 'Harbor Group', slug: `harbor-${++organizations}`, owner_id: admin.id })
      .returning('id')
      .executeTakeFirstOrThrow();
    await tx
      .updateTable('company')
      .set({ organization_id: id })
      .where('id', '=', owner.companyId)
      .execute();
    await tx
      .insertInto('organization_admin')
      .values({ organization_id: id, user_id: admin.id })
      .execute();
    await tx.deleteFrom('membership').where('user_id', '=', admin.id).execute();
  });
  return { admin, owner };
}
const paramsOf = ({ companyId }: TestPerson) => ({ params: { companyId } });
const publish = (records: readonly { type: string; host: string; value: string }[]) => {
  for (const { type, host, value } of records) published.set(`${type} ${host}`, [value]);
};
const tenantOf = async (person: TestPerson) =>
  (await app.as(person).request(contract.getTenant, paramsOf(person))).body.data;
const verify = (person: TestPerson, from_email = 'hello@harbor.test') =>
  app.as(person).request(contract.startSenderVerification, {
    ...paramsOf(person),
    body: { from_name: 'Harbor Group', from_email },
  });
const useDomain = (person: TestPerson, body: Partial<Body<typeof contract.setCustomDomain>> = {}) =>
  app.as(person).request(contract.setCustomDomain, {
    ...paramsOf(person),
    body: { domain: 'harbor.com', apiSubdomain: 'api', appSubdomain: 'app', ...body },
  });
/** Moves the clock and runs the job that checks DNS. */
async function later(minutes: number): Promise<void> {
  app.clock.advance(minutes * 60);
  await jobs[0]?.handler(systemCtx(app.services, 0, app.notifier), {}, { number: 1, last: false });
}

describe('tenant information', () => {
  test('administrators of the organization change it; the company’s own people can’t, nor others', async () => {
    const [{ admin, owner }, other] = [await createOrganization(), await createOrganization()];
    const body = { name: 'Harbor', website: 'https://harbor.com', primary_color: '#77EE77' };
    const change = (person: TestPerson, of = admin) =>
      app.as(person).request(contract.updateTenantInformation, { ...paramsOf(of), body });
    expect((await change(owner)).status).toBe(403);
    expect((await change(other.admin)).status).toBe(404);
    expect((await change(admin)).body.data).toMatchObject({ ...body, hostname: null });
    expect((await tenantOf(admin)).contrast_warnings).toEqual([
      expect.stringContaining('White text on your primary color has a contrast of 1.'),
    ]);
    expect(await tenantOf(other.admin)).toMatchObject({ id: null, name: 'Harbor Group' });
  });

  test('an administrator of another organization finds nothing here', async () => {
    const { owner } = await app.createCompany();
    const staff = await createOrganization();
    expect((await app.as(staff.admin).request(contract.getTenant, paramsOf(owner))).status).toBe(
      404,
    );
  });
});

describe('the sender of mail', () => {
  test('is pending until both records are published, then mail comes from it, signed', async () => {
    const { admin } = await createOrganization();
    const { body } = await verify(admin);
    expect(body.data.email_sender).toMatchObject({
      state: 'pending',
      domain: 'harbor.test',
      error: 'We can’t find these DNS records yet.',
      records: [
        { type: 'TXT', host: '_trunkline.harbor.test', found: null, ok: false },
        { type: 'TXT', host: 'trunkline._domainkey.harbor.test', found: null, ok: false },
      ],
    });
    const mail = async () => {
      sent.length = 0;
      const ctx = systemCtx(app.services, admin.companyId, app.notifier);
      await queueMail(ctx, { to: 'dana@example.test', subject: 'Hi', text: 'Hi', html: '<p>Hi' });
      await app.drainJobs();
      return sent.find(({ to }) => to === 'dana@example.test');
    };
    expect((await mail())?.from).toEqual({
      name: 'Harbor Group',
      address: null,
      replyTo: 'hello@harbor.test',
      dkim: null,
    });
    publish(body.data.email_sender.records.slice(0, 1));
    await later(15);
    expect((await tenantOf(admin)).email_sender.state).toBe('pending');
    publish(body.data.email_sender.records);
    await later(15);
    expect((await tenantOf(admin)).email_sender).toMatchObject({ state: 'verified', error: null });
    const signed = await mail();
    expect(signed?.from).toMatchObject({
      address: 'hello@harbor.test',
      replyTo: 'hello@harbor.test',
    });
    // The key in DNS is that of the signing key.
    const key = /p=(.*)$/.exec(body.data.email_sender.records[1]?.value ?? '')?.[1];
    const { createSign } = await import('node:crypto');
    const signature = createSign('sha256')
      .update('x')
      .sign(signed?.from?.dkim?.privateKey ?? '');
    expect(
      createVerify('sha256')
        .update('x')
        .verify(`-----BEGIN PUBLIC KEY-----\n${key}\n-----END PUBLIC KEY-----`, signature),
    ).toBe(true);
  });

  test('expires after 72 hours; outages of DNS change nothing; lost records make it fail', async () => {
    const { admin } = await createOrganization();
    const { records } = (await verify(admin)).body.data.email_sender;
    await later(71 * 60);
    expect((await tenantOf(admin)).email_sender.state).toBe('pending');
    await later(60);
    expect((await tenantOf(admin)).email_sender.state).toBe('expired');
    publish(records);
    expect((await verify(admin)).body.data.email_sender).toMatchObject({
      state: 'verified',
      error: null,
    });
    isDnsDown = true;
    await later(24 * 60);
    expect((await tenantOf(admin)).email_sender.state).toBe('verified');
    isDnsDown = false;
    published.clear();
    await later(24 * 60);
    expect((await tenantOf(admin)).email_sender.state).toBe('failed');
  });

  test('one sub-domain for both the app and the API is refused', async () => {
    const { admin } = await createOrganization();
    const answer = await useDomain(admin, { apiSubdomain: 'app', appSubdomain: 'App' });
    expect(answer.body).toMatchObject({
      status: 422,
      errors: { apiSubdomain: ['Enter a name other than the app’s.'] },
    });
  });

  test('a name of two lines and a telephone number without digits are refused', async () => {
    const { admin } = await createOrganization();
    const named = await app.as(admin).request(contract.startSenderVerification, {
      ...paramsOf(admin),
      body: { from_name: 'Harbor\r\nBcc: x@y.test', from_email: 'hello@harbor.test' },
    });
    const phoned = await app.as(admin).request(contract.updateTenantInformation, {
      ...paramsOf(admin),
      body: { support_phone: 'abc' },
    });
    expect([named.status, phoned.status]).toEqual([422, 422]);
  });

  test('an address at a mailbox provider is refused', async () => {
    const { admin } = await createOrganization();
    expect(await verify(admin, 'harbor@gmail.com')).toMatchObject({
      status: 422,
      body: { code: 'tenant.public_mailbox' },
    });
  });
});

describe('a custom domain', () => {
  test('leads to an address where the installation has no name', () => {
    const targets = ['phones.test', '192.0.2.7', '[2001:db8::7]'];
    expect(targets.map((target) => hostRecord('app.harbor.com', target))).toMatchObject([
      { type: 'CNAME', value: 'phones.test' },
      { type: 'A', value: '192.0.2.7' },
      { type: 'AAAA', value: '2001:db8::7' },
    ]);
  });

  test('waits for DNS, then its certificate, then shows the tenant at its host', async () => {
    const { admin } = await createOrganization();
    await app.as(admin).request(contract.updateTenantInformation, {
      ...paramsOf(admin),
      body: { name: 'Harbor', primary_color: '#123456' },
    });
    const { body } = await useDomain(admin, { authToken: 'sesame' });
    expect(body.data).toMatchObject({
      status: 'pending_dns',
      has_auth_token: true,
      records: [
        { type: 'TXT', host: '_trunkline.harbor.com' },
        { type: 'CNAME', host: 'api.harbor.com', value: 'phones.test' },
        { type: 'CNAME', host: 'app.harbor.com', value: 'phones.test' },
      ],
    });
    expect(JSON.stringify(body)).not.toContain('sesame');
    const config = async (hostname: string) =>
      (await app.as(null).request(contract.getTenantConfig, { query: { hostname } })).body.data;
    const allowed = async (domain: string) =>
      (await app.as(null).request(contract.tlsAllowed, { query: { domain } })).status;
    expect(await config('app.harbor.com')).toMatchObject({ name: 'Trunkline' });
    expect(await allowed('app.harbor.com')).toBe(404);

    publish(body.data.records);
    certificateProblem = 'app.harbor.com: the proxy didn’t answer in time';
    await later(15);
    const state = async () =>
      (await app.as(admin).request(contract.getCustomDomain, paramsOf(admin))).body.data;
    expect(await state()).toMatchObject({
      status: 'issuing_certificate',
      error: certificateProblem,
    });
    expect(await allowed('api.harbor.com')).toBe(200);
    certificateProblem = '';
    await later(15);
    expect(await state()).toMatchObject({ status: 'active', error: null });
    expect(certified.at(-1)).toEqual(['api.harbor.com', 'app.harbor.com']);
    expect(await config('APP.harbor.com:443')).toMatchObject({
      name: 'Harbor',
      primary_color: '#123456',
    });
    expect((await tenantOf(admin)).hostname).toBe('app.harbor.com');
  });

  test('that another organization has proven is refused; one that it only claimed isn’t', async () => {
    const [first, second] = [await createOrganization(), await createOrganization()];
    const { records } = (await useDomain(first.admin, { domain: 'pier.com' })).body.data;
    expect((await useDomain(second.admin, { domain: 'pier.com' })).status).toBe(200);
    publish(records);
    expect((await useDomain(first.admin, { domain: 'pier.com' })).body.data.status).toBe('active');
    expect(await useDomain(second.admin, { domain: 'pier.com' })).toMatchObject({
      status: 409,
      body: { message: 'Another organization already uses api.pier.com.' },
    });
    const { body } = await app.as(second.admin).request(contract.checkCustomDomain, {
      ...paramsOf(second.admin),
      query: { domainName: 'https://www.pier.com/about' },
    });
    expect(body.data).toEqual({
      valid: true,
      registrable_domain: 'pier.com',
      suggestions: { api: 'api.pier.com', app: 'app.pier.com' },
      conflicts: ['api.pier.com', 'app.pier.com'],
    });
  });

  test.each(['co.uk', '192.0.2.1', 'localhost', 'not a domain', 'com', '…'])(
    '%s is no domain',
    async (domainName) => {
      const { admin } = await createOrganization();
      const { body } = await app.as(admin).request(contract.checkCustomDomain, {
        ...paramsOf(admin),
        query: { domainName },
      });
      expect(body.data.valid).toBe(false);
      expect((await useDomain(admin, { domain: domainName })).status).toBe(422);
    },
  );

  test('whose records are gone waits for them again', async () => {
    const { admin } = await createOrganization();
    const { records } = (await useDomain(admin, { domain: 'dock.com' })).body.data;
    publish(records);
    expect((await useDomain(admin, { domain: 'dock.com' })).body.data.status).toBe('active');
    published.clear();
    await later(24 * 60);
    const state = async () =>
      (await app.as(admin).request(contract.getCustomDomain, paramsOf(admin))).body.data?.status;
    expect(await state()).toBe('pending_dns');
    await later(72 * 60);
    expect(await state()).toBe('failed');
  });
});
