import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sentences } from '#contract';
import { ApiError, knownError, problemBody } from '../errors.ts';

/** After how long a busy server may be asked again. */
const RETRY_SECONDS = 5;

/** A new ID for a request: in its response, its log lines and its error. */
const requestId = (): string => randomUUID();

/** Answers a failed request in the documented shape, also before a route is found. */
export function sendError(
  error: Error & { statusCode?: number; code?: string },
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const known = knownError(error);
  if (known) {
    if (known.status >= 500 && !reply.raw.destroyed) request.log.warn({ err: error }, known.code);
    if (known.status === 503 && !reply.hasHeader('retry-after'))
      void reply.header('retry-after', RETRY_SECONDS);
    return reply.code(known.status).send(problemBody(known, request.id));
  }
  request.log.error({ err: error, url: request.routeOptions.url }, 'unexpected error');
  return sendPlainProblem(reply, request, {
    status: 500,
    code: 'server_error',
    title: 'Server Error',
    detail: 'Something went wrong on our side.',
  });
}

/** 401 for a request without valid credentials. */
export function sendUnauthenticated(reply: FastifyReply, request: FastifyRequest): FastifyReply {
  const sentence = sentences.unauthenticated;
  // Relative to the issuer; remote programs begin here (RFC 9728).
  void reply.header(
    'www-authenticate',
    'Bearer resource_metadata="/.well-known/oauth-protected-resource/api"',
  );
  return sendPlainProblem(reply, request, {
    status: 401,
    code: 'unauthenticated',
    title: sentence,
    detail: sentence,
  });
}

const sendPlainProblem = (
  reply: FastifyReply,
  request: FastifyRequest,
  { status, code, title, detail }: { status: number; code: string; title: string; detail: string },
): FastifyReply =>
  reply.code(status).send({
    message: title,
    errors: [{ code, title, detail }],
    type: 'about:blank',
    title,
    status,
    detail,
    code,
    request_id: request.id,
  });

/**
 * The same where there is no request: the bytes were not HTTP, or arrived too slowly. Closes the
 * connection.
 */
export function sendMalformedRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const apiError = new ApiError(
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request.timeout' : 'request.malformed',
  );
  const body = JSON.stringify(problemBody(apiError, requestId()));
  const head = [
    `HTTP/1.1 ${apiError.status} ${STATUS_CODES[apiError.status]}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ].join('\r\n');
  if (socket.writable) socket.write(`${head}\r\n\r\n${body}`);
  socket.destroySoon();
}
