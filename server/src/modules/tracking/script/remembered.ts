import type { tracking as contract } from '#contract';
import type { PoolSettings } from '#contract/tracking/pool-schemas';
import type { Tx } from '../../../platform/db.ts';
import { isDomain } from '../pools/choose-pool.ts';
import { sitesSeen } from './store.ts';

/** Days; the longest that browsers keep a cookie, and Safari one that a page's script set. */
const DAYS = 400;
const SAFARI_DAYS = 7;
/** A website that wasn't heard from for longer says nothing about today. */
const LATELY_MS = 30 * 86_400_000;

/** How long browsers remember visitors of a pool's websites. */
export async function rememberedIn(
  tx: Tx,
  companyId: number,
  { domains, consentMode }: PoolSettings,
  now: Date,
): Promise<contract.Pool['remembered']> {
  if (consentMode === 'anonymous') return { days: 0, safariDays: 0, host: null };
  const sites = (await sitesSeen(tx, companyId)).filter(
    ({ host, last_seen_at }) =>
      now.getTime() - last_seen_at.getTime() < LATELY_MS &&
      domains.some((domain) => isDomain(host, domain)),
  );
  const own = sites.filter(
    ({ first_party_at }) =>
      first_party_at !== null && now.getTime() - first_party_at.getTime() < LATELY_MS,
  );
  // As long as at the website where it is shortest.
  const isKept =
    own.length > 0 && own.length === sites.length && own.every((one) => one.is_same_network);
  return {
    days: DAYS,
    safariDays: isKept ? DAYS : SAFARI_DAYS,
    host: own[0]?.first_party_host ?? null,
  };
}
