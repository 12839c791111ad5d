import type { EventData, PermissionKey, calls, conversations } from '#contract';
import type { NewsKind } from '#contract/notification-rules';
import type { NotificationEvent } from '#contract/notifications';
import { formatPhone } from '#contract/phone';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { unseal } from '../../platform/secrets.ts';
import type { Note } from '../../ports/push.ts';
import { noteForMail } from './mail-news.ts';
import { quietUntil, wants } from './quiet.ts';
import { sees } from './rules.ts';
import { mailedAbout, readersOf, settingsOf } from './store-settings.ts';
import {
  colleaguesWithDevices,
  connectedAmong,
  deviceById,
  deviceGone,
  devicesOf,
  mutedBy,
  personOfLeg,
} from './store.ts';

const nameOf = (party: string, contact: string | null | undefined) =>
  contact || (party.startsWith('+') ? formatPhone(party) : 'Withheld number');

/** One push a device; the key makes a second one boring. */
export async function pushTo(
  ctx: TxCtx,
  persons: readonly number[],
  kinds: readonly ('apns_voip' | 'web')[],
  note: Note,
  key: string,
): Promise<void> {
  for (const device of await devicesOf(ctx.db.directory, persons, kinds))
    await ctx.enqueue(
      'notifications.push',
      { deviceId: device.id, note, key: `${key}:${device.id}` },
      { key: `push:${key}:${device.id}`, attempts: 4 },
    );
}

/** A call rings in the app of somebody who has no page open: their telephone and browsers are woken. */
export async function pushCall(
  ctx: TxCtx,
  said: EventData<typeof calls.inAppCalling>,
): Promise<void> {
  if (said.type !== 'ringing' || said.outbound || !said.leg || !said.number || !said.callId) return;
  const person = await personOfLeg(ctx.tx, ctx.companyId || said.companyId, said.leg);
  if (
    !person ||
    (await mutedBy(ctx.tx, said.companyId, said.number.id, 'push', 'call')).has(person)
  )
    return;
  if ((await connectedAmong(ctx.db.directory, [person], ctx.now)).has(person)) return;
  const who = nameOf(said.from ?? 'anonymous', said.contact?.name);
  await pushTo(
    ctx,
    [person],
    ['apns_voip', 'web'],
    {
      kind: 'call',
      title: who,
      body: `Calling ${said.number.label || formatPhone(said.number.number)}`,
      url: `/calls/${said.callId}`,
      tag: `call-${said.callId}`,
      data: {
        companyId: said.companyId,
        callId: said.callId,
        joinToken: said.joinToken,
        from: said.from,
        expiresAt: said.expiresAt,
      },
      ttlSeconds: 30,
    },
    `call:${said.companyId}:${said.leg}`,
  );
}

/** Who is to be told of something on a number: sees it, did not mute it, has no page open. */
async function listeners(
  ctx: TxCtx,
  numberId: number,
  key: PermissionKey,
  event: NotificationEvent,
): Promise<number[]> {
  const may = (await colleaguesWithDevices(ctx.db.directory, ctx.companyId))
    .filter((c) => sees(c, numberId, key))
    .map((c) => c.user_id);
  if (!may.length) return [];
  const muted = await mutedBy(ctx.tx, ctx.companyId, numberId, 'push', event);
  return reachableNow(
    ctx,
    may.filter((id) => !muted.has(id)),
    event as NewsKind,
    numberId,
  );
}
/** Of these people, those who want a push of this kind and number now: no page open, and no quiet hours. */
export async function reachableNow(
  ctx: TxCtx,
  people: readonly number[],
  kind: NewsKind,
  numberId: number | null,
): Promise<number[]> {
  if (!people.length) return [];
  const there = await connectedAmong(ctx.db.directory, people, ctx.now);
  const settings = await settingsOf(ctx.tx, ctx.companyId, people);
  const zones = new Map(
    settings.size
      ? (await readersOf(ctx.db.directory, ctx.companyId, people)).map((p) => [
          p.user_id,
          p.timezone ?? p.company_timezone,
        ])
      : [],
  );
  return people.filter((id) => {
    const wishes = settings.get(id);
    return (
      !there.has(id) &&
      wants(wishes, kind, 'push', numberId) &&
      quietUntil(wishes, wishes?.timezone ?? zones.get(id) ?? 'UTC', ctx.now) === null
    );
  });
}

type Said = EventData<typeof conversations.conversationUpdated>;
/** What came in and waits: texts, voicemails, faxes (once their pages are there), calls nobody took. */
export function newsOf(
  said: Said,
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
export async function pushNews(ctx: TxCtx, said: Said): Promise<void> {
  const news = newsOf(said);
  if (!news || !said.item) return;
  const { conversation } = said;
  await mailAboutNews(ctx, said, news);
  const persons = await listeners(ctx, conversation.number.id, news.key, news.event);
  if (!persons.length) return;
  await pushTo(
    ctx,
    persons,
    ['web'],
    {
      kind: 'news',
      title: nameOf(conversation.recipient, conversation.contact?.name),
      body: news.body.slice(0, 180),
      url: `/inbox/${conversation.id}`,
      tag: `conversation-${conversation.id}`,
      data: { companyId: ctx.companyId, conversationId: conversation.id, event: news.event },
      ttlSeconds: 86_400,
    },
    `${news.event}:${ctx.companyId}:${said.item.id}`,
  );
}

/** Mail, for those who asked for it of this kind: it waits for more, and is not sent when somebody read it first. */
async function mailAboutNews(
  ctx: TxCtx,
  { conversation, item }: Said,
  news: NonNullable<ReturnType<typeof newsOf>>,
): Promise<void> {
  const asked = await mailedAbout(ctx.tx, ctx.companyId, news.event);
  if (!asked.length || !item) return;
  const muted = await mutedBy(ctx.tx, ctx.companyId, conversation.number.id, 'email', news.event);
  const people = (await readersOf(ctx.db.directory, ctx.companyId, asked)).filter(
    (p) => sees(p, conversation.number.id, news.key) && !muted.has(p.user_id),
  );
  await noteForMail(ctx, people, {
    kind: news.event as NewsKind,
    numberId: conversation.number.id,
    conversationId: conversation.id,
    line: { text: news.body.slice(0, 500), at: item.createdAt, itemId: item.id, who: '' },
  });
}

/** Send one push (a job). A device that no longer exists is forgotten; a service that is away is tried again a few times. */
export async function push(
  ctx: Ctx,
  job: { deviceId: number; note: Note; key: string },
): Promise<void> {
  const device = await deviceById(ctx.db.directory, job.deviceId);
  if (!device) return;
  const keys = device.keys_secret
    ? (JSON.parse(unseal(ctx.settings.appSecret, device.keys_secret)) as {
        p256dh: string;
        auth: string;
      })
    : null;
  const result = await ctx.ports.push.send(
    {
      personId: device.person_id,
      kind: device.kind,
      deviceId: device.device_id,
      token: device.token,
      bundleId: device.bundle_id,
      environment: device.environment,
      keys,
    },
    job.note,
    job.key,
  );
  if (result.state === 'gone') await ctx.db.system((tx) => deviceGone(tx, device.id, ctx.now));
  if (result.state === 'refused')
    ctx.log.warn({ reason: result.reason, kind: device.kind }, 'a push was refused');
  if (result.state === 'away') throw new Error(`The push service is away: ${result.reason}`);
}
