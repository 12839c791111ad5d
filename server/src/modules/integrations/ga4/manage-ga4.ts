import type { Answer, Body, ga4 as contract } from '#contract';
import {
  ga4Config,
  ga4Messages,
  type Ga4Config,
  type Ga4Integration,
  type Ga4Message,
} from '#contract/integrations/ga4/schemas';
import { deliveryRule, type DeliveryRule } from '#contract/integrations/schemas';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { invalid, notFound } from '../../../platform/errors.ts';
import { unseal } from '../../../platform/secrets.ts';
import {
  addDestination,
  replaceDestination,
  type DestinationInput,
} from '../change-destination.ts';
import { visibleIds } from '../present.ts';
import { destinationRow, destinationsOf, type DestinationRow } from '../store.ts';
import { countsSince } from '../store-deliveries.ts';
import { askGoogle } from './ask-google.ts';

type Input = Body<typeof contract.createGa4Integration>;
type Presented = { data: Ga4Integration };

/** Where the company's events are sent to Google Analytics, oldest first. */
export async function listGa4(t: TxCtx): Promise<Answer<typeof contract.listGa4Integrations>> {
  const rows = await destinationsOf(t.tx, t.companyId, 'ga4');
  return {
    data: await presentAll(t, rows),
    meta: { simulated: t.gateways.outbound.name === 'sandbox' },
  };
}

/** One of them. Fails with `not_found`. */
export const getGa4 = async (t: TxCtx, id: number): Promise<Presented> =>
  presentOne(t, await ga4Row(t, id));

async function ga4Row(t: TxCtx, id: number): Promise<DestinationRow> {
  const row = await destinationRow(t.tx, t.companyId, id);
  return row?.provider === 'ga4' ? row : notFound();
}

/**
 * Adds a Google Analytics integration, once Google took a sample. Fails with `integration.too_many`,
 * and with a field error for what Google refuses.
 * @param ctx outside a transaction
 */
export async function createGa4(ctx: Ctx, body: Input): Promise<Presented> {
  const { apiSecret } = body;
  if (apiSecret === undefined) return invalid({ apiSecret: 'Enter the API secret.' });
  const messages = await checked(ctx, body, apiSecret);
  return ctx.transaction(async (t) =>
    presentOne(t, await addDestination(t, 'ga4', inputOf(body, messages))),
  );
}

/** Replaces one, as it is added. Fails with `not_found` as well. */
export async function updateGa4(ctx: Ctx, id: number, body: Input): Promise<Presented> {
  const kept = await ctx.transaction(async (t) => secretOf(t, await ga4Row(t, id)));
  const messages = await checked(ctx, body, body.apiSecret ?? kept);
  return ctx.transaction(async (t) =>
    presentOne(t, await replaceDestination(t, 'ga4', id, inputOf(body, messages))),
  );
}

const secretOf = (t: TxCtx, { secret_sealed: sealed }: DestinationRow): string =>
  sealed === null ? '' : unseal(t.settings.appSecrets, sealed);

/** What Google says of a sample; fails with it when it refuses. */
async function checked(ctx: Ctx, body: Input, secret: string): Promise<Ga4Message[]> {
  const messages = await askGoogle(ctx, configOf(body), secret);
  const errors = messages.filter(({ level }) => level === 'error');
  if (errors.length > 0)
    invalid({ events: errors.map(({ text }) => `Google Analytics: ${text}`).join(' ') });
  return messages;
}

const configOf = ({ name: _, enabled: __, apiSecret: ___, ...config }: Input): Ga4Config => config;

const inputOf = (body: Input, messages: readonly Ga4Message[]): DestinationInput => ({
  name: body.name,
  status: body.enabled ? 'active' : 'inactive',
  config: configOf(body),
  rules: rulesOf(body),
  secret: body.apiSecret,
  messages,
});

/** The rules of the events: one each, in the scope of all. */
const rulesOf = ({ scope, events }: Ga4Config): DeliveryRule[] =>
  events.map((event) =>
    deliveryRule.parse({
      event: event.trigger,
      number_ids: scope.type === 'numbers' ? scope.numberIds : [],
      dni_pool_ids: scope.type === 'pools' ? scope.dniPoolIds : [],
      min_duration: event.minDuration,
      first_contact_only: event.firstContactOnly,
      qualified_only: event.qualifiedOnly,
      value: { type: event.sendValue ? 'from_call' : 'none' },
    }),
  );

const DAY_MS = 86_400_000;

async function presentAll(t: TxCtx, rows: readonly DestinationRow[]): Promise<Ga4Integration[]> {
  const ids = rows.map(({ id }) => id);
  const counts = await countsSince(t.tx, t.companyId, ids, new Date(t.now.getTime() - DAY_MS));
  return rows.map((row) => {
    const messages = ga4Messages.parse(row.messages);
    const config = ga4Config.parse(row.config);
    const { scope } = config;
    return {
      ...config,
      scope:
        scope.type === 'numbers' ? { ...scope, numberIds: visibleIds(t, scope.numberIds) } : scope,
      id: row.id,
      companyId: row.company_id,
      name: row.name,
      enabled: row.status === 'active',
      apiSecret: `…${secretOf(t, row).slice(-4)}`,
      lastSentAt: row.last_sent_at?.toISOString() ?? null,
      lastStatus: row.last_error !== null ? 'error' : messages.length > 0 ? 'warning' : 'ok',
      lastMessages: [
        ...(row.last_error !== null
          ? [{ field: null, text: row.last_error, level: 'error' as const }]
          : []),
        ...messages,
      ],
      sent24h: counts.get(row.id)?.sent ?? 0,
      createdAt: row.created_at.toISOString(),
      updatedAt: row.updated_at.toISOString(),
    };
  });
}
const presentOne = async (t: TxCtx, row: DestinationRow): Promise<Presented> => {
  const [data] = await presentAll(t, [row]);
  return data ? { data } : notFound();
};
