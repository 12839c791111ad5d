import { tracking as contract, type Body, type BodyIn } from '#contract';
import { systemCtx } from '../../src/platform/context.ts';
import { provisionNumber } from '../../src/modules/numbers/index.ts';
import type { TestApp } from './test-app.ts';

const browser =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36';
export const site = 'https://www.shop.example';
let line = 0;

/** An active number of a company. */
const aNumber = (app: TestApp, companyId: number) =>
  systemCtx(app.services, companyId, app.notifier).transaction((t) =>
    provisionNumber(t, { number: `+1631555${String(1000 + line++)}` }),
  );

/** For tests: a company with a pool of so many numbers for its website. */
export async function trackedSite(
  app: TestApp,
  size: number,
  settings: Partial<Body<typeof contract.createPool>> = {},
) {
  const { owner } = await app.createCompany();
  const { companyId } = owner;
  const numberIds: number[] = [];
  for (let i = 0; i < size; i++) numberIds.push(await aNumber(app, companyId));
  const defaultNumberId = await aNumber(app, companyId);
  const { data: pool } = (
    await app.as(owner).request(contract.createPool, {
      params: { companyId },
      body: { name: 'Site', numberIds, defaultNumberId, domains: ['shop.example'], ...settings },
    })
  ).body;
  /** A visitor opens a page; returns what the page shows. */
  const open = async (body: Partial<BodyIn<typeof contract.openVisit>> = {}) => {
    const answer = await app.as(null).request(contract.openVisit, {
      body: { companyKey: pool.companyKey, url: `${site}/`, targets: ['(212) 555-0100'], ...body },
      headers: { origin: site, 'user-agent': browser },
    });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    const { data } = answer.body;
    return { ...data, number: data.swaps[0]?.number ?? '' };
  };
  return { owner, pool, open, defaultNumberId };
}
