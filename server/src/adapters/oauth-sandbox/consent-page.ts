/** The consent page of simulated providers. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { oauthProviders } from '#contract/connections/schemas';
import type { Services } from '../../platform/context.ts';
import { choicePage, type Choice } from '../shared/choice-page.ts';
import { insertConsent } from './grants.ts';
import { providerNames, type ProviderName } from './providers.ts';

const asked = z.object({
  provider: z.enum(providerNames),
  redirect_uri: z.string().max(1000),
  state: z.string().min(1).max(1000),
  code_challenge: z.string().min(40).max(200),
});
type Asked = z.infer<typeof asked>;

/** Who can be signed in at a simulated provider. */
const accounts = [
  { key: 'main', name: 'Main account' },
  { key: 'test', name: 'Test account' },
] as const;
const accountOf = (provider: ProviderName, key: string) => {
  const found = accounts.find((one) => one.key === key);
  return (
    found && {
      externalId: `sandbox-${found.key}`,
      name: `${found.name} at ${oauthProviders[provider]}`,
      email: `${found.key}@${provider}.example`,
    }
  );
};

/** `GET /sandbox/oauth/{provider}/authorize` asks; its buttons send the browser back. */
export const sandboxConsentRoutes =
  (services: Services) =>
  async (app: FastifyInstance): Promise<void> => {
    const path = '/sandbox/oauth/:provider/authorize';
    // A form of the page; its answer is in the address.
    app.addContentTypeParser('application/x-www-form-urlencoded', (_, payload, done) => {
      payload.resume();
      payload.once('end', () => done(null, null));
    });
    const readAsked = (params: unknown, query: unknown): Asked | null => {
      const read = asked.safeParse({ ...(query as object), ...(params as object) });
      // Only our own callback: the page must lead nowhere else.
      const own = `${services.settings.publicUrl}/api/oauth-integrations/`;
      return read.success && read.data.redirect_uri.startsWith(own) ? read.data : null;
    };
    app.get(path, async (request, reply) => {
      const question = readAsked(request.params, request.query);
      return question ? consentPage(question, reply) : reply.callNotFound();
    });
    app.post(path, async (request, reply) => {
      const question = readAsked(request.params, request.query);
      if (!question) return reply.callNotFound();
      const { account: key = '' } = request.query as { account?: string };
      const back = new URL(question.redirect_uri);
      back.searchParams.set('state', question.state);
      const account = accountOf(question.provider, key);
      if (account)
        back.searchParams.set(
          'code',
          await insertConsent(
            services.db,
            {
              provider: question.provider,
              account,
              redirectUri: question.redirect_uri,
              codeChallenge: question.code_challenge,
            },
            services.now(),
          ),
        );
      else back.searchParams.set('error', 'access_denied');
      return reply.redirect(back.href, 303);
    });
  };

function consentPage({ provider, ...query }: Asked, reply: FastifyReply): FastifyReply {
  const label = oauthProviders[provider];
  const action = (account: string): string =>
    `/sandbox/oauth/${provider}/authorize?${new URLSearchParams({ ...query, account }).toString()}`;
  const choices: Choice[] = accounts.map(({ key, name }) => ({
    text: `Allow for the ${name.toLowerCase()}`,
    action: action(key),
  }));
  choices.push({ text: 'Cancel', action: action('none'), cancels: true });
  return reply.type('text/html').send(
    choicePage({
      title: `Connect ${label}`,
      about: `Trunkline asks to use an account at ${label}.`,
      ...{ choices, label },
    }),
  );
}
