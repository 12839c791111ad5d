import { availableParallelism } from 'node:os';
import { Counter, Gauge, Histogram } from 'prom-client';
import { ApiError } from './errors.ts';

/**
 * What requests compete for, apart from each other (decision 115). `calls`: controlling a call that
 * somebody hears. `writes`: changes. `lists`: what a screen shows. `figures`: sums that every open
 * home page asks for again and again. `reports`: figures and files that read much.
 */
export const lanes = ['calls', 'writes', 'lists', 'figures', 'reports'] as const;
export type Lane = (typeof lanes)[number];

interface LaneLimits {
  /** Requests of the lane that use the database at a time, in this process. */
  slots: number;
  /** Of these, how many one company, and one person, can have. */
  perCompany: number;
  perPerson: number;
  /** How long a request waits for its slot before it is refused, in milliseconds. */
  deadlineMs: number;
  /** How long one statement may take, as a part of the installation's limit. */
  statementShare: number;
}

// More than the cores can work on only makes everybody wait for each other.
const share = Math.max(2, availableParallelism());
const writeShare = Math.min(4, share);
export const laneLimits: Readonly<Record<Lane, LaneLimits>> = {
  calls: { slots: 6, perCompany: 4, perPerson: 3, deadlineMs: 8000, statementShare: 1 },
  writes: {
    slots: 6,
    perCompany: writeShare,
    perPerson: writeShare,
    deadlineMs: 8000,
    statementShare: 1,
  },
  lists: {
    slots: Math.max(6, 2 * share + 2),
    perCompany: share,
    perPerson: share,
    deadlineMs: 4000,
    statementShare: 0.5,
  },
  figures: {
    slots: share + 1,
    perCompany: share,
    perPerson: share,
    deadlineMs: 8000,
    statementShare: 0.5,
  },
  reports: { slots: 3, perCompany: 1, perPerson: 1, deadlineMs: 12_000, statementShare: 1 },
};
/** A company that already has this many requests waiting in a lane is refused the next at once. */
const MOST_WAITING = 100;

/** Whose request it is; 0: unknown. */
export interface LaneUser {
  companyId: number;
  personId: number;
}

const running = new Gauge({
  name: 'lane_requests_running',
  help: 'Requests that use the database now, by lane',
  labelNames: ['lane'],
});
const waitSeconds = new Histogram({
  name: 'lane_wait_seconds',
  help: 'How long requests waited for a place in their lane',
  labelNames: ['lane'],
  buckets: [0.001, 0.01, 0.1, 0.5, 1, 2, 4, 8],
});
const refusals = new Counter({
  name: 'lane_refusals_total',
  help: 'Requests refused because their company had too many at once, by lane',
  labelNames: ['lane'],
});

interface Waiting extends LaneUser {
  begin: () => void;
}

/**
 * A number of slots that companies share: none has more than its part, and whoever has the fewest
 * comes first. The one that waits too long is refused with `busy`, so only those who caused the
 * queue feel it.
 */
export class LaneSlots {
  private readonly queue: Waiting[] = [];
  private readonly ofCompany = new Map<number, number>();
  private readonly ofPerson = new Map<number, number>();
  private used = 0;

  constructor(
    private readonly lane: Lane,
    private readonly limits: LaneLimits,
  ) {}

  /**
   * Waits for a slot; the function that it returns gives it back. A request that had one already
   * (`again`) comes first and is not refused: it may have written.
   * @throws ApiError `busy` after the lane's deadline, or when the company has too many waiting;
   * the signal's reason when it is aborted first
   */
  async enter(user: LaneUser, signal?: AbortSignal, again = false): Promise<() => void> {
    signal?.throwIfAborted();
    const since = performance.now();
    if (this.queue.length || !this.hasRoom(user)) await this.wait(user, signal, again);
    else this.count(user, 1);
    waitSeconds.observe({ lane: this.lane }, (performance.now() - since) / 1000);
    let isBack = false;
    return () => {
      if (isBack) return;
      isBack = true;
      this.count(user, -1);
      this.next();
    };
  }

  private wait(user: LaneUser, signal: AbortSignal | undefined, again: boolean): Promise<void> {
    const before = this.queue.filter(({ companyId }) => companyId === user.companyId).length;
    if (!again && before >= MOST_WAITING) return Promise.reject(this.refusal());
    return new Promise((resolve, reject) => {
      const leave = (reason: unknown) => {
        this.queue.splice(this.queue.indexOf(one), 1);
        settle();
        reject(reason instanceof Error ? reason : new Error(String(reason)));
      };
      const onAbort = () => leave(signal?.reason);
      const timer = again
        ? undefined
        : setTimeout(() => leave(this.refusal()), this.limits.deadlineMs);
      const settle = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      const one: Waiting = {
        ...user,
        begin: () => {
          settle();
          resolve();
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      if (again) this.queue.unshift(one);
      else this.queue.push(one);
      // Those who wait may all be at their own limit.
      this.next();
    });
  }

  private refusal(): ApiError {
    refusals.inc({ lane: this.lane });
    return new ApiError('busy');
  }

  private hasRoom({ companyId, personId }: LaneUser): boolean {
    const { slots, perCompany, perPerson } = this.limits;
    return (
      this.used < slots &&
      (!companyId || (this.ofCompany.get(companyId) ?? 0) < perCompany) &&
      (!personId || (this.ofPerson.get(personId) ?? 0) < perPerson)
    );
  }

  private count({ companyId, personId }: LaneUser, by: 1 | -1): void {
    this.used += by;
    running.set({ lane: this.lane }, this.used);
    add(this.ofCompany, companyId, by);
    add(this.ofPerson, personId, by);
  }

  /** Lets in whoever may enter, those of the companies with the fewest running first. */
  private next(): void {
    while (this.used < this.limits.slots) {
      let best: Waiting | null = null;
      for (const one of this.queue)
        if (this.hasRoom(one) && (!best || this.runningOf(one) < this.runningOf(best))) best = one;
      if (!best) return;
      this.queue.splice(this.queue.indexOf(best), 1);
      this.count(best, 1);
      best.begin();
    }
  }

  private runningOf = ({ companyId }: LaneUser): number => this.ofCompany.get(companyId) ?? 0;
}

function add(counts: Map<number, number>, id: number, by: number): void {
  if (!id) return;
  const now = (counts.get(id) ?? 0) + by;
  if (now) counts.set(id, now);
  else counts.delete(id);
}

/**
 * The slot of one request: taken with its first connection and given back with its last, so that
 * work which needs two connections at once can't wait for itself.
 */
export class RequestSlot {
  private held = 0;
  private hadOne = false;
  private slot: Promise<() => void> | null = null;

  constructor(
    private readonly slots: LaneSlots,
    private readonly user: LaneUser,
    readonly signal: AbortSignal | undefined,
  ) {}

  /** Called before a connection is taken. */
  async enter(): Promise<void> {
    this.held += 1;
    this.slot ??= this.slots.enter(this.user, this.signal, this.hadOne);
    try {
      await this.slot;
      this.hadOne = true;
    } catch (error) {
      this.held -= 1;
      this.slot = null;
      throw error;
    }
  }

  /** Called after a connection is released. */
  leave(): void {
    this.held -= 1;
    if (this.held > 0) return;
    const { slot } = this;
    this.slot = null;
    void slot?.then((giveBack) => giveBack());
  }
}
