import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { webhookSecrets, type WebhookSecrets } from '#contract/integrations/webhooks/schemas';
import type { TxCtx } from '../../../platform/context.ts';
import { unseal } from '../../../platform/secrets.ts';
import type { DestinationRow } from '../store.ts';

/** A signing secret as the Standard Webhooks convention writes it. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** The secrets of an endpoint, newest first; none where it has none. */
export function secretsOf(t: TxCtx, { secret_sealed: sealed }: DestinationRow): WebhookSecrets {
  if (sealed === null) return [];
  return webhookSecrets.parse(z.json().parse(JSON.parse(unseal(t.settings.appSecrets, sealed))));
}
