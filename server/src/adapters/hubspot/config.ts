import type { z } from 'zod';
import { hubspotConfig as account } from '#contract/integrations/oauth-integrations/configs';

/** What is set of an account, besides when something is sent. */
export const hubspotConfig = account.omit({ rules: true, portal_id: true });
export type HubspotConfig = z.infer<typeof hubspotConfig>;
