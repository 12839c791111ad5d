import type { PoolMode, PoolStatus, SkipReason } from '#contract/tracking/pool-rules';
import type { PoolSettings } from '#contract/tracking/pool-schemas';
import type { Classification } from '#contract/tracking/schemas';
import { readLanding } from '../classification/read-landing.ts';
import type { Landing } from '../classification/types.ts';

/** A pool as the choice needs it. */
export interface PoolForChoice {
  id: number | null;
  name: string;
  status: PoolStatus;
  mode: PoolMode;
  sourceIds: readonly number[];
  /** How many numbers it has; null: unknown yet, because the pool is still being edited. */
  size: number | null;
  settings: Pick<PoolSettings, 'domains' | 'includePaths' | 'excludePaths'>;
}
interface PoolChoice<P extends PoolForChoice> {
  pool: P | null;
  skipped: { pool: P; why: SkipReason }[];
}

/**
 * The pool whose number a visitor sees (A8.2): a pool for exactly this source, then one for every
 * source, then one for visitors; the older one where two are alike. Pure.
 * @param sourceOf the visit's source as a pool's settings make it
 */
export function choosePool<P extends PoolForChoice>(
  pools: readonly P[],
  visit: Landing,
  sourceOf: (pool: P) => Pick<Classification, 'source'>,
): PoolChoice<P> {
  const { page } = readLanding(visit);
  const skipped: PoolChoice<P>['skipped'] = [];
  const fitting: { pool: P; rank: number }[] = [];
  for (const pool of pools) {
    const why = page ? whyNot(pool, page.address, page.path, sourceOf) : 'other_domain';
    if (why) skipped.push({ pool, why });
    else fitting.push({ pool, rank: rankOf(pool) });
  }
  // Sorting is stable: of equals the first stays first.
  const [chosen, ...others] = fitting.toSorted((a, b) => a.rank - b.rank);
  for (const { pool } of others) skipped.push({ pool, why: 'less_specific' });
  return { pool: chosen?.pool ?? null, skipped };
}

const rankOf = ({ mode, sourceIds }: PoolForChoice): number =>
  mode === 'visitor' ? 3 : sourceIds.length === 0 ? 2 : 1;

function whyNot<P extends PoolForChoice>(
  pool: P,
  address: string,
  path: string,
  sourceOf: (pool: P) => Pick<Classification, 'source'>,
): SkipReason | null {
  const { domains, includePaths, excludePaths } = pool.settings;
  if (pool.status === 'paused') return 'paused';
  if (pool.status === 'archived') return 'archived';
  if (!domains.some((domain) => isDomain(address, domain))) return 'other_domain';
  if (excludePaths.some((pattern) => isPath(path, pattern))) return 'path_excluded';
  if (includePaths.length > 0 && !includePaths.some((pattern) => isPath(path, pattern)))
    return 'path_not_included';
  if (
    pool.mode === 'source' &&
    pool.sourceIds.length > 0 &&
    !pool.sourceIds.includes(sourceOf(pool).source.id)
  )
    return 'other_source';
  return pool.size === 0 ? 'no_numbers' : null;
}

/**
 * Whether a page's host and port are of this domain: `example.com` is itself and `www.`,
 * `*.example.com` every subdomain. A domain without a port means any.
 */
export function isDomain(address: string, domain: string): boolean {
  const [host = '', port = ''] = address.split(':');
  const [site = '', sitePort = ''] = domain.split(':');
  if (sitePort !== '' && sitePort !== port) return false;
  if (site.startsWith('*.')) return host.endsWith(site.slice(1)) && host.length >= site.length;
  return host.replace(/^www\./, '') === site.replace(/^www\./, '');
}

/** Whether a path is of a pattern in which `*` stands for any text. Upper and lower case are one. */
export function isPath(path: string, pattern: string): boolean {
  const [first = '', ...others] = pattern.toLowerCase().split('*');
  const last = others.pop();
  if (last === undefined) return path.replace(/(.)\/$/, '$1') === first.replace(/(.)\/$/, '$1');
  if (!path.startsWith(first) || path.length < first.length + last.length || !path.endsWith(last))
    return false;
  let from = first.length;
  for (const piece of others) {
    const at = path.indexOf(piece, from);
    if (at < 0) return false;
    from = at + piece.length;
  }
  return from <= path.length - last.length;
}

/**
 * The number that a source sees in a pool for sources: each of its sources the next number, so that
 * with as many numbers as sources a call tells them apart.
 * @param order all sources that the pool is for, in their order
 */
export function staticNumber(
  numbers: readonly string[],
  order: readonly number[],
  sourceId: number,
): string | null {
  const place = order.indexOf(sourceId);
  return numbers[Math.max(0, place) % Math.max(1, numbers.length)] ?? null;
}
