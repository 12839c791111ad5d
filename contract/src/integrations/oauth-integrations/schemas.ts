import { z } from 'zod';
import { id, instant } from '../../schemas.ts';

/** An account at a provider that the company connected (A16.1). Its tokens never leave the server. */
export const oauthIntegration = z.object({
  id,
  provider: z.string(),
  status: z.enum(['connected', 'activating', 'active', 'inactive', 'error', 'expired']).meta({
    description:
      '`connected`: not set up yet. `error`: the last request to the provider failed. `expired`: connect the account again',
  }),
  account: z.object({ external_id: z.string(), name: z.string(), email: z.string().nullable() }),
  scopes: z.array(z.string()),
  config: z.record(z.string(), z.unknown()),
  last_sync_at: instant.nullable().meta({ description: 'When the account was last read' }),
  last_success_at: instant.nullable().meta({ description: 'Null: not used yet' }),
  last_error: z
    .object({
      at: instant,
      code: z.enum(['access_ended', 'request_failed', 'delivery_failed', 'reading_failed']),
      text: z.string(),
    })
    .nullable(),
  sent_30d: z.number(),
  failed_30d: z.number(),
  destinations: z
    .array(
      z.object({
        id,
        key: z.string().meta({ description: 'The provider’s ID of it, such as a channel’s' }),
        name: z.string(),
        last_sent_at: instant.nullable(),
        last_error: z.object({ at: instant, text: z.string() }).nullable(),
        sent_30d: z.number(),
        failed_30d: z.number(),
      }),
    )
    .meta({ description: 'Where it delivers to, with their own logs' }),
  created_by: id.nullable().meta({ description: 'ID of the user who connected it' }),
  created_at: instant,
});
export type OAuthIntegration = z.infer<typeof oauthIntegration>;

/** A provider that could be connected. Those that can’t be are listed for the server’s operators. */
export const offeredProvider = z.object({
  name: z.string(),
  label: z.string(),
  ready: z.boolean().meta({ description: 'This server has its client ID and secret' }),
  delivers: z.boolean().meta({ description: 'Accounts can be set up and activated' }),
  setup: z
    .object({ variables: z.array(z.string()), redirect_url: z.string() })
    .nullable()
    .meta({ description: 'What to set on the server. Null: nothing, or you don’t operate it' }),
});
export type OfferedProvider = z.infer<typeof offeredProvider>;

/** An entry that a person can choose. */
export const lookupItem = z.object({
  id: z.string(),
  name: z.string(),
  detail: z.string().nullable(),
});
