import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Services } from '../../../platform/context.ts';
import { readCompanyKey } from '../visits/tokens.ts';
import { forWebsites } from './for-websites.ts';
import { formRoutes } from './serve-forms.ts';
import { releaseOf, releases, type ServedFile } from './releases.ts';
import { isScriptEnabled } from './store.ts';

/** How long a process remembers whether a company's script is on, in milliseconds. */
const REMEMBERED_MS = 10_000;
const MOST_COMPANIES = 10_000;

/** Browsers ask again after five minutes; caches in between serve an old one while we are away. */
const FLOATING = 'public, max-age=300, stale-while-revalidate=3600, stale-if-error=604800';
const PINNED = 'public, max-age=31536000, immutable';
const SWITCHED_OFF = '/* Switched off in the call tracking settings. */\n';

/**
 * Serves the script of websites: `/t/{companyKey}/1/dni.js` is the newest of its major version,
 * `/t/{companyKey}/1.0.0/dni.js` exactly this one, and `extras.js` beside them is what it loads on
 * pages that need more. A key that isn't ours is a 404.
 */
export function scriptRoutes(app: FastifyInstance, services: Services): void {
  const enabled = rememberedSwitches(services);
  app.get<{ Params: { key: string; version: string } }>(
    '/t/:key/:version/dni.js',
    async (request, reply) => {
      forWebsites(reply);
      const { key, version } = request.params;
      const companyId = readCompanyKey(services.settings.appSecrets, key);
      const release = releaseOf(version);
      if (companyId === null || !release) return reply.callNotFound();
      const isPinned = version === release.version;
      void reply.type('text/javascript; charset=utf-8');
      // A pinned version's bytes are promised: it is switched off by the answer to its first call.
      if (!isPinned && !(await enabled(companyId)))
        return reply.header('cache-control', FLOATING).send(SWITCHED_OFF);
      void reply.header('cache-control', isPinned ? PINNED : FLOATING);
      return sendFile(request, reply, release);
    },
  );
  app.get<{ Params: { key: string; version: string } }>(
    '/t/:key/:version/extras.js',
    async (request, reply) => {
      forWebsites(reply);
      const { key, version } = request.params;
      const { extras } = releaseOf(version) ?? {};
      if (readCompanyKey(services.settings.appSecrets, key) === null || !extras)
        return reply.callNotFound();
      void reply
        .type('text/javascript; charset=utf-8')
        .header('cache-control', version.includes('.') ? PINNED : FLOATING);
      return sendFile(request, reply, extras);
    },
  );
  formRoutes(app, services);
  app.get('/t/changelog.json', async (_, reply) =>
    reply
      .headers({ 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=300' })
      .send(
        releases().map(({ version, at, integrity, notes }) => ({ version, at, integrity, notes })),
      ),
  );
}

function sendFile(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { etag, plain, br, gzip }: ServedFile,
): FastifyReply {
  void reply.headers({ etag, vary: 'accept-encoding' });
  if (headers['if-none-match']?.includes(etag)) return reply.code(304).send();
  const accepted = String(headers['accept-encoding'] ?? '');
  const encoding = /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : null;
  if (encoding) void reply.header('content-encoding', encoding);
  return reply.send(encoding === 'br' ? br : encoding === 'gzip' ? gzip : plain);
}

/** Whether companies' scripts are on. While the database doesn't answer, they are. */
function rememberedSwitches({ db, now }: Services): (companyId: number) => Promise<boolean> {
  const known = new Map<number, { isEnabled: Promise<boolean>; until: number }>();
  return async (companyId) => {
    const found = known.get(companyId);
    if (found && found.until > now().getTime()) return found.isEnabled;
    const isEnabled = db
      .readOnly({ companyId }, (tx) => isScriptEnabled(tx, companyId))
      .catch(() => true);
    if (known.size >= MOST_COMPANIES) known.clear();
    known.set(companyId, { isEnabled, until: now().getTime() + REMEMBERED_MS });
    return isEnabled;
  };
}
