import type { FastifyInstance } from 'fastify';
import { tracking as contract } from '#contract';
import { systemCtx, type OutboxNotifier, type Services } from '../../../platform/context.ts';
import { asEvent, type FeedItem } from './feed-rows.ts';

const NAME = 'trackingFeed';
/** How long rows wait for others, so that one statement publishes them. */
const WAIT_MS = 250;
/** Rows of one company that a process publishes of such a time; the answer has all. */
const MOST_ROWS = 50;

/**
 * The live feed of a web process: rows about visits are collected and published together, after
 * what they tell of is stored. A page that opens never waits for it, and one busy website can't
 * crowd out other events: of more than 200 rows a second, heartbeats go first.
 */
export class LiveFeed {
  private waiting = new Map<number, FeedItem[]>();
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly services: Services,
    private readonly notifier: OutboxNotifier,
  ) {}

  /** Takes rows of a company. */
  tell(companyId: number, items: readonly FeedItem[]): void {
    if (items.length === 0) return;
    const rows = this.waiting.get(companyId) ?? [];
    // Twice as many, so that there is something to choose from.
    rows.push(...items.slice(0, 2 * MOST_ROWS - rows.length));
    this.waiting.set(companyId, rows);
    this.timer ??= setTimeout(() => void this.flush(), WAIT_MS).unref();
  }

  /** Publishes what waits. Never rejects. */
  flush(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    const taken = [...this.waiting];
    this.waiting = new Map();
    this.running = this.running.then(async () => {
      for (const [companyId, items] of taken) await this.publish(companyId, items);
    });
    return this.running;
  }

  private async publish(companyId: number, items: readonly FeedItem[]): Promise<void> {
    const isBeat = ({ row }: FeedItem) => row.type === 'heartbeat';
    const chosen = [...items.filter((one) => !isBeat(one)), ...items.filter(isBeat)];
    try {
      await systemCtx(this.services, companyId, this.notifier).transaction((ctx) =>
        ctx.publishMany(contract.dniFeed, chosen.slice(0, MOST_ROWS).map(asEvent)),
      );
    } catch (error) {
      this.services.log.warn({ err: error, companyId }, 'rows of the live feed not published');
    }
  }
}

/** Starts the feed of a web process; when it closes, what waits is published first. */
export function startFeed(app: FastifyInstance, services: Services, notifier: OutboxNotifier) {
  const feed = new LiveFeed(services, notifier);
  app.decorate(NAME, feed);
  app.addHook('onClose', () => feed.flush());
}

/** The feed of the process that a request arrived at. */
export const feedOf = (app: FastifyInstance): LiveFeed => app.getDecorator<LiveFeed>(NAME);
