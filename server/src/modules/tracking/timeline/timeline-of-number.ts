import { formatDuration } from '#contract/duration';
import type { TxCtx } from '../../../platform/context.ts';
import type { TimelinePage } from '../../numbers/index.ts';
import { pageOf } from '../hits/page-of.ts';
import { countLeaseEvents, fixedSwaps, leaseEvents, type SeenEvent } from './store.ts';

const types = ['lease_started', 'lease_ended', 'swap_seen'] as const;
/** So many leases are looked through at first, and four times as many in each next step. */
const FIRST_STEP = 250;

const maySee = (ctx: TxCtx): boolean => ctx.may('dni.view') !== 'none';

/**
 * Entries of a number's timeline about visitors of websites: who was shown it, until when, and pages
 * that showed it. Newest first; none for people who can't see tracking. Read from leases and visits,
 * so they are there as long as those are kept.
 */
export async function timelineOfNumber(ctx: TxCtx, numberId: number, page: TimelinePage) {
  const wanted = types.filter((type) => page.types?.includes(type) ?? true);
  if (!wanted.length || !maySee(ctx)) return [];
  const asked = { numberId, wanted, before: page.before, limit: page.limit, now: ctx.now };
  const fixed = wanted.includes('swap_seen') ? await fixedSwaps(ctx.tx, ctx.companyId, asked) : [];
  const leased: SeenEvent[] = [];
  let upTo: Date | null = page.before?.at ?? ctx.now;
  // What leases of one step tell is complete from where the step begins: later ones are older.
  for (let leases = FIRST_STEP + page.limit; upTo && leased.length < page.limit; leases *= 4) {
    const step = await leaseEvents(ctx.tx, ctx.companyId, { ...asked, upTo, leases });
    leased.push(...step.events);
    upTo = step.since;
  }
  return [...leased, ...fixed].map(asEntry);
}

/** How many of these entries a number has; 0 for people who can't see tracking. */
export const countTimelineOfNumber = async (ctx: TxCtx, numberId: number): Promise<number> =>
  maySee(ctx) ? countLeaseEvents(ctx.tx, ctx.companyId, numberId, ctx.now) : 0;

const asEntry = (event: SeenEvent) => ({
  ...{ id: event.id, at: event.at, type: event.type },
  ...{ actor_type: 'system', actor_id: null, actor_name: '' },
  summary: summaryOf(event),
  before: null,
  after: {
    poolId: event.pool_id,
    leaseId: event.lease_id,
    sessionId: event.visit_id,
    source: event.source_label,
    campaign: event.campaign,
  },
});

function summaryOf({ type, source_label, campaign, url, seconds, is_shared }: SeenEvent): string {
  const from = [source_label, campaign].filter(Boolean).join(', ');
  if (type === 'lease_started')
    return `${is_shared ? 'Shown to one more visitor' : 'Shown to a visitor'}${from && ` from ${from}`}`;
  if (type === 'lease_ended') return `No longer shown, after ${formatDuration(seconds)}`;
  return `Swapped on ${url === null ? 'a page' : pageOf(url)}`;
}
