import { notifications as contract, type Answer, type Body } from '#contract';
import { publishIn, type Ctx, type TxCtx } from '../../platform/context.ts';
import { invalid, notFound, fail } from '../../platform/errors.ts';
import { madeWithOneOf, sign } from '../../platform/secrets.ts';
import type { NotificationKind } from '#contract/notifications/rules';
import { canonicalZone } from '#contract/routing/schedules/rules';
import { refreshNotificationTargets } from './notification-targets.ts';
import { quietUntil } from './preferences.ts';
import { existingNumbers } from './store.ts';
import {
  countDevices,
  upsertSettings,
  readersOf,
  settingsOfUser,
  type Reader,
  type Settings,
} from './store-settings.ts';

// The system role: names and addresses of people, for IDs that the company’s own rows hold.

const zoneOf = (
  row: Settings,
  reader: Pick<Reader, 'timezone' | 'company_timezone'> | undefined,
): string => row.timezone ?? reader?.timezone ?? reader?.company_timezone ?? 'UTC';

/** The user's notification settings in this company, with defaults for what they haven't set. */
export async function getNotificationSettings(
  ctx: TxCtx,
): Promise<Answer<typeof contract.getNotificationSettings>> {
  const row = await settingsOfUser(ctx.tx, ctx.companyId, ctx.actor.userId);
  const [reader] = await readersOf(ctx.db.unscoped, ctx.companyId, [ctx.actor.userId]);
  const timezone = zoneOf(row, reader);
  return {
    data: {
      kinds: row.kinds,
      number_ids: row.number_ids,
      email: ctx.actor.email,
      devices: await countDevices(ctx.db.unscoped, ctx.actor.userId),
      quiet: {
        on: row.quiet,
        from: row.quiet_from,
        to: row.quiet_to,
        timezone,
        now: quietUntil(row, timezone, ctx.now) !== null,
      },
    },
  };
}

/**
 * Changes the user's notification settings; what is left out stays. `not_found` for numbers they
 * may not see.
 */
async function saveNotificationSettings(
  ctx: TxCtx,
  body: Body<typeof contract.saveNotificationSettings>,
): Promise<Answer<typeof contract.getNotificationSettings>> {
  const before = await settingsOfUser(ctx.tx, ctx.companyId, ctx.actor.userId);
  const { kinds, number_ids, quiet } = body;
  if (number_ids?.length) {
    const { numbers: visible } = ctx;
    if (visible && number_ids.some((id) => !visible.includes(id))) notFound();
    if (
      (await existingNumbers(ctx.tx, ctx.companyId, number_ids)).size !== new Set(number_ids).size
    )
      notFound();
  }
  const zone =
    quiet?.timezone &&
    (canonicalZone(quiet.timezone) ?? invalid({ 'quiet.timezone': 'Choose a time zone.' }));
  await upsertSettings(ctx.tx, ctx.companyId, ctx.actor.userId, {
    kinds: JSON.stringify({ ...before.kinds, ...kinds }),
    number_ids: number_ids ?? before.number_ids,
    quiet: quiet?.on ?? before.quiet,
    quiet_from: quiet?.from ?? before.quiet_from,
    quiet_to: quiet?.to ?? before.quiet_to,
    timezone: quiet?.timezone === undefined ? before.timezone : zone || null,
    updated_at: ctx.now,
  });
  await ctx.publish(
    contract.notificationSettingsChanged,
    { companyId: ctx.companyId },
    { userId: ctx.actor.userId },
  );
  return getNotificationSettings(ctx);
}
/** Which kinds are pushed to an individual, and between which times of their day nothing is. */
export async function setPushes(
  t: TxCtx,
  userId: number,
  kinds: Partial<Record<NotificationKind, boolean>>,
  quiet: { from: string; to: string } | null,
): Promise<void> {
  const ways = Object.entries(kinds).map(([kind, isOn]) => [kind, isOn ? 'push' : 'none']);
  const isAlways = quiet !== null && quiet.from === quiet.to;
  await upsertSettings(t.tx, t.companyId, userId, {
    ...{ kinds: JSON.stringify(Object.fromEntries(ways)), number_ids: [], timezone: null },
    quiet: quiet !== null,
    quiet_from: isAlways ? '00:00' : (quiet?.from ?? '20:00'),
    quiet_to: isAlways ? '24:00' : (quiet?.to ?? '08:00'),
    updated_at: t.now,
  });
}
/** Refreshes the notification targets after the commit. */
export async function saveSettingsAndRefresh(
  ctx: Ctx,
  body: Body<typeof contract.saveNotificationSettings>,
): Promise<Answer<typeof contract.getNotificationSettings>> {
  const answer = await ctx.transaction((t) => saveNotificationSettings(t, body));
  await refreshNotificationTargets(ctx.db);
  return answer;
}

/**
 * The signed token of an email's unsubscribe link. Never expires, because emails are kept. Has no
 * dots, or the URL would be served as a file.
 */
export const unsubscribeToken = (secret: Buffer, companyId: number, userId: number): string =>
  `${companyId}-${userId}-${sign(secret, `unsubscribe:${companyId}:${userId}`)}`;

/**
 * Turns off email notifications by the signed link in an email, without signing in.
 * `unsubscribe.invalid` when its signature is wrong.
 */
export async function unsubscribeMail(
  ctx: Ctx,
  body: Body<typeof contract.unsubscribeMail>,
): Promise<Answer<typeof contract.unsubscribeMail>> {
  const [companyId, userId] = body.token.split('-', 2).map(Number);
  if (
    !companyId ||
    !userId ||
    !Number.isSafeInteger(companyId) ||
    !Number.isSafeInteger(userId) ||
    !madeWithOneOf(ctx.settings.appSecrets, body.token, (secret) =>
      unsubscribeToken(secret, companyId, userId),
    )
  )
    fail('unsubscribe.invalid');
  const [reader] = await readersOf(ctx.db.unscoped, companyId, [userId]);
  if (!reader) fail('unsubscribe.invalid');
  await ctx.db.transaction({ companyId }, async (tx) => {
    const before = await settingsOfUser(tx, companyId, userId);
    const withoutMail = Object.fromEntries(
      Object.entries(before.kinds).map(([kind, way]) => [
        kind,
        way === 'both' ? 'push' : way === 'email' ? 'none' : way,
      ]),
    );
    await upsertSettings(tx, companyId, userId, {
      kinds: JSON.stringify(withoutMail),
      number_ids: before.number_ids,
      quiet: before.quiet,
      quiet_from: before.quiet_from,
      quiet_to: before.quiet_to,
      timezone: before.timezone,
      updated_at: ctx.now,
    });
    await publishIn(tx, contract.notificationSettingsChanged, { companyId }, { userId, companyId });
  });
  return { data: { company: reader.company, email: reader.email.replace(/^(.)[^@]*/, '$1…') } };
}
