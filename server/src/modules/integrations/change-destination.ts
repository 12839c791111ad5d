import { integrationsChanged } from '#contract/integrations/events';
import { mostDestinations } from '#contract/integrations/rules';
import type { DeliveryRule } from '#contract/integrations/schemas';
import { audit } from '../../platform/audit.ts';
import type { TxCtx } from '../../platform/context.ts';
import { fail, invalid, notFound } from '../../platform/errors.ts';
import { seal } from '../../platform/secrets.ts';
import { foreignIds } from '../tracking/index.ts';
import { requireProviderInPlan } from './plan.ts';
import {
  deleteDestination,
  destinationsOf,
  insertDestination,
  lockDestination,
  lockProvider,
  patchDestination,
  type DestinationRow,
} from './store.ts';

/** What a person sets of a destination, whatever its provider. */
export interface DestinationInput {
  name: string;
  status: 'active' | 'inactive';
  config: object;
  rules: readonly DeliveryRule[];
  /** Null: none. Undefined: as it is. */
  secret: string | null | undefined;
  /** What the provider says of it; left out: nothing. */
  messages?: readonly object[];
}
const sealedSecret = (t: TxCtx, secret: string | null | undefined) =>
  secret === undefined
    ? {}
    : { secret_sealed: secret === null ? null : seal(t.settings.appSecrets, secret) };

/** Fails with field errors for rules that name numbers or pools of others. */
export async function checkRules(t: TxCtx, rules: readonly DeliveryRule[]): Promise<void> {
  for (const [at, rule] of rules.entries()) {
    const foreign = await foreignIds(t, { poolIds: rule.dni_pool_ids, numberIds: rule.number_ids });
    if (foreign.numberIds)
      invalid({ [`rules.${at}.number_ids`]: 'One of these numbers doesn’t exist.' });
    if (foreign.poolIds)
      invalid({ [`rules.${at}.dni_pool_ids`]: 'One of these pools doesn’t exist.' });
  }
}

/** Adds a destination. Fails with `feature.plan` or `integration.too_many`. */
export async function addDestination(
  t: TxCtx,
  provider: string,
  { name, status, config, rules, secret, messages = [] }: DestinationInput,
): Promise<DestinationRow> {
  await requireProviderInPlan(t, provider);
  await checkRules(t, rules);
  await lockProvider(t.tx, t.companyId, provider);
  if ((await destinationsOf(t.tx, t.companyId, provider)).length >= mostDestinations)
    fail('integration.too_many', { most: mostDestinations });
  const row = await insertDestination(t.tx, {
    company_id: t.companyId,
    ...{ provider, name, status },
    config: JSON.stringify(config),
    rules: JSON.stringify(rules),
    messages: JSON.stringify(messages),
    ...sealedSecret(t, secret),
    created_by: t.actor.userId || null,
    created_at: t.now,
    updated_at: t.now,
  });
  await audit(t, 'integration.created', `destination:${row.id}`, { after: shown(row) });
  await changed(t, provider);
  return row;
}

/** A destination that is turned on or off by a person begins without its failures. */
const afresh = {
  ...{ failures: 0, failing_since: null, off_because: null },
  ...{ last_error: null, last_error_at: null },
};

/** What the audit log holds of a destination: no configuration, which can hold addresses. */
const shown = ({ provider, name, status }: DestinationRow) => ({ provider, name, status });

/** Replaces what is set of a destination. Fails with `not_found`. */
export async function replaceDestination(
  t: TxCtx,
  provider: string,
  id: number,
  { name, status, config, rules, secret, messages = [] }: DestinationInput,
): Promise<DestinationRow> {
  const before = (await lockDestination(t.tx, t.companyId, provider, id)) ?? notFound();
  await checkRules(t, rules);
  const row = await patchDestination(t.tx, t.companyId, id, {
    ...{ name, status },
    config: JSON.stringify(config),
    rules: JSON.stringify(rules),
    messages: JSON.stringify(messages),
    ...sealedSecret(t, secret),
    ...(status !== before.status && afresh),
    updated_at: t.now,
  });
  await audit(t, 'integration.updated', `destination:${id}`, {
    before: shown(before),
    after: shown(row),
  });
  await changed(t, provider);
  return row;
}

/** Stops deliveries; what is waiting is given up. Fails with `not_found`. */
export async function deactivateDestination(
  t: TxCtx,
  provider: string,
  id: number,
): Promise<DestinationRow> {
  const before = (await lockDestination(t.tx, t.companyId, provider, id)) ?? notFound();
  if (before.status === 'inactive') return before;
  const row = await patchDestination(t.tx, t.companyId, id, {
    status: 'inactive',
    off_because: null,
    updated_at: t.now,
  });
  await audit(t, 'integration.deactivated', `destination:${id}`, {
    before: shown(before),
    after: shown(row),
  });
  await changed(t, provider);
  return row;
}

/** Removes a destination with its log. Fails with `not_found`. */
export async function removeDestination(t: TxCtx, provider: string, id: number): Promise<void> {
  const before = (await lockDestination(t.tx, t.companyId, provider, id)) ?? notFound();
  await deleteDestination(t.tx, t.companyId, id);
  await audit(t, 'integration.deleted', `destination:${id}`, { before: shown(before) });
  await changed(t, provider);
}

async function changed(t: TxCtx, provider: string): Promise<void> {
  await t.publish(integrationsChanged, { companyId: t.companyId, provider });
}
