import { enqueueIn, type Ctx } from '../../../platform/context.ts';
import { checkSitesJob } from '../job-kinds.ts';
import { isSameNetwork } from './same-network.ts';
import {
  companiesWithSites,
  firstPartySites,
  sitesToCheck,
  storeNetwork,
  storeSiteCheck,
} from './store-site-checks.ts';
import { verifyScript } from './verify-script.ts';

// The system role: finds the companies whose websites are looked at.

/** Every hour: queues a look at the websites of each company whose script reported lately. */
export const startSiteChecks = (ctx: Ctx): Promise<void> =>
  ctx.db.systemTransaction(async (tx) => {
    for (const companyId of await companiesWithSites(tx, ctx.now))
      await enqueueIn(
        tx,
        checkSitesJob,
        { companyId },
        { key: `tracking.checkSites:${companyId}` },
      );
  });

/**
 * Looks at the front page of each website where the company's script was heard from, and keeps what
 * its HTML says. A website that doesn't answer stays as it was found before.
 */
export async function checkSites(ctx: Ctx): Promise<void> {
  const hosts = await ctx
    .inBackground()
    .transaction((t) => sitesToCheck(t.tx, ctx.companyId, ctx.now));
  await checkNetworks(ctx);
  for (const host of hosts) {
    const { data } = await verifyScript(ctx, { url: `https://${host}/` }, null);
    if (data.httpStatus === null || data.httpStatus >= 400) continue;
    await ctx.inBackground().transaction((t) =>
      storeSiteCheck(t.tx, ctx.companyId, {
        ...{ host, at: ctx.now, isFound: data.scriptFound, count: data.scriptCount },
        hasWrongKey: data.scriptFound && !data.companyKeyMatches,
      }),
    );
  }
}

/** Asks where subdomains of websites lead. One that no name server knows stays as it was found before. */
async function checkNetworks(ctx: Ctx): Promise<void> {
  const sites = await ctx
    .inBackground()
    .transaction((t) => firstPartySites(t.tx, ctx.companyId, ctx.now));
  for (const { host, first_party_host } of sites) {
    const isSame = await isSameNetwork(
      ctx.gateways.dns,
      host.split(':')[0] ?? '',
      first_party_host,
    );
    if (isSame !== null)
      await ctx.inBackground().transaction((t) => storeNetwork(t.tx, ctx.companyId, host, isSame));
  }
}
