/**
 * Browsers use one origin: the web process forwards `/media/*` to the media processes. Signaling is
 * plain HTTP and a streamed response, so no protocol upgrade is needed and any reverse proxy in
 * front works. Only `/media/*` is forwarded; an exchange's commands and recordings are not
 * reachable from outside.
 *
 * A page is registered at every exchange under the same session, so that each can ring it, and any
 * web process knows where to send what it asks.
 */
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { Agent } from 'undici';
import { z } from 'zod';
import { toE164 } from '../../exchange/phone-number.ts';
import { lasting } from '../../platform/http/drain.ts';
import { ExchangeClient, type ExchangeAddress, type Exchanges } from './exchanges.ts';
import { PageRegistration, type JoinAnswer } from './page-registration.ts';

interface Options {
  exchanges: Exchanges;
  secret: string;
  /** Why this number cannot be called from an outside phone, as a sentence; null when it can. */
  unreachableReason?: (number: string) => Promise<string | null>;
}
const DialBody = z.object({ to: z.string().max(40) });
interface AnyPath {
  Params: { '*': string };
}
const LegBody = z.object({ leg: z.string().max(200) });

/** How often pages are registered at exchanges that have come, in ms. */
const followMs = 1000;

/**
 * Forwards `/media/*` to the media processes. A handset dialing an unreachable number gets 422 with
 * the reason.
 */
export const mediaProxy: FastifyPluginAsync<Options> = async (app, options) => {
  const proxy = new MediaProxy(options);
  const following = setInterval(() => {
    void proxy
      .follow()
      .catch((error: unknown) => app.log.warn({ err: error }, 'exchanges can’t be listed'));
  }, followMs);
  following.unref();
  // Its pages join again elsewhere, and their calls go on.
  app.addHook('preClose', async () => proxy.leave());
  app.addHook('onClose', async () => {
    clearInterval(following);
    await proxy.close();
  });
  app.post('/media/join', lasting, (request, reply) => proxy.join(request, reply));
  app.post<AnyPath>('/media/*', (request, reply) => proxy.act(request, reply));
};

class MediaProxy {
  // A joined browser holds its stream open for hours: no body timeout, and enough connections for
  // all of them.
  readonly #agent = new Agent({ connections: 2000, bodyTimeout: 0, headersTimeout: 15_000 });
  readonly #client: ExchangeClient;
  readonly #pages = new Set<PageRegistration>();

  constructor(private readonly options: Options) {
    this.#client = new ExchangeClient(options.exchanges, options.secret);
  }

  async join(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const page = new PageRegistration(request.body, (to, body, signal) =>
      this.#send(to, '/media/join', body, signal),
    );
    // Also a page that leaves while it joins.
    reply.raw.once('close', () => {
      page.close();
      this.#pages.delete(page);
    });
    const joined = await page.join(await this.options.exchanges.running());
    if (joined.state === 'refused') return refuse(reply, joined);
    this.#pages.add(page);
    return reply
      .type('application/x-ndjson')
      .header('cache-control', 'no-store')
      .header('x-accel-buffering', 'no')
      .send(joined.stream);
  }

  async act(request: FastifyRequest<AnyPath>, reply: FastifyReply): Promise<FastifyReply> {
    const { exchanges, unreachableReason } = this.options;
    const dials = /^[^/]+\/dial\/?$/.test(request.params['*']);
    if (dials) {
      // Only handsets dial here; the app's calls are placed through the product.
      const dial = DialBody.safeParse(request.body);
      const number = dial.success ? toE164(dial.data.to) : null;
      const refusal = number && (await unreachableReason?.(number));
      if (refusal) return reply.code(422).send({ message: refusal });
    }
    const leg = dials ? null : LegBody.safeParse(request.body);
    const exchange =
      (leg?.success ? await this.#client.ofLeg(leg.data.leg) : null) ??
      (await exchanges.running())[0];
    const response = exchange
      ? await this.#send(exchange, request.url, request.body, goneSignal(reply))
      : null;
    if (response === null) return refuse(reply, null);
    return reply
      .code(response.statusCode)
      .type('application/json')
      .header('cache-control', 'no-store')
      .send(await response.body.text());
  }

  /** Registers the pages at exchanges that have come. */
  async follow(): Promise<void> {
    if (this.#pages.size === 0) return;
    const running = await this.options.exchanges.running();
    await Promise.all([...this.#pages].map((page) => page.follow(running)));
  }

  leave(): void {
    for (const page of this.#pages) page.close();
  }

  async close(): Promise<void> {
    await Promise.all([this.#agent.destroy(), this.#client.close()]);
  }

  #send(to: ExchangeAddress, path: string, body: unknown, signal: AbortSignal) {
    return this.#agent
      .request({
        origin: to.url,
        method: 'POST',
        path,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body ?? {}),
        signal,
      })
      .catch(() => null);
  }
}

function refuse(reply: FastifyReply, answer: (JoinAnswer & { state: 'refused' }) | null) {
  return answer?.status
    ? reply.code(answer.status).type('application/json').send(answer.body)
    : reply.code(503).send({ message: 'The phone is not available right now.' });
}

/** Aborted once the requester is gone. */
function goneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  return gone.signal;
}
