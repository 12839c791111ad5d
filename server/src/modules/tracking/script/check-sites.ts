import { enqueueIn, type Ctx } from '../../../platform/context.ts';
import { checkSitesJob } from '../job-kinds.ts';
import { companiesWithSites, sitesToCheck, storeSiteCheck } from './store-site-checks.ts';
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
  for (const host of hosts) {
    const { data } = await verifyScript(ctx, { url: `https://${host}/` });
    if (data.httpStatus === null || data.httpStatus >= 400) continue;
    await ctx.inBackground().transaction((t) =>
      storeSiteCheck(t.tx, ctx.companyId, {
        ...{ host, at: ctx.now, isFound: data.scriptFound, count: data.scriptCount },
        hasWrongKey: data.scriptFound && !data.companyKeyMatches,
      }),
    );
  }
}
