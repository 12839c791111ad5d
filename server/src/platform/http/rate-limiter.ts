import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { DescribedEndpoint } from '#contract';
import { fail } from '../errors.ts';
import type { Settings } from '../settings.ts';
import { field } from './request-fields.ts';

/** Counts requests. @throws ApiError `rate.limited`, with the seconds to wait, over a limit */
export interface RateLimiter {
  consume(
    request: FastifyRequest,
    reply: FastifyReply,
    who: { userId: number; companyId: number },
    endpoint: DescribedEndpoint,
  ): Promise<void>;
  /** Counts the company alone, where it was not known yet when the person was counted. */
  consumeCompany(
    request: FastifyRequest,
    reply: FastifyReply,
    companyId: number,
    endpoint: DescribedEndpoint,
  ): Promise<void>;
}

/** Pages of websites that a company has looked at (A8.7). */
const PAGES_PER_MINUTE = 6;
/** Requests of one visit of a website (A8.3). */
const VISITS_PER_MINUTE = 60;
/**
 * A visit by its token. Null for a first page: many visitors can share an address, so those are
 * counted with everything else from there.
 */
function visitKey(request: FastifyRequest): string | null {
  const said = field(request.body, 'sessionId');
  return typeof said === 'string' && said ? `visit:${said.slice(0, 200)}` : null;
}

const KEY = Symbol('limit key');
type KeyedRequest = FastifyRequest & { [KEY]?: string };

/**
 * The rate limits of A1: requests per user and per company a minute, sign-in by address, codes and
 * exports by the hour. Counted in this process, or in Redis for all processes when REDIS_URL is set
 * (the plugin was registered with it).
 */
export function createRateLimiter(app: FastifyInstance, settings: Settings): RateLimiter {
  const { userPerMinute, companyPerMinute, codesPerHour, exportsPerHour, signInsPerMinute } =
    settings.limits;
  const meter = (max: number, timeWindow: string) => ({
    max,
    check: app.createRateLimit({
      max,
      timeWindow,
      keyGenerator: (request) => (request as KeyedRequest)[KEY] ?? request.ip,
    }),
  });
  const user = meter(userPerMinute, '1 minute');
  const company = meter(companyPerMinute, '1 minute');
  const codes = meter(codesPerHour * 6, '1 hour'); // By the caller's address; the endpoint counts per target.
  const exports = meter(exportsPerHour, '1 hour');
  const login = meter(signInsPerMinute, '1 minute');
  const visits = meter(VISITS_PER_MINUTE, '1 minute');
  const pages = meter(PAGES_PER_MINUTE, '1 minute');

  const count =
    (request: FastifyRequest, reply: FastifyReply) =>
    async ({ max, check }: ReturnType<typeof meter>, key: string) => {
      (request as KeyedRequest)[KEY] = key;
      const result = await check(request);
      if (result.isAllowed) return;
      void reply.headers({
        'x-ratelimit-limit': String(max),
        'x-ratelimit-remaining': String(Math.max(0, result.remaining)),
        'x-ratelimit-reset': String(result.ttlInSeconds),
      });
      if (result.isExceeded) {
        void reply.header('retry-after', String(Math.max(1, result.ttlInSeconds)));
        fail('rate.limited', { seconds: Math.max(1, result.ttlInSeconds) });
      }
    };
  return {
    consumeCompany: async (request, reply, companyId, endpoint) => {
      if (endpoint.limit !== 'none' && companyId)
        await count(request, reply)(company, `company:${companyId}`);
    },
    consume: async (request, reply, who, endpoint) => {
      if (endpoint.limit === 'none') return;
      const take = count(request, reply);
      const visit = endpoint.limit === 'visits' ? visitKey(request) : null;
      if (visit) await take(visits, visit);
      if (endpoint.limit === 'pages') await take(pages, `pages:${who.companyId}`);
      if (endpoint.limit === 'login') await take(login, `login:${request.ip}`);
      if (endpoint.limit === 'codes') await take(codes, `codes:${request.ip}`);
      if (endpoint.limit === 'exports') await take(exports, `exports:${who.userId}`);
      if (who.companyId) await take(company, `company:${who.companyId}`);
      await take(user, who.userId ? `user:${who.userId}` : `ip:${request.ip}`);
    },
  };
}
