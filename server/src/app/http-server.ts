import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import multipart from '@fastify/multipart';
import rateLimit from '@fastify/rate-limit';
import { ApiError } from '../platform/errors.ts';
import { sendError, sendMalformedRequest } from '../platform/http/send-error.ts';
import { limitBodies, type BodyReader } from '../platform/http/request-bodies.ts';
import { parseQuery } from '../platform/http/request-fields.ts';
import { measureRequests } from '../platform/metrics.ts';
import { traceRequests } from '../platform/tracing/trace-requests.ts';
import type { Log } from '../platform/log.ts';
import type { Settings } from '../platform/settings.ts';
import { drainable, type Drain } from '../platform/http/drain.ts';

/** An HTTP server with limits, security headers and compression, and without routes. */
export async function createHttpServer(
  settings: Settings,
  log: Log,
): Promise<{ app: FastifyInstance; bodies: BodyReader; drain: Drain; disconnect(): void }> {
  const { limits } = settings;
  const logger: FastifyBaseLogger = log;
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: settings.trustProxy.length ? settings.trustProxy : false,
    genReqId: () => randomUUID(),
    bodyLimit: 2 * 1024 * 1024,
    routerOptions: { ignoreTrailingSlash: true, querystringParser: parseQuery },
    forceCloseConnections: true,
    // Also ends slow requests that never reach a route.
    requestTimeout: limits.bodyMs * 10 + 30_000,
    frameworkErrors: sendError,
    clientErrorHandler: sendMalformedRequest,
  });
  // The first hook, so that all others are inside.
  traceRequests(app);
  const drain = drainable(app);
  const redis = settings.redisUrl
    ? new (await import('ioredis')).Redis(settings.redisUrl, { maxRetriesPerRequest: 1 })
    : null;
  await addSecurityHeaders(app, settings.publicUrl);
  // API responses are compressed on the fly, built files are stored compressed. Requests are never
  // unpacked.
  await app.register(compress, {
    customTypes: compressible,
    encodings: ['br', 'gzip'],
    threshold: 1400,
    globalDecompression: false,
  });
  await app.register(cookie);
  await app.register(multipart);
  const bodies = await limitBodies(app, join(settings.dataDir, 'uploads'), {
    formBytes: limits.uploadBytes,
    inFlightBytes: limits.inFlightBytes,
    arrivalMs: limits.bodyMs,
  });
  await app.register(rateLimit, {
    ...{ global: false, ...(redis ? { redis } : {}) },
    errorResponseBuilder: (_request, { ttl }) =>
      new ApiError('rate.limited', { seconds: Math.max(1, Math.ceil(ttl / 1000)) }),
  });
  measureRequests(app);
  return { app, bodies, drain, disconnect: () => redis?.disconnect() };
}

/** Audio, images and archives are compressed already. */
const compressible =
  /^(text\/(?!event-stream)|application\/(?:json|problem\+json|javascript|manifest\+json|xml)|image\/svg)/;

async function addSecurityHeaders(app: FastifyInstance, publicUrl: string): Promise<void> {
  // For browsers whose 'self' does not cover WebSockets (Safari before 15.4).
  const webSockets = new URL(publicUrl).origin.replace(/^http/, 'ws');
  await app.register(helmet, {
    contentSecurityPolicy: {
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        mediaSrc: ["'self'", 'blob:', 'data:'],
        connectSrc: ["'self'", webSockets],
        fontSrc: ["'self'", 'data:'],
        workerSrc: ["'self'", 'blob:'],
        upgradeInsecureRequests: null,
      },
    },
    crossOriginEmbedderPolicy: false,
    hsts: publicUrl.startsWith('https:'),
  });
}
