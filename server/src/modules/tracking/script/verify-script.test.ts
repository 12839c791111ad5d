import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tracking as contract } from '#contract';
import type { ScriptFinding } from '#contract/tracking/script-rules';
import { publicPageReader } from '../../../adapters/pages/read-page.ts';
import type { PageReader } from '../../../gateways/web-pages.ts';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { aSite } from '../../../../test/support/tracking-site.ts';

/** Here this machine plays the open internet, under names of its own; one of them leads inside. */
let lab: PageReader = publicPageReader();
const isLab = (url: string): boolean => /^https?:\/\/[\w.-]+\.example:/.test(url);
const pages: PageReader = {
  fetchPage: async (url, options) =>
    (isLab(url) ? lab : publicPageReader()).fetchPage(url, options),
};
const app = await createTestApp({ ports: { pages, browser: null } });

let port = '';
let html = '';
let headers: Record<string, string> = {};
let status = 200;
const website = createServer((request, reply) => {
  const { pathname } = new URL(request.url ?? '/', 'http://x');
  const location = {
    '/inside': 'http://inside.example/secret',
    '/metadata': 'http://169.254.169.254/latest/meta-data',
    '/ours': `${new URL(app.services.settings.publicUrl).origin}/`,
    '/round': '/round',
    '/moved': '/page',
  }[pathname];
  if (location) reply.writeHead(302, { location }).end();
  else reply.writeHead(status, { 'content-type': 'text/html', ...headers }).end(html);
});
beforeAll(async () => {
  await new Promise<void>((resolve) => website.listen(0, '127.0.0.1', resolve));
  port = String((website.address() as AddressInfo).port);
  lab = publicPageReader({
    resolve: async (host) =>
      host === 'inside.example'
        ? ['10.0.0.7']
        : host === 'both.example'
          ? ['127.0.0.1', '10.0.0.7']
          : host === 'nowhere.example'
            ? []
            : ['127.0.0.1'],
    isPublic: (ip) => ip === '127.0.0.1',
    ports: ['', port],
  });
});
afterAll(() => {
  website.closeAllConnections();
  website.close();
});

const target = '+12125550100';
const aShop = (domains = ['www.shop.example']) =>
  aSite(app, 1, { domains, swapTargets: [{ number: target, formats: 'auto' }] });
type Shop = Awaited<ReturnType<typeof aShop>>;
const verify = async (person: TestPerson, url: string) => {
  const response = await app.as(person).request(contract.verifyScript, {
    params: { companyId: person.companyId },
    body: { url },
  });
  expect([response.status, response.body]).toEqual([200, expect.anything()]);
  return response.body.data;
};
const tagOf = ({ pool }: Shop, more = '', version = '1'): string =>
  `<script async src="https://phones.example.com/t/${pool.companyKey}/${version}/dni.js" ${more}></script>`;
/** What a page with this HTML says, as www.shop.example. */
async function look(shop: Shop, page: string, said: Record<string, string> = {}) {
  [html, headers, status] = [page, said, 200];
  return verify(shop.owner, `http://www.shop.example:${port}/page`);
}
const codes = ({ messages }: { messages: { code: ScriptFinding }[] }) =>
  messages.map(({ code }) => code);

it('a page as it should be: everything about it, and nothing to say', async () => {
  const shop = await aShop();
  const found = await look(
    shop,
    `<!doctype html><html><head><title>Shop</title>${tagOf(shop, 'integrity=x', '1.0.0')}</head><body>
     <p>Call (212) <b>555</b>-0100 or 212.555.0100</p><a href="tel:+12125550100">Call</a></body></html>`,
  );
  expect(found).toEqual({
    url: `http://www.shop.example:${port}/page`,
    finalUrl: `http://www.shop.example:${port}/page`,
    httpStatus: 200,
    checkedAt: expect.any(String),
    result: 'ok',
    scriptFound: true,
    companyKeyMatches: true,
    scriptCount: 1,
    location: 'head',
    version: '1.0.0',
    domainAllowed: true,
    seenLiveAt: null,
    targets: [
      {
        number: target,
        occurrences: 3,
        formats: ['(###) ###-####', '###.###.####'],
        willSwap: true,
        reason: null,
      },
    ],
    telLinks: 1,
    otherTrackers: [],
    cspBlocks: false,
    browser: {
      ...{ state: 'not_installed', scriptRan: false, version: null },
      ...{ numbers: [], swapped: 0, errors: [] },
    },
    messages: [],
  });
});

describe('each finding, by a page that provokes it', () => {
  const number = '<p>212-555-0100</p>';
  it.each<[ScriptFinding, (shop: Shop) => [html: string, headers?: Record<string, string>]]>([
    ['script_missing', () => [number]],
    ['wrong_key', (shop) => [tagOf(shop).replace(/\/t\/\d+-/, '/t/1-') + number]],
    ['duplicate_script', (shop) => [tagOf(shop) + tagOf(shop) + number]],
    ['after_error', (shop) => [`<!-- ${tagOf(shop)} --> ${number}`]],
    ['number_not_found', (shop) => [`${tagOf(shop)}<p>212-555-0199</p>`]],
    [
      'number_format_unknown',
      (shop) => [`${tagOf(shop)}<div>212</div><div>555</div><div>0100</div>`],
    ],
    [
      'other_number_script',
      (shop) => [
        `${tagOf(shop)}<script src="//cdn.callrail.com/companies/1/swap.js"></script>${number}`,
      ],
    ],
    [
      'csp_blocked',
      (shop) => [tagOf(shop) + number, { 'content-security-policy': "default-src 'self'" }],
    ],
    [
      'only_in_tag_manager',
      () => [
        `<script src="https://www.googletagmanager.com/gtm.js?id=GTM-ABC123"></script>${number}`,
      ],
    ],
  ])('%s', async (code, page) => {
    const shop = await aShop();
    const [text, said] = page(shop);
    const found = await look(shop, text, said);
    expect(codes(found)).toEqual([code]);
    const [message] = found.messages;
    expect(message?.text).not.toMatch(/[{}]/);
    expect(message?.fix).not.toMatch(/[{}]/);
    expect(found.result).toBe(message?.level === 'error' ? 'failed' : 'warning');
  });

  it('domain_not_in_pool', async () => {
    const shop = await aShop(['other.example']);
    const found = await look(shop, tagOf(shop) + number);
    expect(codes(found)).toEqual(['domain_not_in_pool']);
    expect(found).toMatchObject({ domainAllowed: false, result: 'failed' });
  });

  it('http_error: an error page, no such name, too many redirects', async () => {
    const { owner } = await aShop();
    [html, status] = ['no', 503];
    const at = (host: string, path: string) => verify(owner, `http://${host}:${port}${path}`);
    expect(await at('www.shop.example', '/page')).toMatchObject({ httpStatus: 503 });
    for (const [host, path] of [
      ['www.shop.example', '/page'],
      ['nowhere.example', '/'],
      ['www.shop.example', '/round'],
    ] as const)
      expect(codes(await at(host, path)), `${host}${path}`).toEqual(['http_error']);
  });

  it('timeout', async () => {
    const { owner } = await aShop();
    const slow = lab;
    lab = { fetchPage: async () => ({ ok: false, why: 'timeout', simulated: false }) };
    expect(codes(await verify(owner, `http://www.shop.example:${port}/`))).toEqual(['timeout']);
    lab = slow;
  });
});

it('a page behind redirects is judged by where they lead', async () => {
  const shop = await aShop();
  [html, headers, status] = [`${tagOf(shop)}<p>212-555-0100</p>`, {}, 200];
  expect(await verify(shop.owner, `http://www.shop.example:${port}/moved`)).toMatchObject({
    finalUrl: `http://www.shop.example:${port}/page`,
    result: 'ok',
  });
});

it('Tag Manager: a visitor’s browser that ran the script is the proof', async () => {
  const shop = await aShop();
  await shop.open(
    { url: `http://www.shop.example:${port}/` },
    { origin: `http://www.shop.example:${port}` },
  );
  await expect
    .poll(async () => shop.rows('select 1 from tracking_site where company_id = $1'))
    .toHaveLength(1);
  const found = await look(
    shop,
    '<script>(function(w,d){…})(window,document,"GTM-ABC123")</script><p>212-555-0100</p>',
  );
  expect(found).toMatchObject({ result: 'ok', location: 'tag_manager', scriptFound: false });
  expect(found.seenLiveAt).not.toBeNull();
});

it('a missing scheme is https', async () => {
  const { owner } = await aShop();
  expect((await verify(owner, 'www.nowhere.invalid/x')).url).toBe('https://www.nowhere.invalid/x');
});

const inside = [
  ...[
    'http://127.0.0.1',
    'http://127.1',
    'http://127.0.1',
    'http://2130706433',
    'http://0x7f000001',
  ],
  ...[
    'http://0177.0.0.1',
    'http://0x7f.1',
    'http://127.0.0.1.',
    'http://localhost',
    'http://LOCALHOST',
  ],
  ...['http://[::1]', 'http://[::]', 'http://[0:0:0:0:0:0:0:1]', 'http://[::ffff:127.0.0.1]'],
  ...[
    'http://[::ffff:7f00:1]',
    'http://[::127.0.0.1]',
    'http://[64:ff9b::7f00:1]',
    'http://[fe80::1]',
  ],
  ...['http://[fc00::1]', 'http://[fd12:3456::1]', 'http://0.0.0.0', 'http://0', 'http://10.0.0.1'],
  ...['http://10.255.255.255', 'http://172.16.0.1', 'http://172.31.255.1', 'http://192.168.0.1'],
  ...['http://192.168.1.1:80', 'http://169.254.169.254/latest/meta-data', 'http://100.64.0.1'],
  ...['http://192.0.2.1', 'http://198.18.0.1', 'http://224.0.0.1', 'http://255.255.255.255'],
  ...[
    'ftp://example.com',
    'file:///etc/passwd',
    'gopher://127.0.0.1:70',
    'http://user:pw@example.com',
  ],
  ...['http://example.com:22', 'http://127.0.0.1:6379', 'javascript:alert(1)', '////', 'http://'],
];
it(`${inside.length} forms of addresses that aren’t public are refused`, async () => {
  let owner: TestPerson | null = null;
  for (const [at, url] of inside.entries()) {
    if (at % 6 === 0) ({ owner } = await app.createCompany());
    const found = await verify(owner!, url);
    expect(codes(found)[0], url).toMatch(
      url.includes('localhost') || url.includes('LOCALHOST') || url.endsWith('.1.')
        ? /^(not_public_url|http_error)$/
        : /^not_public_url$/,
    );
    expect(found.httpStatus, url).toBeNull();
  }
});

it('nor after redirects, with a name that leads inside, or to our own server', async () => {
  const { owner } = await aShop();
  for (const url of [
    `http://www.shop.example:${port}/inside`,
    `http://www.shop.example:${port}/metadata`,
    `http://both.example:${port}/page`,
    `http://inside.example:${port}/page`,
    app.services.settings.publicUrl,
  ])
    expect(codes(await verify(owner, url)), url).toEqual(['not_public_url']);
});

it('six pages a minute and company', async () => {
  const { owner } = await app.createCompany();
  const statuses = [];
  for (let n = 0; n < 7; n += 1)
    statuses.push(
      (
        await app.as(owner).request(contract.verifyScript, {
          params: { companyId: owner.companyId },
          body: { url: 'http://10.0.0.1' },
        })
      ).status,
    );
  expect(statuses).toEqual([...Array.from({ length: 6 }, () => 200), 429]);
});

it('hostile HTML is read without harm', async () => {
  const shop = await aShop();
  for (const text of [
    '<'.repeat(200_000),
    '<a '.repeat(60_000),
    `<p ${'a="'.repeat(50_000)}`,
    '<script>'.repeat(20_000),
    '<div data-dni-noswap>'.repeat(20_000),
    '&#x110000;&#0;&#99999999;\u0000',
    '2'.repeat(300_000),
  ]) {
    const began = performance.now();
    const found = await look(shop, text);
    expect(found.scriptFound).toBe(false);
    expect(performance.now() - began, text.slice(0, 20)).toBeLessThan(5000);
    if (shop.owner) Object.assign(shop, { owner: (await app.createCompany()).owner });
  }
});
