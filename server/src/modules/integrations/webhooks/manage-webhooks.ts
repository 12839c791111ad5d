import type { Answer, Body, webhooks as contract } from '#contract';
import { deliveryRules } from '#contract/integrations/schemas';
import { webhookConfig, type Webhook } from '#contract/integrations/webhooks/schemas';
import type { TxCtx } from '../../../platform/context.ts';
import {
  addDestination,
  replaceDestination,
  type DestinationInput,
} from '../change-destination.ts';
import { healthOf, visibleIds } from '../present.ts';
import { destinationsOf, type DestinationRow } from '../store.ts';
import { newSecret, secretsOf } from './secrets.ts';

/** Where the company's events are sent, oldest first. */
export async function listWebhooks(t: TxCtx): Promise<Answer<typeof contract.listWebhooks>> {
  const rows = await destinationsOf(t.tx, t.companyId, 'webhooks');
  return {
    data: await presentAll(t, rows),
    meta: { simulated: t.gateways.outbound.name === 'sandbox' },
  };
}

/** Adds an endpoint, and says its secret this once. Fails with `integration.too_many`. */
export async function createWebhook(
  t: TxCtx,
  body: Body<typeof contract.createWebhook>,
): Promise<Answer<typeof contract.createWebhook>> {
  const secret = newSecret();
  const secrets = JSON.stringify([{ secret, until: null }]);
  const row = await addDestination(t, 'webhooks', { ...inputOf(body), secret: secrets });
  return { data: { webhook: await presentOne(t, row), signing_secret: secret } };
}

/** Replaces an endpoint; its secret stays. Fails with `not_found`. */
export const updateWebhook = async (
  t: TxCtx,
  id: number,
  body: Body<typeof contract.updateWebhook>,
): Promise<Answer<typeof contract.updateWebhook>> => ({
  data: await presentOne(t, await replaceDestination(t, 'webhooks', id, inputOf(body))),
});

const inputOf = ({
  name,
  status,
  rules,
  ...config
}: Body<typeof contract.createWebhook>): DestinationInput => ({
  ...{ name, status, rules, config },
  secret: undefined,
});

async function presentAll(t: TxCtx, rows: readonly DestinationRow[]): Promise<Webhook[]> {
  const health = await healthOf(t, rows);
  return rows.flatMap((row) => {
    const doing = health.get(row.id);
    if (!doing) return [];
    const [current, old] = secretsOf(t, row);
    const oldUntil = old?.until && new Date(old.until) > t.now ? old.until : null;
    return [
      {
        ...webhookConfig.parse(row.config),
        id: row.id,
        name: row.name,
        // Check constraints of the columns.
        status: row.status as Webhook['status'],
        off_because: row.off_because as Webhook['off_because'],
        failing_since: row.failing_since?.toISOString() ?? null,
        rules: deliveryRules
          .parse(row.rules)
          .map((rule) => ({ ...rule, number_ids: visibleIds(t, rule.number_ids) })),
        secret_hint: `…${current?.secret.slice(-4) ?? ''}`,
        old_secret_until: oldUntil,
        ...doing,
        created_by: row.created_by,
        created_at: row.created_at.toISOString(),
        updated_at: row.updated_at.toISOString(),
      },
    ];
  });
}

async function presentOne(t: TxCtx, row: DestinationRow): Promise<Webhook> {
  const [data] = await presentAll(t, [row]);
  if (!data) throw new Error('The endpoint can’t be shown.');
  return data;
}
