import type { FastifyReply } from 'fastify';
import type { DescribedEndpoint } from '#contract';
import { ApiError } from '../errors.ts';
import type { Lane } from '../lanes.ts';

/** The specification's GETs that change state: a cookie session must send its XSRF header. */
const readsThatChange = new Set([
  '/sanctum/logout',
  '/company/{companyId}/invite/{invitationId}/resend',
]);

/** Whether a GET changes state. */
export const changesByGet = (e: DescribedEndpoint): boolean => readsThatChange.has(e.path);

/** POSTs that only compute from what they are sent. As of a write, their unknown fields are refused. */
const previews = new Set(['previewSchedule', 'simulateNumber', 'previewUnsaved']);

/**
 * Whether a request changes anything: not a GET, a list whose filters stand in a body, a count, or
 * a preview.
 */
export const isWrite = (e: DescribedEndpoint): boolean =>
  e.method === 'GET' ? changesByGet(e) : !e.reads && !e.paged && !previews.has(e.name);

/** What an endpoint's requests compete with for the database. */
export const laneOf = (e: DescribedEndpoint): Lane => e.lane ?? (isWrite(e) ? 'writes' : 'lists');

/** Aborted when the client has gone: what it asked to read is read for nobody. */
export function goneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort(new ApiError('request.timeout'));
  });
  return gone.signal;
}
