import type { Answer, Body, integrations as contract, PageAnswer, Query } from '#contract';
import { integrationsChanged } from '#contract/integrations/events';
import { audit } from '../../../platform/audit.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { fail, notFound } from '../../../platform/errors.ts';
import { presentDelivery, visibleNumbers } from '../present.ts';
import { destinationRow } from '../store.ts';
import { deliveryPage, deliveryRow, lockDelivery, patchDelivery } from '../store-deliveries.ts';
import { attemptsOf, requeue } from '../store-replay.ts';

type Delivery = Answer<typeof contract.replayDelivery>['data'];

/** A destination's deliveries, newest first. Fails with `not_found`. */
export async function listDeliveries(
  t: TxCtx,
  destinationId: number,
  query: Query<typeof contract.listDeliveries>,
): Promise<PageAnswer<Delivery>> {
  if (!(await destinationRow(t.tx, t.companyId, destinationId))) notFound();
  const { rows, total } = await deliveryPage(t.tx, t.companyId, destinationId, {
    ...query,
    numbers: visibleNumbers(t),
  });
  return { rows: rows.map(presentDelivery), total };
}

/** A delivery with each of its tries. Fails with `not_found`. */
export async function getDelivery(
  t: TxCtx,
  id: number,
): Promise<Answer<typeof contract.getDelivery>> {
  const row = (await deliveryRow(t.tx, t.companyId, id)) ?? notFound();
  if (visibleNumbers(t)?.includes(row.number_id) === false) notFound();
  const tries = await attemptsOf(t.tx, t.companyId, id);
  return {
    data: {
      ...presentDelivery(row),
      tries: tries.map(({ company_id: _, delivery_id: __, at, ...attempt }) => ({
        ...attempt,
        at: at.toISOString(),
      })),
    },
  };
}

/**
 * Delivers once more what a destination was to get in a period, in its order. Fails with `not_found`,
 * and with `integration.off`.
 */
export async function replayDeliveries(
  t: TxCtx,
  destinationId: number,
  { since, until, only }: Body<typeof contract.replayDeliveries>,
): Promise<Answer<typeof contract.replayDeliveries>> {
  const destination = (await destinationRow(t.tx, t.companyId, destinationId)) ?? notFound();
  if (destination.status !== 'active') fail('integration.off');
  const { companyId, now } = t;
  const queued = await requeue(
    t.tx,
    { company_id: companyId, destination_id: destinationId },
    {
      ...{ since: new Date(since), until: new Date(until), all: only === 'all', now },
      numbers: visibleNumbers(t),
    },
  );
  const { provider, name } = destination;
  await audit(t, 'integration.replayed', `destination:${destinationId}`, {
    after: { provider, name, since, until, only, queued },
  });
  await t.publish(integrationsChanged, { companyId, provider });
  return { data: { queued } };
}

/**
 * Delivers once more, as it is known now. Its key stays, so a receiver that knows it can tell. Fails
 * with `not_found`, and with `delivery.in_progress` while a worker sends it.
 */
export async function replayDelivery(
  t: TxCtx,
  id: number,
): Promise<Answer<typeof contract.replayDelivery>> {
  const row = (await lockDelivery(t.tx, t.companyId, id)) ?? notFound();
  if (visibleNumbers(t)?.includes(row.number_id) === false) notFound();
  if (row.claimed_until && row.claimed_until > t.now) fail('delivery.in_progress');
  const destination = (await destinationRow(t.tx, t.companyId, row.destination_id)) ?? notFound();
  const queued = await patchDelivery(t.tx, t.companyId, id, {
    state: 'queued',
    attempts: 0,
    error: null,
    next_try_at: t.now,
  });
  await audit(t, 'integration.replayed', `delivery:${id}`, {
    after: { provider: destination.provider, name: destination.name, event: row.event },
  });
  const { companyId } = t;
  await t.publish(integrationsChanged, { companyId, provider: destination.provider });
  return { data: presentDelivery(queued) };
}
