import type { Answer, Body, webhooks as contract } from '#contract';
import type { WebhookSecrets } from '#contract/integrations/webhooks/schemas';
import { integrationsChanged } from '#contract/integrations/events';
import { audit } from '../../../platform/audit.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { seal } from '../../../platform/secrets.ts';
import { lockDestination, patchDestination } from '../store.ts';
import { newSecret, secretsOf } from './secrets.ts';

/**
 * Replaces an endpoint's secret; the one before signs as well until its time is over, and older ones
 * end. Says the new one this once. Fails with `not_found`.
 */
export async function rotateSecret(
  t: TxCtx,
  id: number,
  { overlap_hours: hours }: Body<typeof contract.rotateWebhookSecret>,
): Promise<Answer<typeof contract.rotateWebhookSecret>> {
  const { tx, companyId, now } = t;
  const row = (await lockDestination(tx, companyId, 'webhooks', id)) ?? notFound();
  const secret = newSecret();
  const until = hours > 0 ? new Date(now.getTime() + hours * 3_600_000).toISOString() : null;
  const [before] = secretsOf(t, row);
  const secrets: WebhookSecrets = [
    { secret, until: null },
    ...(before && until ? [{ secret: before.secret, until }] : []),
  ];
  await patchDestination(tx, companyId, id, {
    secret_sealed: seal(t.settings.appSecrets, JSON.stringify(secrets)),
    updated_at: now,
  });
  await audit(t, 'integration.secret_replaced', `destination:${id}`, {
    after: { provider: 'webhooks', name: row.name, overlap_hours: hours },
  });
  await t.publish(integrationsChanged, { companyId, provider: 'webhooks' });
  return { data: { signing_secret: secret, old_secret_until: until } };
}
