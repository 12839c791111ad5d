import type { FastifyInstance } from 'fastify';
import type { DropReason, HitStep } from '#contract/tracking/hit-rules';
import type { Services } from '../../../platform/context.ts';
import type { FeedItem } from '../feed/feed-rows.ts';
import { feedOf, type LiveFeed } from '../feed/live-feed.ts';
import { carriesVisitors } from '../visits/linked-visit.ts';
import { groupBy, isDataError, mapLimited } from './batching.ts';
import { CompanySites } from './company-sites.ts';
import { HitCounts } from './counts.ts';
import type { Hit, Outcome } from './hit.ts';
import { timed, waitingHits } from './metrics.ts';
import type { Batch } from './batch.ts';
import { steps } from './steps.ts';
import { makeDay, storeCounts } from './store.ts';

/** How long page views and events wait at most; a process that is killed loses these. */
const WAIT_MS = 1000;
/** So many are stored at once. */
const BATCH = 1000;
/** So many wait at most; what comes then isn't counted. */
const MOST_WAITING = 20_000;
/** Companies whose hits are stored at the same time. */
const COMPANIES_AT_ONCE = 2;
/** How often hits are tried again while the database fails; then they are given up. */
const MOST_TRIES = 30;

interface Waiting {
  hit: Hit;
  tries: number;
  settle?: { resolve: (outcome: Outcome) => void; reject: (error: unknown) => void };
}
interface Result extends Map<Hit, { outcome: Outcome; step: HitStep }> {}

/**
 * The lane of hits: page views and events wait a moment and are stored together; a heartbeat takes
 * along whatever waits and is answered when its lease is stored. Each web process has one.
 */
export class HitLane {
  private readonly counts = new HitCounts();
  readonly sites = new CompanySites();
  private waiting: Waiting[] = [];
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> | null = null;
  private countsDueAt = 0;
  private readonly days = new Set<string>();

  constructor(
    private readonly services: Services,
    private readonly feed: LiveFeed,
  ) {}

  /** Takes a page view or an event, to be stored within a second. */
  add(hit: Hit): void {
    if (this.waiting.length >= MOST_WAITING)
      return this.counts.dropped(hit.companyId, null, hit.kind, overloaded, hit.at);
    this.push({ hit, tries: 0 });
    if (this.waiting.length >= BATCH) void this.flush();
    else this.flushSoon();
  }

  /** Counts an opened visit; `dropped`: a visitor of whom nothing is stored. */
  countVisit(
    { companyId, poolId, at }: { companyId: number; poolId: number; at: Date },
    dropped: { step: HitStep; reason: DropReason } | null,
  ): void {
    if (dropped) this.counts.dropped(companyId, poolId, 'session', dropped, at);
    else this.counts.kept(companyId, poolId, 'session', at);
    this.flushSoon();
  }

  /** Stores a heartbeat, with whatever waits. Rejects when the database doesn't answer. */
  async beat(hit: Hit): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.push({ hit, tries: MOST_TRIES, settle: { resolve, reject } });
      void this.flush();
    });
  }

  /** Stores everything that waits, and the counts. Never rejects. */
  async stop(): Promise<void> {
    await this.flush();
    await this.storeCounts();
  }

  /** Stores what waits now and what arrives meanwhile. */
  private flush(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    return (this.running ??= this.run());
  }

  private push(one: Waiting): void {
    this.waiting.push(one);
    waitingHits.set(this.waiting.length);
  }

  private async run(): Promise<void> {
    const failed: Waiting[] = [];
    do {
      const batch = this.waiting.splice(0, BATCH);
      waitingHits.set(this.waiting.length);
      const byCompany = groupBy(batch, ({ hit }) => hit.companyId);
      await mapLimited([...byCompany], COMPANIES_AT_ONCE, async ([companyId, hits]) => {
        failed.push(...(await this.store(companyId, hits)));
      });
      if (performance.now() > this.countsDueAt) await this.storeCounts();
    } while (this.waiting.length > 0);
    // At once, so that whatever is pushed from here on begins the next run.
    this.running = null;
    this.waiting.unshift(...failed);
    if (failed.length > 0 || this.counts.any) this.flushSoon();
  }

  private flushSoon(): void {
    this.timer ??= setTimeout(() => void this.flush(), WAIT_MS).unref();
  }

  /** Stores hits of a company. Returns those to try again, because the database failed. */
  private async store(companyId: number, waiting: Waiting[]): Promise<Waiting[]> {
    try {
      const results = await this.runSteps(
        companyId,
        waiting.map(({ hit }) => hit),
      );
      for (const { hit, settle } of waiting) {
        const outcome = results.get(hit)?.outcome;
        if (outcome) settle?.resolve(outcome);
      }
      return [];
    } catch (error) {
      if (isDataError(error)) return this.storeAlone(companyId, waiting);
      this.services.log.warn({ err: error, companyId, n: waiting.length }, 'hits not stored');
      for (const one of waiting.filter(({ tries }) => tries >= MOST_TRIES)) {
        one.settle?.reject(error);
        const { kind, at } = one.hit;
        this.counts.dropped(companyId, null, kind, overloaded, at);
      }
      return waiting
        .filter(({ tries }) => tries < MOST_TRIES)
        .map((one) => ({ ...one, tries: one.tries + 1 }));
    }
  }

  /** One of them can't be stored: only that one is dropped. */
  private async storeAlone(companyId: number, waiting: Waiting[]): Promise<Waiting[]> {
    const [only, ...others] = waiting;
    if (only && others.length === 0) {
      const reason = { step: 'write', reason: 'not_storable' } as const;
      this.counts.dropped(companyId, null, only.hit.kind, reason, only.hit.at);
      only.settle?.resolve({ isKept: false, reason: 'not_storable' });
      return [];
    }
    const half = Math.ceil(waiting.length / 2);
    return [
      ...(await this.store(companyId, waiting.slice(0, half))),
      ...(await this.store(companyId, waiting.slice(half))),
    ];
  }

  private async runSteps(companyId: number, hits: Hit[]): Promise<Result> {
    await this.ensureDays(hits);
    const now = this.services.now();
    const results: Result = new Map();
    const visits: Batch['visits'] = new Map();
    const told: FeedItem[] = [];
    const tell = (row: FeedItem) => void told.push(row);
    const db = this.services.db.inLane('writes', { companyId, personId: 0 });
    await db.transaction({ companyId }, (tx) =>
      goThrough({ tx, companyId, now, visits, tell }, hits, results),
    );
    this.feed.tell(companyId, told);
    for (const [{ kind, visitId, at }, { outcome, step }] of results) {
      const poolId = visits.get(visitId)?.poolId ?? null;
      if (outcome.isKept) this.counts.kept(companyId, poolId, kind, at);
      else this.counts.dropped(companyId, poolId, kind, { step, reason: outcome.reason }, at);
    }
    return results;
  }

  /** Makes the partitions that these need, should the job not have made them. */
  private async ensureDays(hits: readonly Hit[]): Promise<void> {
    for (const { at } of hits) {
      const day = at.toISOString().slice(0, 10);
      if (this.days.has(day)) continue;
      await makeDay(this.services.db, at);
      this.days.add(day);
    }
  }

  private async storeCounts(): Promise<void> {
    this.countsDueAt = performance.now() + WAIT_MS;
    const { db, log } = this.services;
    for (const [companyId, rows] of this.counts.take())
      await db
        .inLane('writes', { companyId, personId: 0 })
        .transaction({ companyId }, (tx) => storeCounts(tx, companyId, rows))
        .catch((error: unknown) => {
          log.warn({ err: error, companyId }, 'counts of hits not stored');
          this.counts.giveBack(companyId, rows);
        });
  }
}

const overloaded = { step: 'buffer', reason: 'overloaded' } as const;

async function goThrough(
  given: Pick<Batch, 'tx' | 'companyId' | 'now' | 'visits' | 'tell'>,
  hits: readonly Hit[],
  results: Result,
): Promise<void> {
  const left = new Set(hits);
  const leasedUntil: Batch['leasedUntil'] = new Map();
  for (const step of steps) {
    const drop = (hit: Hit, reason: DropReason) => {
      left.delete(hit);
      results.set(hit, { outcome: { isKept: false, reason }, step: step.name });
    };
    await timed(step.name, async () => step.run({ ...given, leasedUntil, hits: left, drop }));
  }
  for (const hit of left) {
    const settings = given.visits.get(hit.visitId)?.settings;
    const isCarried = !!settings && carriesVisitors(settings);
    const expiresAt = leasedUntil.get(hit.visitId) ?? null;
    results.set(hit, { outcome: { isKept: true, expiresAt, isCarried }, step: 'write' });
  }
}

const LANE = 'hits';

/** Starts the lane of a web process; when it closes, what waits is stored first. */
export function startHits(app: FastifyInstance, services: Services): HitLane {
  const lane = new HitLane(services, feedOf(app));
  app.decorate(LANE, lane);
  app.addHook('onClose', () => lane.stop());
  return lane;
}

/** The lane of the process that a request arrived at. */
export const hitLaneOf = (app: FastifyInstance): HitLane => app.getDecorator<HitLane>(LANE);
