import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { Services } from './context.ts';
import { constantTimeEqual, seal, unseal } from './secrets.ts';

/** One report as it came; `body` is base64. `from`: who connected, for address lists. `at`: when, milliseconds since 1970. */
interface WebhookRequestCopy {
  at: number;
  url: string;
  headers: Record<string, string | string[] | undefined>;
  body: string;
  from: string;
}
interface StoredWebhook {
  path: string;
  sealed: string;
}

const FIRST_TRY_SECONDS = 2;
/** How often reports are looked for that another process kept before it ended. */
const POLL_MS = 30_000;
const BATCH = 50;
/** Reports that wait in memory for a database that does not even take the report; more are refused and forgotten. */
const MAX_IN_MEMORY = 2000;
const retryHeader = 'x-kept-report';
const receivedAtHeader = 'x-kept-report-at';
const receivedAt = new WeakMap<FastifyRequest, number>();

/**
 * When this report came, milliseconds since 1970: now, or when it came first if it was kept meanwhile. What a carrier signed
 * is fresh or old by that.
 */
export const webhookReceivedAt = (
  services: Pick<Services, 'now'>,
  request: FastifyRequest,
): number => receivedAt.get(request) ?? services.now().getTime();

/**
 * Reports of carriers (`/carriers/…`) that were answered with 5xx are kept raw until they are stored: some carriers never say a
 * thing twice. The answer stays what it was, so that those who do say it again are asked to; the same report twice changes nothing.
 * Each is given to its own route again, in the order they came, with the bytes and headers it came with.
 */
export function retryFailedWebhooks(app: FastifyInstance, services: Services): void {
  const { db, log, settings } = services;
  const retryToken = randomBytes(24).toString('base64url');
  const pendingInMemory: StoredWebhook[] = [];
  let timer: NodeJS.Timeout | undefined;
  let closing = false;
  let busy: Promise<void> = Promise.resolve();
  const wake = (ms: number) => {
    clearTimeout(timer);
    if (!closing)
      timer = setTimeout(() => {
        busy = poll();
      }, ms).unref();
  };

  const isRetry = (request: FastifyRequest) => {
    const given = request.headers[retryHeader];
    return typeof given === 'string' && constantTimeEqual(given, retryToken);
  };
  app.addHook('onRequest', async (request) => {
    if (isRetry(request)) receivedAt.set(request, Number(request.headers[receivedAtHeader]));
  });
  app.addHook('onSend', async (request, reply) => {
    if (
      reply.statusCode < 500 ||
      !request.url.startsWith('/carriers/') ||
      !Buffer.isBuffer(request.body)
    )
      return;
    if (isRetry(request)) return;
    const report: WebhookRequestCopy = {
      at: webhookReceivedAt(services, request),
      url: request.url,
      headers: request.headers,
      body: request.body.toString('base64'),
      from: request.socket.remoteAddress ?? '',
    };
    const stored = {
      path: request.url.split('?')[0]!,
      sealed: seal(settings.appSecrets, JSON.stringify(report)),
    };
    try {
      await insert(stored);
      log.warn({ path: stored.path }, 'a carrier webhook could not be stored yet; it is kept');
    } catch (error) {
      if (pendingInMemory.length >= MAX_IN_MEMORY) {
        log.error(
          { err: error, path: stored.path },
          'a carrier webhook is lost unless the carrier retries it',
        );
        return;
      }
      pendingInMemory.push(stored);
    }
    wake(FIRST_TRY_SECONDS * 1000);
  });
  app.addHook('onReady', () => {
    wake(POLL_MS);
  });
  app.addHook('preClose', async () => {
    closing = true;
    clearTimeout(timer);
    await busy;
  });

  const insert = (stored: StoredWebhook) =>
    sql`insert into webhook_retry (path, sealed, next_at)
    values (${stored.path}, ${stored.sealed}, clock_timestamp() + make_interval(secs => ${FIRST_TRY_SECONDS}))`.execute(
      db.unscoped,
    );

  async function poll(): Promise<void> {
    let soon = false;
    try {
      for (let stored = pendingInMemory[0]; stored; stored = pendingInMemory[0]) {
        await insert(stored);
        pendingInMemory.shift();
        soon = true;
      }
      soon = (await retryDue()) || soon;
    } catch (error) {
      log.warn({ err: error }, 'kept carrier webhooks are waiting for the database');
      soon = true;
    }
    wake(soon ? FIRST_TRY_SECONDS * 1000 : POLL_MS);
  }

  /** True when there is more to do soon. Claimed for a while, so that two processes do not take the same ones. */
  async function retryDue(): Promise<boolean> {
    const { rows } = await sql<{ id: number; path: string; sealed: string; tries: number }>`
      update webhook_retry r set tries = tries + 1, next_at = clock_timestamp() + least(interval '10 minutes', make_interval(secs => 15 * power(2, least(tries, 10))))
      from (select id from webhook_retry where next_at <= clock_timestamp() order by id limit ${BATCH} for update skip locked) due
      where r.id = due.id returning r.id, r.path, r.sealed, r.tries`.execute(db.unscoped);
    for (const row of rows.sort((a, b) => a.id - b.id)) {
      const stored = await replay(row.sealed).catch((error: unknown) => {
        log.error({ err: error, path: row.path }, 'a kept webhook can’t be read');
        return false;
      });
      if (stored) await sql`delete from webhook_retry where id = ${row.id}`.execute(db.unscoped);
      else
        log.warn(
          { path: row.path, tries: row.tries },
          'a kept carrier webhook could not be stored',
        );
    }
    return (
      (
        await sql`select from webhook_retry where next_at < clock_timestamp() + interval '30 seconds' limit 1`.execute(
          db.unscoped,
        )
      ).rows.length > 0
    );
  }

  async function replay(sealed: string): Promise<boolean> {
    const report = JSON.parse(unseal(settings.appSecrets, sealed)) as WebhookRequestCopy;
    const { 'content-length': _, ...headers } = report.headers;
    const answer = await app.inject({
      method: 'POST',
      url: report.url,
      headers: {
        ...headers,
        [retryHeader]: retryToken,
        [receivedAtHeader]: String(report.at),
      } as Record<string, string>,
      payload: Buffer.from(report.body, 'base64'),
      remoteAddress: report.from,
    });
    return answer.statusCode < 500;
  }
}
