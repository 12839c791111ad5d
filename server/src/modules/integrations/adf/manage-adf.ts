import { z } from 'zod';
import type { adf as contract, Answer, Body } from '#contract';
import { adfAuth, adfConfig, type AdfIntegration } from '#contract/integrations/adf/schemas';
import { deliveryRules } from '#contract/integrations/schemas';
import type { TxCtx } from '../../../platform/context.ts';
import { unseal } from '../../../platform/secrets.ts';
import {
  addDestination,
  deactivateDestination,
  replaceDestination,
  type DestinationInput,
} from '../change-destination.ts';
import { healthOf, visibleIds } from '../present.ts';
import { destinationsOf, type DestinationRow } from '../store.ts';

/** Where the company's leads are sent as ADF XML, oldest first. */
export async function listAdf(t: TxCtx): Promise<Answer<typeof contract.listAdfIntegrations>> {
  const rows = await destinationsOf(t.tx, t.companyId, 'adf');
  return {
    data: await presentAll(t, rows),
    meta: { simulated: t.gateways.outbound.name === 'sandbox' },
  };
}

type Presented = { data: AdfIntegration };

/** Adds an ADF integration. Fails with `integration.too_many`. */
export const createAdf = async (
  t: TxCtx,
  body: Body<typeof contract.createAdfIntegration>,
): Promise<Presented> => presentOne(t, await addDestination(t, 'adf', inputOf(body)));

/** Replaces an ADF integration. Fails with `not_found`. */
export const updateAdf = async (
  t: TxCtx,
  id: number,
  body: Body<typeof contract.updateAdfIntegration>,
): Promise<Presented> => presentOne(t, await replaceDestination(t, 'adf', id, inputOf(body)));

/** Stops an ADF integration. Fails with `not_found`. */
export const deactivateAdf = async (t: TxCtx, id: number): Promise<Presented> =>
  presentOne(t, await deactivateDestination(t, 'adf', id));

function inputOf({
  name,
  status,
  rules,
  auth,
  ...config
}: Body<typeof contract.createAdfIntegration>): DestinationInput {
  const secret = auth === undefined ? undefined : auth && JSON.stringify(auth);
  return { name, status, rules, config, secret };
}

/** Who is told to the receiver, without the secret; null: no one. */
function presentAuth(t: TxCtx, sealed: string | null): AdfIntegration['auth'] {
  if (sealed === null) return null;
  const text = unseal(t.settings.appSecrets, sealed);
  const auth = adfAuth.parse(z.json().parse(JSON.parse(text)));
  const name = auth.type === 'basic' ? auth.username : auth.type === 'header' ? auth.name : null;
  return { type: auth.type, name };
}

async function presentAll(t: TxCtx, rows: readonly DestinationRow[]): Promise<AdfIntegration[]> {
  const health = await healthOf(t, rows);
  return rows.flatMap((row) => {
    const doing = health.get(row.id);
    if (!doing) return [];
    return [
      {
        ...adfConfig.parse(row.config),
        id: row.id,
        name: row.name,
        status: row.status as AdfIntegration['status'], // a check constraint of the column
        rules: deliveryRules
          .parse(row.rules)
          .map((rule) => ({ ...rule, number_ids: visibleIds(t, rule.number_ids) })),
        auth: presentAuth(t, row.secret_sealed),
        ...doing,
        created_by: row.created_by,
        created_at: row.created_at.toISOString(),
        updated_at: row.updated_at.toISOString(),
      },
    ];
  });
}
const presentOne = async (t: TxCtx, row: DestinationRow): Promise<Presented> => {
  const [data] = await presentAll(t, [row]);
  if (!data) throw new Error('The integration can’t be shown.');
  return { data };
};
