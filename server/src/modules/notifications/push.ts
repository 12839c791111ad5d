import type { EventData, PermissionKey, calls, conversations } from '#contract';
import type { NotificationKind } from '#contract/notifications/rules';
import type { NotificationEvent } from '#contract/notifications/rules';
import { formatPhone } from '#contract/phone';
import { partyName as nameOfParty } from '#contract/party';
import type { TxCtx } from '../../platform/context.ts';
import type { PushNotification } from '../../gateways/push.ts';
import { companyRow } from '../companies/index.ts';
import { addToMailDigest } from './mail-digest.ts';
import { pausedPeople } from './pauses.ts';
import { quietUntil, wantsNotification } from './preferences.ts';
import { canSeeNumber } from './rules.ts';
import { usersWantingMail, readersOf, settingsOfUsers } from './store-settings.ts';
import { colleaguesWithDevices, connectedPersons, mutedBy, userOfLeg } from './store.ts';
import { devicesOf } from './store-devices.ts';
import { pushJob } from './job-kinds.ts';

// The system role: a person’s devices and presence are the same in all of their companies.

/** Whether this is an individual's account, whose pushes lead to an app of its own. */
const isIndividual = async (ctx: TxCtx, companyId: number): Promise<boolean> =>
  (await companyRow(ctx.db.unscoped, companyId))?.kind === 'caddy';

const partyName = (party: string, contact: string | null | undefined) =>
  contact || nameOfParty(party, 'Withheld number');

/** Queues one push per device. Safe to repeat with the same key. */
export async function pushTo(
  ctx: TxCtx,
  persons: readonly number[],
  kinds: readonly ('apns_voip' | 'web')[],
  note: PushNotification,
  key: string,
): Promise<void> {
  for (const device of await devicesOf(ctx.db.unscoped, persons, kinds))
    await ctx.enqueue(
      pushJob,
      { deviceId: device.id, note, key: `${key}:${device.id}` },
      { key: `push:${key}:${device.id}` },
    );
}

/** Pushes a call that rings a user who has no page open to their phone and browsers. */
export async function pushCall(
  ctx: TxCtx,
  event: EventData<typeof calls.inAppCalling>,
): Promise<void> {
  if (event.type !== 'ringing' || event.outbound || !event.leg || !event.number || !event.callId)
    return;
  const person = await userOfLeg(ctx.tx, ctx.companyId || event.companyId, event.leg);
  if (
    !person ||
    (await mutedBy(ctx.tx, event.companyId, event.number.id, 'push', 'call')).has(person)
  )
    return;
  const isOfIndividual = await isIndividual(ctx, event.companyId);
  const isReached = isOfIndividual
    ? // They choose texts, calls and voicemails, and nothing finer.
      (await reachableNow(ctx, [person], 'missed', event.number.id)).length > 0
    : !(await connectedPersons(ctx.db.unscoped, [person], ctx.now)).has(person);
  if (!isReached) return;
  const callerName = partyName(event.from ?? 'anonymous', event.contact?.name);
  await pushTo(
    ctx,
    [person],
    ['apns_voip', 'web'],
    {
      kind: 'call',
      title: callerName,
      body: `Calling ${event.number.label || formatPhone(event.number.number)}`,
      url: isOfIndividual ? '/caddy/' : `/calls/${event.callId}`,
      tag: `call-${event.callId}`,
      data: {
        companyId: event.companyId,
        callId: event.callId,
        joinToken: event.joinToken,
        from: event.from,
        expiresAt: event.expiresAt,
      },
      ttlSeconds: 30,
    },
    `call:${event.companyId}:${event.leg}`,
  );
}

/** Users who see the number, didn't mute it, and can be reached by push now. */
async function personsToPush(
  ctx: TxCtx,
  numberId: number,
  key: PermissionKey,
  event: NotificationEvent,
): Promise<number[]> {
  const allowed = (await colleaguesWithDevices(ctx.db.unscoped, ctx.companyId))
    .filter((c) => canSeeNumber(c, numberId, key))
    .map((c) => c.user_id);
  if (!allowed.length) return [];
  const muted = await mutedBy(ctx.tx, ctx.companyId, numberId, 'push', event);
  return reachableNow(
    ctx,
    allowed.filter((id) => !muted.has(id)),
    event as NotificationKind,
    numberId,
  );
}
/**
 * Those of these users who want pushes of this kind for the number, have no page open, no quiet
 * hours, no do not disturb, and are within their own hours.
 */
export async function reachableNow(
  ctx: TxCtx,
  personIds: readonly number[],
  kind: NotificationKind,
  numberId: number | null,
): Promise<number[]> {
  if (!personIds.length) return [];
  // A page of Caddy that is open tells nobody who doesn't look at it, so its browser decides.
  const connected = (await isIndividual(ctx, ctx.companyId))
    ? new Set<number>()
    : await connectedPersons(ctx.db.unscoped, personIds, ctx.now);
  const settings = await settingsOfUsers(ctx.tx, ctx.companyId, personIds);
  const paused = await pausedPeople(ctx);
  const zones = new Map(
    [...settings.values()].some(({ quiet }) => quiet)
      ? (await readersOf(ctx.db.unscoped, ctx.companyId, personIds)).map((p) => [
          p.user_id,
          p.timezone ?? p.company_timezone,
        ])
      : [],
  );
  return personIds.filter((id) => {
    const preferences = settings.get(id);
    return (
      !connected.has(id) &&
      !paused.has(id) &&
      wantsNotification(preferences, kind, 'push', numberId) &&
      quietUntil(preferences, preferences?.timezone ?? zones.get(id) ?? 'UTC', ctx.now) === null
    );
  });
}

type ConversationUpdate = EventData<typeof conversations.conversationUpdated>;
/**
 * The notification for an update: inbound texts, voicemails, complete faxes, missed calls; null:
 * none.
 */
export function notificationOf(
  said: ConversationUpdate,
): { event: NotificationEvent; key: PermissionKey; body: string } | null {
  const item = said.item;
  if (!item?.isInbound || item.readAt !== null) return null;
  if (item.kind === 'message')
    return said.reason === 'new_item'
      ? { event: 'message', key: 'inbox.view', body: item.details.content || 'Picture' }
      : null;
  if (item.kind === 'voicemail')
    return said.reason === 'new_item'
      ? { event: 'voicemail', key: 'inbox.view', body: 'New voicemail' }
      : null;
  if (item.kind === 'fax')
    return said.reason === 'item_updated' && item.details.state === 'received'
      ? {
          event: 'fax',
          key: 'inbox.view',
          body: item.details.pages === 1 ? 'Fax, 1 page' : `Fax, ${item.details.pages} pages`,
        }
      : null;
  if (item.kind === 'call')
    return said.reason === 'item_updated' && item.details.outcome === 2
      ? { event: 'missed', key: 'inbox.view', body: 'Missed call' }
      : null;
  return null;
}
/** Notifies users of a new item in the inbox by web push, and adds it to their email digests. */
export async function pushNotification(ctx: TxCtx, said: ConversationUpdate): Promise<void> {
  const news = notificationOf(said);
  if (!news || !said.item) return;
  const { conversation } = said;
  await addMailNotifications(ctx, said, news);
  const persons = await personsToPush(ctx, conversation.number.id, news.key, news.event);
  if (!persons.length) return;
  const isOfIndividual = await isIndividual(ctx, ctx.companyId);
  await pushTo(
    ctx,
    persons,
    ['web'],
    {
      kind: 'news',
      title: partyName(conversation.recipient, conversation.contact?.name),
      body: news.body.slice(0, 180),
      url: `${isOfIndividual ? '/caddy/threads' : '/inbox'}/${conversation.id}`,
      tag: `conversation-${conversation.id}`,
      data: { companyId: ctx.companyId, conversationId: conversation.id, event: news.event },
      ttlSeconds: 86_400,
    },
    `${news.event}:${ctx.companyId}:${said.item.id}`,
  );
}

/** Adds to the digests of users who want emails of this kind. */
async function addMailNotifications(
  ctx: TxCtx,
  { conversation, item }: ConversationUpdate,
  news: NonNullable<ReturnType<typeof notificationOf>>,
): Promise<void> {
  const userIds = await usersWantingMail(ctx.tx, ctx.companyId, news.event as NotificationKind);
  if (!userIds.length || !item) return;
  const muted = await mutedBy(ctx.tx, ctx.companyId, conversation.number.id, 'email', news.event);
  const people = (await readersOf(ctx.db.unscoped, ctx.companyId, userIds)).filter(
    (p) => canSeeNumber(p, conversation.number.id, news.key) && !muted.has(p.user_id),
  );
  await addToMailDigest(ctx, people, {
    kind: news.event as NotificationKind,
    numberId: conversation.number.id,
    conversationId: conversation.id,
    line: { text: news.body.slice(0, 500), at: item.createdAt, itemId: item.id, who: '' },
  });
}
