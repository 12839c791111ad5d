import { expect, it } from 'vitest';
import { tracking as contract } from '#contract';
import { DnsUnavailableError } from '../../../gateways/dns.ts';
import { hashToken, sessionCookieName } from '../../../platform/secrets.ts';
import { createTestApp } from '../../../../test/support/test-app.ts';
import { aSite, site } from '../../../../test/support/tracking-site.ts';
import { isSameNetwork } from '../script/same-network.ts';

/** Pages that call us at a subdomain of their own website. */
const app = await createTestApp();
const own = { host: 'phones.shop.example' };
type Shop = Awaited<ReturnType<typeof aSite>>;
const cookieOf = ({ headers }: Awaited<ReturnType<Shop['open']>>): string =>
  [headers['set-cookie']]
    .flat()
    .map(String)
    .find((one) => one.startsWith('_dni_')) ?? '';
const pairOf = (cookie: string): string => cookie.split(';')[0] ?? '';
const setHost = ({ owner }: Shop, firstPartyHost: string | null) =>
  app.as(owner).request(contract.updateScript, {
    params: { companyId: owner.companyId },
    body: { firstPartyHost },
  });
const scriptOf = async ({ owner }: Shop) =>
  (await app.as(owner).request(contract.getScript, { params: { companyId: owner.companyId } })).body
    .data;

it('keeps the visitor in a cookie of the subdomain, which knows them when the page forgot', async () => {
  const shop = await aSite(app, 3);
  const first = await shop.open({}, own);
  const cookie = cookieOf(first);
  const { visitorId } = first.body.data;
  expect(first.headers).toMatchObject({
    'access-control-allow-origin': site,
    'access-control-allow-credentials': 'true',
  });
  expect(cookie).toContain(`_dni_${shop.owner.companyId}=${visitorId};`);
  for (const part of ['Max-Age=34560000', 'Path=/api/dni/v1/', 'HttpOnly', 'SameSite=Lax'])
    expect(cookie).toContain(part);
  const later = await shop.open({}, { ...own, cookie: pairOf(cookie) });
  expect(later.body.data.visitorId).toBe(visitorId);
  expect(cookieOf(later)).toContain(`=${visitorId};`);
});

it('not at our own address, of another company, or where nothing is agreed; a refusal deletes it', async () => {
  const [shop, other] = [
    await aSite(app, 3, { consentMode: 'wait' }),
    await aSite(app, 3, { domains: ['shop.example'] }),
  ];
  const agreed = await shop.open({ consent: true }, own);
  const cookie = pairOf(cookieOf(agreed));
  const { visitorId } = agreed.body.data;
  expect(cookieOf(await shop.open({ consent: true }))).toBe('');
  for (const host of ['phones.other.example', 'shop.example.evil.example', 'www.shop.example']) {
    const there = await shop.open({ consent: true }, { host, cookie });
    expect(cookieOf(there), host).toBe('');
    expect(there.body.data.visitorId).not.toBe(visitorId);
  }
  expect((await other.open({}, { ...own, cookie })).body.data.visitorId).not.toBe(visitorId);
  const silent = await shop.open({}, { ...own, cookie });
  expect([silent.body.data.visitorId, cookieOf(silent)]).toEqual([null, '']);
  expect(cookieOf(await shop.open({ consent: false }, { ...own, cookie }))).toContain('Max-Age=0');
  await shop.change({ consentMode: 'anonymous' });
  const anonymous = await shop.open({}, { ...own, cookie });
  expect([anonymous.body.data.visitorId, cookieOf(anonymous)]).toEqual([null, '']);
});

it('whoever is signed in here is no one to a website’s page', async () => {
  const shop = await aSite(app, 1);
  const { id, companyId } = shop.owner;
  await app.services.db.pool.query('update session set cookie_hash = $1 where person_id = $2', [
    hashToken('tls_known'),
    id,
  ]);
  const cookie = `${sessionCookieName(app.services.settings.publicUrl)}=tls_known`;
  const read = {
    method: 'GET' as const,
    url: `/api/companies/${companyId}/trackingNumbers/script`,
  };
  expect((await app.as(null).inject({ ...read, headers: { cookie } })).status).toBe(200);
  expect((await shop.open({}, { ...own, cookie })).status).toBe(200);
});

it('is chosen by the company for its snippets, only below a website of its pools', async () => {
  const shop = await aSite(app, 1);
  for (const host of ['phones.other.example', 'shop.example', 'www.shop.example', 'xshop.example'])
    expect((await setHost(shop, host)).status, host).toBe(422);
  const { data } = (await setHost(shop, 'phones.shop.example')).body;
  expect(data.snippet).toContain('src="https://phones.shop.example/t/');
  expect(data.gtmTemplate.content).toContain('"https://phones.shop.example/t/*"');
  expect((await setHost(shop, null)).body.data.snippet).not.toContain('shop.example');
  const other = await aSite(app, 1, { domains: ['other.example'] });
  expect((await setHost(other, 'phones.shop.example')).status).toBe(422);
  expect((await scriptOf(other)).firstParty.host).toBeNull();
});

it('the pool says how long browsers really remember', async () => {
  const shop = await aSite(app, 1);
  expect((await shop.read()).remembered).toEqual({ days: 400, safariDays: 7, host: null });
  await shop.open({}, own);
  await expect
    .poll(async () => (await shop.read()).remembered)
    .toEqual({ days: 400, safariDays: 7, host: 'phones.shop.example' });
  await shop.rows(
    'update tracking_site set is_same_network = true where company_id = $1 returning host',
  );
  expect((await shop.read()).remembered).toMatchObject({ safariDays: 400 });
  app.clock.advance(31 * 86_400);
  expect((await shop.read()).remembered).toMatchObject({ safariDays: 7 });
  await shop.change({ consentMode: 'anonymous' });
  expect((await shop.read()).remembered).toMatchObject({ days: 0 });
});

it('a subdomain is in the website’s network by its address, and never by another name', async () => {
  const dns = (records: Record<string, string[]>) => ({
    name: 'test',
    lookup: async (type: string, host: string) => records[`${type} ${host}`] ?? [],
  });
  const a = { 'A www.shop.example': ['203.0.113.9'] };
  const at = (records: Record<string, string[]>) =>
    isSameNetwork(dns({ ...a, ...records }), 'www.shop.example', 'phones.shop.example');
  expect(await at({ 'A phones.shop.example': ['203.0.7.7'] })).toBe(true);
  expect(await at({ 'A phones.shop.example': ['198.51.100.7'] })).toBe(false);
  expect(await at({})).toBe(false);
  const alias = { 'CNAME phones.shop.example': ['phones.vendor.example'] };
  expect(await at({ 'A phones.shop.example': ['203.0.7.7'], ...alias })).toBe(false);
  const away = {
    name: 'test',
    lookup: () => Promise.reject(new DnsUnavailableError('No name server answered.')),
  };
  expect(await isSameNetwork(away, 'www.shop.example', 'phones.shop.example')).toBeNull();
});
