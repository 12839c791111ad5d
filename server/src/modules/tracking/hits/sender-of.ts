import type { FastifyRequest } from 'fastify';
import type { Settings } from '../../../platform/settings.ts';
import { siteOfRequest } from '../visits/allowed-site.ts';
import type { Sender } from './hit.ts';

/** Who sent a request, as far as it says. */
export const senderOf = (
  request: FastifyRequest,
  settings: Pick<Settings, 'regionHeader'>,
): Sender => ({
  site: siteOfRequest(request),
  userAgent: request.headers['user-agent'] ?? '',
  asksNotToBeTracked: request.headers['dnt'] === '1' || request.headers['sec-gpc'] === '1',
  ip: request.ip,
  region: regionOf(request, settings.regionHeader),
});

/**
 * The region that the proxy in front looked up, such as `CA`. We have no data of our own. Null
 * unless the request came through a proxy of TRUST_PROXY: anyone else could have written it.
 */
function regionOf({ headers, ips }: FastifyRequest, header: string | null): string | null {
  const said = header !== null && (ips?.length ?? 0) > 1 ? headers[header] : undefined;
  const [, region] = /^(?:[a-z]{2}-)?([a-z0-9]{1,3})$/i.exec(String(said ?? '').trim()) ?? [];
  return region?.toUpperCase() ?? null;
}
