import { z } from 'zod';
import { id, instant } from '../../schemas.ts';
import { deliveryRules, health } from '../schemas.ts';

function hasNoPassword(url: string): boolean {
  if (!URL.canParse(url)) return true;
  const { username, password } = new URL(url);
  return username === '' && password === '';
}

/** What is stored of an endpoint besides its rules. */
export const webhookConfig = z.object({
  url: z
    .url({ protocol: /^https$/, error: 'Enter an address that begins with https.' })
    .max(500)
    .refine(hasNoPassword, 'Leave the user name and password out of the address.'),
});
export type WebhookConfig = z.infer<typeof webhookConfig>;

/** Secrets that sign, newest first. The older one signs until it ends. */
export const webhookSecrets = z
  .array(z.object({ secret: z.string(), until: instant.nullable() }))
  .min(1)
  .max(2);
export type WebhookSecrets = z.infer<typeof webhookSecrets>;

/** What is sent to add or replace an endpoint. */
export const webhookBody = webhookConfig.extend({
  name: z.string().trim().min(1, 'Enter a name.').max(100),
  status: z.enum(['active', 'inactive']).default('active'),
  rules: deliveryRules.min(1, 'Choose at least one event.').meta({
    description: 'One for each event, with its filter',
  }),
});

/** An endpoint as it is shown: its secret is never in it. */
export const webhook = webhookConfig.extend({
  id,
  name: z.string(),
  status: z.enum(['active', 'inactive']),
  off_because: z.enum(['failing']).nullable().meta({
    description: '`failing`: it took nothing for days. Null: it is on, or a person turned it off',
  }),
  failing_since: instant.nullable().meta({ description: 'Null: its last try worked' }),
  rules: deliveryRules,
  secret_hint: z.string().meta({ description: 'The end of the secret' }),
  old_secret_until: instant.nullable().meta({
    description: 'Until then the secret before signs as well',
  }),
  ...health.shape,
  created_by: id.nullable(),
  created_at: instant,
  updated_at: instant,
});
export type Webhook = z.infer<typeof webhook>;
