import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { identityProviders } from '#contract/caddy/rules';
import type { Services } from '../../../platform/context.ts';
import type { Settings } from '../../../platform/settings.ts';

/** Where a provider posts its token, as the operator has entered it there. */
export const returnAddress = ({ publicUrl }: Pick<Settings, 'publicUrl'>, provider: string) =>
  `${publicUrl}/api/caddy/auth/${provider}/callback`;

const maxBytes = 32_768;
const said = z.string().max(8000).optional().catch(undefined);
const returned = z.object({ id_token: said, state: said, error: said });

/**
 * `POST /api/caddy/auth/{provider}/callback`: hands what the provider posted to the app's page, behind
 * the `#`, which no server and no log sees. The page knows whether it was asked for.
 */
export const providerReturnRoutes =
  ({ settings }: Pick<Services, 'settings'>) =>
  async (app: FastifyInstance): Promise<void> => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: maxBytes },
      (_request, body, done) =>
        done(null, Object.fromEntries(new URLSearchParams(body.toString()))),
    );
    for (const provider of identityProviders)
      app.post(
        new URL(returnAddress(settings, provider)).pathname,
        { config: { rateLimit: { max: 300, timeWindow: 60_000 } } },
        (request, reply) => {
          const { id_token, state, error } = returned.parse(request.body ?? {});
          const back = new URLSearchParams({
            provider,
            ...(state && { state }),
            ...(id_token ? { id_token } : { error: error ?? 'nothing' }),
          });
          return reply.redirect(
            `${settings.publicUrl}/caddy/sign-in/return#${back.toString()}`,
            303,
          );
        },
      );
  };
