import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isTracing, openSpan, type OpenSpan } from './spans.ts';

/** Each request is the beginning of a trace, named by its route. While tracing is off, nothing is hooked in. */
export function traceRequests(app: FastifyInstance): void {
  if (!isTracing()) return;
  const open = new WeakMap<FastifyRequest, OpenSpan>();
  app.addHook('onRequest', (request, _reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    const facts = { method: request.method, route, request: request.id };
    // A new trace, whatever the sender says: strangers would else decide what is recorded.
    const span = openSpan(`${request.method} ${route}`, facts, null);
    if (!span) return done();
    open.set(request, span);
    span.within(done);
  });
  app.addHook('onResponse', (request, reply, done) => {
    open.get(request)?.end({ status: reply.statusCode }, reply.statusCode >= 500);
    done();
  });
}
