import { integrationsChanged } from '#contract/integrations/events';
import type { Destination, News } from '../../gateways/destination.ts';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { companyRow } from '../companies/index.ts';
import { noteHealth } from './deliveries/note-health.ts';
import { sendWithAccount } from './accounts/send-with-account.ts';
import { accountPlaces } from './accounts/store-accounts.ts';
import { destinationRow, type DestinationRow } from './store.ts';

interface NewsPlace {
  destination: DestinationRow;
  kind: Destination;
  config: unknown;
  tell: NonNullable<Destination['news']>;
}

/** The destination, if it is on and news are posted there. */
function newsPlace(t: Ctx, destination: DestinationRow | undefined): NewsPlace | null {
  if (destination?.status !== 'active') return null;
  const kind = t.gateways.destinations.get(destination.provider);
  const tell = kind?.news;
  if (!kind || !tell) return null;
  const config = kind.config.safeParse(destination.config).data;
  return config !== undefined && tell.isWanted(config) ? { destination, kind, config, tell } : null;
}

/**
 * Where a company’s news are posted, each by the ID of its destination, and not before when, because
 * of its quiet hours. Null: now.
 */
export async function newsPlaces(
  t: TxCtx,
): Promise<{ destinationId: number; notBefore: Date | null }[]> {
  const found = (await accountPlaces(t.tx, t.companyId)).flatMap((row) => newsPlace(t, row) ?? []);
  if (!found.length) return [];
  const timezone = (await companyRow(t.tx, t.companyId))?.timezone ?? 'UTC';
  return found.map(({ destination, kind, config }) => ({
    destinationId: destination.id,
    notBefore: kind.notBefore?.(config, t.now, timezone) ?? null,
  }));
}

/**
 * Posts news to a destination of the company, unless it was turned off or takes none any more. How it
 * went is the destination’s health. Rejects where another try can help.
 * @param ctx outside a transaction
 */
export async function postNews(ctx: Ctx, destinationId: number, news: News): Promise<void> {
  const place = await ctx.transaction(async (t) =>
    newsPlace(t, await destinationRow(t.tx, t.companyId, destinationId)),
  );
  const connectionId = place?.destination.connection_id;
  if (!place || connectionId == null) return;
  const { kind, config, tell } = place;
  const sent = await sendWithAccount(ctx, connectionId, tell.say(config, news), (answer) =>
    Boolean(kind.isUnauthorized?.(answer)),
  );
  // An account that must be connected again says so itself, and its alert does.
  if (sent.unusable && sent.unusable !== 'away') return;
  const verdict = sent.unusable
    ? { state: 'retry' as const, error: `${kind.label} can’t be reached.` }
    : (kind.read?.(sent.answer) ?? { state: 'sent' as const });
  await ctx.transaction(async (t) => {
    await noteHealth(t, place, [verdict]);
    await t.publish(integrationsChanged, { companyId: t.companyId, provider: kind.name });
  });
  if (verdict.state === 'retry' || verdict.state === 'wait') throw new Error(verdict.error);
}
