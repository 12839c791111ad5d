import { z } from 'zod';
import { instant } from '../schemas.ts';

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
