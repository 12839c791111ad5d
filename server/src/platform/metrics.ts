import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Histogram, collectDefaultMetrics, register } from 'prom-client';
import { constantTimeEqual } from './secrets.ts';
import type { Settings } from './settings.ts';

let started = false;
const requestSeconds = new Histogram({
  name: 'http_request_seconds',
  help: 'Time to answer, by route',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.005, 0.02, 0.1, 0.3, 1, 3, 10],
});

/** Measures every request by its route, never by its URL: ids would create endless series. */
export function measureRequests(app: FastifyInstance): void {
  if (!started) {
    collectDefaultMetrics();
    started = true;
  }
  app.addHook('onResponse', async (request, reply) => {
    requestSeconds.observe(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'unknown',
        status: String(reply.statusCode),
      },
      reply.elapsedTime / 1000,
    );
  });
}
/** All metrics in Prometheus's text format. */
export const metricsText = () => register.metrics();

/**
 * Access to `/metrics`: 200 allowed; 401 a token is required and is missing or wrong; 404 closed,
 * because no token is set.
 */
export function metricsAccess(
  { metricsToken, production }: Pick<Settings, 'metricsToken' | 'production'>,
  request: FastifyRequest,
): 200 | 401 | 404 {
  if (metricsToken)
    return constantTimeEqual(request.headers.authorization ?? '', `Bearer ${metricsToken}`)
      ? 200
      : 401;
  // The connecting address itself, not a forwarded one.
  return !production && /^(::ffff:)?127\.|^::1$/.test(request.socket.remoteAddress ?? '')
    ? 200
    : 404;
}
