import { formatPhone, normalizePhone, type Answer, type tracking as contract } from '#contract';
import type { Ctx } from '../../../platform/context.ts';
import { cookieNames } from '../hits/captured.ts';
import type { Candidate } from '../pools/candidates.ts';
import { carriesVisitors, linksOf } from './linked-visit.ts';
import type { NewVisit } from './store.ts';
import { sessionToken } from './tokens.ts';

/** What a visitor sees. */
export interface Shown {
  /** Null: nothing is stored of the visit. */
  visitId: number | null;
  /** Null: the page stays as it is. */
  number: string | null;
  /** Of a number that is this visitor's or their source's; null: it is neither, or none. */
  numberId: number | null;
  /** No number was free for the visitor. */
  isExhausted: boolean;
  /** Null: the number is no one's own. */
  expiresAt: Date | null;
}

interface Given {
  companyId: number;
  pool: Candidate;
  visit: NewVisit;
  shown: Shown;
  /** The numbers that the page asks for, where the pool doesn't say which it replaces. */
  targets: readonly string[];
  /** Name of the source that a test is of; null: it is no test. */
  tested: string | null;
}

/** What the script hears about a visit, and does on the page. */
export function presentVisit(
  ctx: Ctx,
  { companyId, pool, visit, shown, targets, tested }: Given,
): Answer<typeof contract.openVisit>['data'] {
  const { visitId, number, expiresAt } = shown;
  const { swapTargets, heartbeatSeconds } = pool.settings;
  const selectorsOf = new Map(swapTargets.map((one) => [one.number, one.selectors ?? []]));
  const allowed = [...selectorsOf.keys()];
  const found = targets.flatMap((target) => normalizePhone(target) ?? []);
  // All that the pool replaces: the page may ask for some, and shows the others still.
  const wanted = allowed.length ? allowed : found;
  const links =
    visitId !== null && visit.visitorId !== null && carriesVisitors(pool.settings)
      ? linksOf(ctx, companyId, visitId, pool.settings)
      : null;
  return {
    visitorId: visitId === null ? null : visit.visitorId,
    sessionId: visitId === null ? null : sessionToken(ctx.settings.appSecrets, companyId, visitId),
    swaps:
      number === null
        ? []
        : [...new Set(wanted)].map((target) => ({
            target,
            number,
            display: {
              national: formatPhone(number, 'national'),
              international: formatPhone(number, 'international'),
              e164: number,
            },
            expiresAt: expiresAt && new Date(expiresAt).toISOString(),
            ...(selectorsOf.get(target)?.length && { selectors: selectorsOf.get(target) }),
          })),
    heartbeat: expiresAt ? heartbeatSeconds : 0,
    capture: { cookies: visitId === null ? [] : cookieNames(pool.settings) },
    ...(links && { links }),
    ...((links || tested !== null) && { extras: true }),
    ...(tested !== null && {
      test: [
        'Call tracking test',
        `Source: ${tested}`,
        `Pool: ${pool.name}`,
        number ?? 'No number',
      ],
    }),
  };
}
