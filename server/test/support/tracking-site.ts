import { tracking as contract, type AnyEndpoint, type Body, type BodyIn } from '#contract';
import { feedOf } from '../../src/modules/tracking/feed/live-feed.ts';
import { hitLaneOf } from '../../src/modules/tracking/hits/hit-lane.ts';
import { provisionNumber } from '../../src/modules/numbers/index.ts';
import { systemCtx } from '../../src/platform/context.ts';
import type { TestApp, TestPerson } from './test-app.ts';

/** The website of every `aSite`. */
export const site = 'https://www.shop.example';
export const browser =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36';

let line = 100;
/** A number of the company, in no pool. Returns its ID. */
export const aNumber = (app: TestApp, person: TestPerson) =>
  systemCtx(app.services, person.companyId, app.notifier).transaction((t) =>
    provisionNumber(t, { number: `+1628555${8000 + line++}` }),
  );

/** A company with a pool of so many numbers for its website, and its default number. */
export async function aSite(
  app: TestApp,
  size: number,
  settings: Partial<Body<typeof contract.createPool>> = {},
) {
  const { owner } = await app.createCompany();
  const numberIds = [];
  for (let i = 0; i < size; i++) numberIds.push(await aNumber(app, owner));
  const defaultNumberId = await aNumber(app, owner);
  const { data: pool } = (
    await app.as(owner).request(contract.createPool, {
      params: { companyId: owner.companyId },
      body: { name: 'Site', numberIds, defaultNumberId, domains: ['shop.example'], ...settings },
    })
  ).body;
  const rows = async (query: string) =>
    (await app.services.db.pool.query(query, [owner.companyId])).rows;
  const read = async () =>
    (
      await app.as(owner).request(contract.getPool, {
        params: { companyId: owner.companyId, poolId: pool.id },
      })
    ).body.data;
  const change = (body: Body<typeof contract.updatePool>) =>
    app.as(owner).request(contract.updatePool, {
      params: { companyId: owner.companyId, poolId: pool.id },
      body,
    });
  const headersOf = (headers: Record<string, string>) => ({
    origin: site,
    'user-agent': browser,
    ...headers,
  });
  const open = (
    body: Partial<BodyIn<typeof contract.openVisit>> = {},
    headers: Record<string, string> = {},
  ) =>
    app.as(null).request(contract.openVisit, {
      body: { companyKey: pool.companyKey, url: `${site}/`, targets: ['(212) 555-0100'], ...body },
      headers: headersOf(headers),
    });
  return { owner, pool, defaultNumberId, rows, read, change, open };
}
export type Site = Awaited<ReturnType<typeof aSite>>;

/** The same; a visitor's page says at once what it shows, and fails if it can't be opened. */
export async function trackedSite(...given: Parameters<typeof aSite>) {
  const shop = await aSite(...given);
  const open = async (body: Parameters<Site['open']>[0] = {}) => {
    const answer = await shop.open(body);
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    const { data } = answer.body;
    return { ...data, number: data.swaps[0]?.number ?? '' };
  };
  return { ...shop, open };
}

/** The number that the visitor sees. */
export const numberIn = ({ body }: Awaited<ReturnType<Site['open']>>) => body.data.swaps[0]?.number;

/** What the script on a page sends, from its website. */
export const send = <E extends AnyEndpoint>(
  app: TestApp,
  endpoint: E,
  body: Record<string, unknown>,
  headers: Record<string, string> = {},
) =>
  app.as(null).inject({
    method: 'POST',
    url: `/api${endpoint.path}`,
    payload: body,
    headers: { origin: site, 'user-agent': browser, ...headers },
  });

/** Stores the page views and events that wait in the process, and their counts, and tells the feed. */
export const flushHits = async (app: TestApp) => {
  await hitLaneOf(app.server).stop();
  await feedOf(app.server).flush();
};

/** Leases that are running at the same time on one number, without being shared. */
export const doubledLeases = ({ rows }: Site) =>
  rows(`select number_id from tracking_lease a where company_id = $1 and not is_shared and exists (
     select from tracking_lease b where b.company_id = a.company_id and b.id <> a.id
       and b.number_id = a.number_id and not b.is_shared
       and tstzrange(b.started_at, coalesce(b.ended_at, b.expires_at))
         && tstzrange(a.started_at, coalesce(a.ended_at, a.expires_at)))`);
