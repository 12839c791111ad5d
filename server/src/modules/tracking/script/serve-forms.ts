import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../../platform/context.ts';
import { readCompanyKey } from '../visits/tokens.ts';
import { forWebsites } from './for-websites.ts';
import { formSetting } from './store.ts';

const place = new URL('../../../../../snippet/forms.js', import.meta.url);
let code: string | null = null;
const MINUTES = 'public, max-age=300, stale-while-revalidate=3600, stale-if-error=604800';

/**
 * Serves `/t/{companyKey}/1/forms.js`, which captures the forms that the company chose; without any,
 * or with forms switched off, it does nothing. A key that isn't ours is a 404.
 */
export function formRoutes(app: FastifyInstance, { db, settings }: Services): void {
  app.get<{ Params: { key: string } }>('/t/:key/1/forms.js', async (request, reply) => {
    forWebsites(reply);
    const companyId = readCompanyKey(settings.appSecrets, request.params.key);
    if (companyId === null) return reply.callNotFound();
    const { isEnabled, selectors } = await db.readOnly({ companyId }, (tx) =>
      formSetting(tx, companyId),
    );
    code ??= readFileSync(place, 'utf8');
    const chosen = JSON.stringify(isEnabled ? selectors : []);
    const origin = JSON.stringify(new URL(settings.publicUrl).origin);
    return (
      reply
        .type('text/javascript; charset=utf-8')
        .header('cache-control', MINUTES)
        // The page gets no global of ours besides `DNI`.
        .send(`(() => {\n${code}captureForms(${chosen}, ${origin});\n})();\n`)
    );
  });
}
