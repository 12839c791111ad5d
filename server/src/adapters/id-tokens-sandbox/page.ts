/** The page of simulated Google and Apple accounts: choose who is signed in there. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { identityProviders } from '#contract/caddy/rules';
import type { Services } from '../../platform/context.ts';
import { choicePage, type Choice } from '../shared/choice-page.ts';
import { accountsOf, clientId, labels, pagePath, tokenFor } from './accounts.ts';

const asked = z.object({
  provider: z.enum(identityProviders),
  client_id: z.literal(clientId),
  redirect_uri: z.string().max(1000),
  state: z.string().min(1).max(1000),
  nonce: z.string().min(1).max(1000),
});

/** `GET /sandbox/accounts/{provider}`: each button posts that account's token back. */
export const sandboxAccountsPage =
  (services: Services) =>
  async (app: FastifyInstance): Promise<void> => {
    app.get(pagePath(':provider'), async (request, reply) => {
      const read = asked.safeParse({
        ...(request.query as object),
        ...(request.params as object),
      });
      // Only our own address: the page must lead nowhere else.
      const own = `${services.settings.publicUrl}/api/caddy/auth/`;
      if (!read.success || !read.data.redirect_uri.startsWith(own)) return reply.callNotFound();
      const { provider, redirect_uri: action, state, nonce } = read.data;
      const choices: Choice[] = await Promise.all(
        accountsOf(provider).map(async (account) => ({
          text: account.name,
          action,
          fields: { state, id_token: await tokenFor(services, provider, account, nonce) },
        })),
      );
      choices.push({
        text: 'Cancel',
        action,
        fields: { state, error: 'access_denied' },
        cancels: true,
      });
      const label = labels[provider];
      const page = choicePage({
        ...{ title: `Sign in with ${label}`, about: 'Choose an account for Caddy.' },
        ...{ choices, label },
      });
      return reply.type('text/html').send(page);
    });
  };
