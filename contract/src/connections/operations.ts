import { z } from 'zod';
import { operation } from '../operation.ts';
import { empty, id, one } from '../schemas.ts';
import { connectFailures, oauthRedirect, providerName } from './schemas.ts';

const text = z.string().max(4000).optional();

export const redirectToOAuthProvider = operation({
  summary: 'Start connecting a provider: get the address of its consent page',
  params: z.object({ companyId: id, provider: providerName }),
  answer: one(oauthRedirect),
  errors: ['connection.unknown_provider', 'connection.provider_not_set_up'],
  example: {
    params: { companyId: 7300412, provider: 'hubspot' },
    answer: {
      data: {
        url: 'https://app.hubspot.com/oauth/authorize?response_type=code&client_id=…&state=7300412.tlo_…',
        state: '7300412.tlo_…',
        expires_at: '2026-11-21T09:25:04.000Z',
      },
    },
  },
});

export const finishOAuthConnection = operation({
  summary: `Where a provider sends the person back to. Redirects to the app’s \`/integrations\` page with \`provider\` and \`outcome\` (\`connected\`, or \`failed\` with a \`reason\`: ${connectFailures.join(', ')})`,
  params: z.object({ provider: providerName }),
  query: z.object({
    code: text.meta({ description: 'From the provider, when the person agreed' }),
    state: text.meta({ description: 'As in the consent page’s address' }),
    error: text.meta({ description: 'From the provider, when the person declined' }),
    error_description: text,
  }),
  answer: empty,
  status: 302,
  errors: ['connection.unknown_provider', 'connection.provider_not_set_up'],
  example: {
    params: { provider: 'hubspot' },
    query: { code: '8c1f6a4e', state: '7300412.tlo_Zm9v' },
  },
});
