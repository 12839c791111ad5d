import { z } from 'zod';
import { id, instant } from '../schemas.ts';

/** Third parties that a company can connect by OAuth (B §7), with the names that people know. */
export const oauthProviders = {
  googleads: 'Google Ads',
  microsoftads: 'Microsoft Ads',
  metaads: 'Meta Ads',
  slackbot: 'Slack',
  salesforce: 'Salesforce',
  gohighlevel: 'GoHighLevel',
  hubspot: 'HubSpot',
} as const;

/** The provider in a path. */
export const providerName = z
  .string()
  .min(1)
  .max(40)
  .meta({ description: `One of ${Object.keys(oauthProviders).join(', ')}` });

/** The provider's URL that the person is redirected to. */
export const oauthRedirect = z.object({
  url: z.string().meta({ description: 'The provider’s consent page, to open in the browser' }),
  state: z.string().meta({ description: 'Is in `url`; works once, in this session' }),
  expires_at: instant,
});

/**
 * Why a connection failed. `state`: it was started in another session, used before, or expired.
 * `refused`: the person or the provider declined. `away`: the provider did not respond.
 */
export const connectFailures = ['state', 'refused', 'away'] as const;
export type ConnectFailure = (typeof connectFailures)[number];

/** An account at a provider that the company connected (A16.1). Its tokens never leave the server. */
export const oauthIntegration = z.object({
  id,
  provider: z.string(),
  status: z.enum(['connected', 'error', 'expired']).meta({
    description:
      '`error`: the last request to the provider failed. `expired`: connect the account again',
  }),
  account: z.object({ external_id: z.string(), name: z.string(), email: z.string().nullable() }),
  scopes: z.array(z.string()),
  last_success_at: instant.nullable().meta({ description: 'Null: not used yet' }),
  last_error: z.object({ at: instant, text: z.string() }).nullable(),
  created_by: id.nullable().meta({ description: 'ID of the user who connected it' }),
  created_at: instant,
});
export type OAuthIntegration = z.infer<typeof oauthIntegration>;

/** A provider that could be connected; `ready`: this server has its client ID and secret. */
export const offeredProvider = z.object({
  name: z.string(),
  label: z.string(),
  ready: z.boolean(),
});
