import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { Services } from './context.ts';
import { constantTimeEqual, seal, unseal } from './secrets.ts';

/** A webhook as it arrived. */
interface WebhookRequestCopy {
  /** Time of arrival, milliseconds since 1970. */
  at: number;
  url: string;
  headers: Record<string, string | string[] | undefined>;
  /** Base64. */
  body: string;
  /** The sender's address, for allow lists. */
  from: string;
}
interface StoredWebhook {
  path: string;
  sealed: string;
}

const FIRST_TRY_SECONDS = 2;
/** How often to look for webhooks that a process stored before it ended. */
const POLL_MS = 30_000;
const BATCH = 50;
/**
 * Webhooks held in memory while the database accepts none; further ones are lost unless the carrier
 * retries.
 */
const MAX_IN_MEMORY = 2000;
const retryHeader = 'x-kept-report';
const receivedAtHeader = 'x-kept-report-at';
const receivedAt = new WeakMap<FastifyRequest, number>();

/**
 * When this webhook first arrived, in milliseconds since 1970. The freshness of a carrier's
 * signature is judged by it, also for a stored webhook.
 */
export const webhookReceivedAt = (
  services: Pick<Services, 'now'>,
  request: FastifyRequest,
): number => receivedAt.get(request) ?? services.now().getTime();

/**
 * Stores carrier webhooks (`/carriers/…`) that were answered with 5xx, sealed and unchanged, and
 * retries them: some carriers never send twice (decision 49). The response stays a 5xx, so that
 * carriers that do retry will; handling the same webhook twice changes nothing. Each is injected
 * into its route again, in order of arrival, with its bytes and headers.
 */
export function retryFailedWebhooks(app: FastifyInstance, services: Services): void {
  const retries = new WebhookRetries(app, services);
  app.addHook('onRequest', async (request) => {
    if (retries.isRetry(request))
      receivedAt.set(request, Number(request.headers[receivedAtHeader]));
  });
  app.addHook('onSend', async (request, reply) => {
    const isFailed = reply.statusCode >= 500 && request.url.startsWith('/carriers/');
    if (isFailed && Buffer.isBuffer(request.body) && !retries.isRetry(request))
      await retries.keep(request, request.body);
  });
  app.addHook('onReady', () => {
    retries.wakeAfter(POLL_MS);
  });
  app.addHook('preClose', () => retries.stop());
}

class WebhookRetries {
  private readonly retryToken = randomBytes(24).toString('base64url');
  private readonly inMemory: StoredWebhook[] = [];
  private timer: NodeJS.Timeout | undefined;
  private closing = false;
  private busy: Promise<void> = Promise.resolve();

  constructor(
    private readonly app: FastifyInstance,
    private readonly services: Services,
  ) {}

  isRetry(request: FastifyRequest): boolean {
    const token = request.headers[retryHeader];
    return typeof token === 'string' && constantTimeEqual(token, this.retryToken);
  }

  async keep(request: FastifyRequest, body: Buffer): Promise<void> {
    const { log, settings } = this.services;
    const copy: WebhookRequestCopy = {
      at: webhookReceivedAt(this.services, request),
      url: request.url,
      headers: request.headers,
      body: body.toString('base64'),
      from: request.socket.remoteAddress ?? '',
    };
    const [path = ''] = request.url.split('?');
    const stored = { path, sealed: seal(settings.appSecrets, JSON.stringify(copy)) };
    try {
      await this.insert(stored);
      log.warn({ path }, 'a carrier webhook could not be stored yet; it is kept');
    } catch (error) {
      if (this.inMemory.length >= MAX_IN_MEMORY) {
        log.error({ err: error, path }, 'a carrier webhook is lost unless the carrier retries it');
        return;
      }
      this.inMemory.push(stored);
    }
    this.wakeAfter(FIRST_TRY_SECONDS * 1000);
  }

  wakeAfter(ms: number): void {
    clearTimeout(this.timer);
    if (this.closing) return;
    this.timer = setTimeout(() => {
      this.busy = this.poll();
    }, ms).unref();
  }

  async stop(): Promise<void> {
    this.closing = true;
    clearTimeout(this.timer);
    await this.busy;
  }

  private insert({ path, sealed }: StoredWebhook) {
    return sql`insert into webhook_retry (path, sealed, next_at)
      values (${path}, ${sealed},
          clock_timestamp() + make_interval(secs => ${FIRST_TRY_SECONDS}))`.execute(
      this.services.db.unscoped,
    );
  }

  private async poll(): Promise<void> {
    let isMoreSoon = false;
    try {
      for (let stored = this.inMemory[0]; stored; stored = this.inMemory[0]) {
        await this.insert(stored);
        this.inMemory.shift();
        isMoreSoon = true;
      }
      isMoreSoon = (await this.retryDue()) || isMoreSoon;
    } catch (error) {
      this.services.log.warn({ err: error }, 'kept carrier webhooks are waiting for the database');
      isMoreSoon = true;
    }
    this.wakeAfter(isMoreSoon ? FIRST_TRY_SECONDS * 1000 : POLL_MS);
  }

  /** Retries due webhooks. @returns whether more are due soon */
  private async retryDue(): Promise<boolean> {
    const { db, log } = this.services;
    for (const { id, path, sealed, tries } of await this.claimDue()) {
      const isStored = await this.replay(sealed).catch((error: unknown) => {
        log.error({ err: error, path }, 'a kept webhook can’t be read');
        return false;
      });
      if (isStored) await sql`delete from webhook_retry where id = ${id}`.execute(db.unscoped);
      else log.warn({ path, tries }, 'a kept carrier webhook could not be stored');
    }
    const { rows } = await sql`select from webhook_retry
      where next_at < clock_timestamp() + interval '30 seconds' limit 1`.execute(db.unscoped);
    return rows.length > 0;
  }

  /**
   * Due webhooks, oldest first. Their next attempt is postponed, so that no other process takes
   * them meanwhile.
   */
  private async claimDue() {
    const { rows } = await sql<{ id: number; path: string; sealed: string; tries: number }>`
      update webhook_retry r set tries = tries + 1, next_at = clock_timestamp()
        + least(interval '10 minutes', make_interval(secs => 15 * power(2, least(tries, 10))))
      from (select id from webhook_retry where next_at <= clock_timestamp()
        order by id limit ${BATCH} for update skip locked) due
      where r.id = due.id returning r.id, r.path, r.sealed, r.tries`.execute(
      this.services.db.unscoped,
    );
    return rows.sort((a, b) => a.id - b.id);
  }

  /** @returns whether its route stored it */
  private async replay(sealed: string): Promise<boolean> {
    const { appSecrets } = this.services.settings;
    const copy = JSON.parse(unseal(appSecrets, sealed)) as WebhookRequestCopy;
    const { 'content-length': _, ...headers } = copy.headers;
    const response = await this.app.inject({
      method: 'POST',
      url: copy.url,
      headers: {
        ...headers,
        [retryHeader]: this.retryToken,
        [receivedAtHeader]: String(copy.at),
      } as Record<string, string>,
      payload: Buffer.from(copy.body, 'base64'),
      remoteAddress: copy.from,
    });
    return response.statusCode < 500;
  }
}
