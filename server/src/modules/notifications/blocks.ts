import { notifications as contract, type Answer, type Body } from '#contract';
import type { TxCtx } from '../../platform/context.ts';
import { invalid, notFound } from '../../platform/errors.ts';
import { blocksOf, deleteBlocks, insertBlocks, existingNumbers } from './store.ts';

/** In `notification_block.event`: all events of the channel. */
const allEvents = '*';

/** What the user has muted, per number and channel. A null event means all. */
export async function listNotificationBlocks(
  ctx: TxCtx,
): Promise<Answer<typeof contract.listNotificationBlocks>> {
  const rows = await blocksOf(ctx.tx, ctx.companyId, ctx.actor.userId);
  return {
    data: rows.map((b) => ({
      number_id: b.number_id,
      channel_type: b.channel as contract.NotificationChannel,
      event: b.event === allEvents ? null : (b.event as contract.NotificationEvent),
    })),
  };
}

/** Mutes numbers for the user. Muting all events of a channel replaces blocks of single events. */
export async function addNotificationBlocks(
  ctx: TxCtx,
  body: Body<typeof contract.addNotificationBlocks>,
): Promise<Answer<typeof contract.listNotificationBlocks>> {
  const numbers = await requestedNumbers(ctx, body);
  const events = body.events ?? [allEvents];
  if (!body.events)
    await deleteBlocks(ctx.tx, ctx.companyId, ctx.actor.userId, {
      numbers,
      channels: body.channel_types,
      events: null,
    });
  const muted = new Set(
    (await blocksOf(ctx.tx, ctx.companyId, ctx.actor.userId))
      .filter((b) => b.event === allEvents)
      .map((b) => `${b.number_id}:${b.channel}`),
  );
  const rows = numbers.flatMap((number_id) =>
    body.channel_types
      .filter((channel) => !muted.has(`${number_id}:${channel}`))
      .flatMap((channel) =>
        events.map((event) => ({
          company_id: ctx.companyId,
          user_id: ctx.actor.userId,
          number_id,
          channel,
          event,
          created_at: ctx.now,
        })),
      ),
  );
  if (rows.length) await insertBlocks(ctx.tx, rows);
  return publishBlocksChanged(ctx);
}

/**
 * Unmutes all events of these channels, or only some: then, where all were muted, the others stay
 * muted.
 */
export async function removeNotificationBlocks(
  ctx: TxCtx,
  body: Body<typeof contract.removeNotificationBlocks>,
): Promise<Answer<typeof contract.listNotificationBlocks>> {
  const numbers = await requestedNumbers(ctx, body);
  const {
    companyId,
    actor: { userId },
  } = ctx;
  const { events } = body;
  if (!events) {
    await deleteBlocks(ctx.tx, companyId, userId, {
      numbers,
      channels: body.channel_types,
      events: null,
    });
    return publishBlocksChanged(ctx);
  }
  const fullyMuted = (await blocksOf(ctx.tx, companyId, userId)).filter(
    (b) =>
      b.event === allEvents &&
      numbers.includes(b.number_id) &&
      body.channel_types.some((channel) => channel === b.channel),
  );
  await deleteBlocks(ctx.tx, companyId, userId, {
    numbers,
    channels: body.channel_types,
    events: [allEvents, ...events],
  });
  const otherEvents = contract.notificationEvents.filter((e) => !events.includes(e));
  const rows = fullyMuted.flatMap((b) =>
    otherEvents.map((event) => ({
      company_id: companyId,
      user_id: userId,
      number_id: b.number_id,
      channel: b.channel,
      event,
      created_at: ctx.now,
    })),
  );
  if (rows.length) await insertBlocks(ctx.tx, rows);
  return publishBlocksChanged(ctx);
}

/** The numbers of the request. Fails with 404 when the user can't see one of them. */
async function requestedNumbers(
  ctx: TxCtx,
  body: { number_id?: number[] | undefined; number_ids?: number[] | undefined },
): Promise<number[]> {
  const ids = [...new Set([...(body.number_id ?? []), ...(body.number_ids ?? [])])];
  if (!ids.length) invalid({ number_ids: 'Choose at least one number.' });
  const { numbers: visible } = ctx;
  if (visible && ids.some((id) => !visible.includes(id))) notFound();
  if ((await existingNumbers(ctx.tx, ctx.companyId, ids)).size !== ids.length) notFound();
  return ids;
}

async function publishBlocksChanged(ctx: TxCtx) {
  await ctx.publish(
    contract.notificationBlocksChanged,
    { companyId: ctx.companyId },
    { userId: ctx.actor.userId },
  );
  return listNotificationBlocks(ctx);
}
