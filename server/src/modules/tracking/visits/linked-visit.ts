import { randomUUID } from 'node:crypto';
import type { Ctx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import type { Candidate } from '../pools/candidates.ts';
import { isDomain } from '../pools/choose-pool.ts';
import { visitOfLink } from './store-links.ts';
import { linkToken, readLinkToken } from './tokens.ts';

type Settings = Candidate['settings'];

const TOKEN = /([?&])_dni=([^&#]*)(&?)/i;

/** An address without what carries a visitor from one website to another: it is never stored. */
export const withoutLink = (address: string): string =>
  address.replace(TOKEN, (_, before: string, __: string, after: string) => after && before);

/** The token in an address; null: none. */
export const linkIn = (address: string): string | null => TOKEN.exec(address)?.[2] || null;

/** Whether links of a pool's pages carry their visitors; not where visitors stay anonymous. */
export const carriesVisitors = ({ crossDomains, consentMode }: Settings): boolean =>
  crossDomains.length > 0 && consentMode !== 'anonymous';

/** What a page needs to carry its visitor to the company's other websites. */
export const linksOf = (ctx: Ctx, companyId: number, visitId: number, settings: Settings) => ({
  domains: [...new Set([...settings.crossDomains, ...settings.domains])],
  token: linkToken(ctx.settings.appSecrets, companyId, visitId, ctx.now),
});

/**
 * The visit with which a visitor arrives by a link of another website. Null: the token is forged, too
 * old, of another company, of a pool that this website isn't one of, or was used by another page.
 * @param page names the load of the page, which may ask again
 */
export async function linkedVisit(
  ctx: Ctx,
  { tx, companyId }: { tx: Tx; companyId: number },
  {
    token,
    site,
    page,
    pools,
    since,
  }: {
    token: string;
    site: string;
    page: number | undefined;
    pools: readonly (Candidate & { id: number })[];
    since: Date;
  },
): Promise<{ id: number; visitor_id: string; pool_id: number } | null> {
  const read = readLinkToken(ctx.settings.appSecrets, token, ctx.now);
  if (read?.companyId !== companyId) return null;
  const from = pools
    .filter(({ status, settings }) => status === 'active' && carriesVisitors(settings))
    .filter(({ settings }) =>
      [...settings.crossDomains, ...settings.domains].some((domain) => isDomain(site, domain)),
    );
  const use = { at: read.at.toString(36), page: String(page ?? randomUUID()) };
  return visitOfLink(
    tx,
    companyId,
    { id: read.visitId, pools: from.map(({ id }) => id), since },
    use,
  );
}
