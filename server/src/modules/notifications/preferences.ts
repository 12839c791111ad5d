import { DateTime } from 'luxon';
import {
  wantsDelivery,
  isQuietAt,
  minutesOf,
  notificationKinds,
  deliveryChannels,
  defaultDelivery,
  type NotificationKind,
  type DeliveryChannel,
} from '#contract/notifications/rules';

/** A person's notification preferences. Pure functions. */
interface Preferences {
  kinds: unknown;
  number_ids: readonly number[];
  quiet: boolean;
  quiet_from: string;
  quiet_to: string;
}

/** The stored settings, with what is usual for what is missing. */
export function deliveryByKind(
  kinds: unknown,
  usual: Readonly<Record<NotificationKind, DeliveryChannel>> = defaultDelivery,
): Record<NotificationKind, DeliveryChannel> {
  const saved = (typeof kinds === 'object' && kinds !== null ? kinds : {}) as Record<
    string,
    unknown
  >;
  return Object.fromEntries(
    notificationKinds.map((kind) => [
      kind,
      deliveryChannels.find((way) => way === saved[kind]) ?? usual[kind],
    ]),
  ) as Record<NotificationKind, DeliveryChannel>;
}
/**
 * Whether a user wants this kind on this channel. Without stored preferences the defaults count; a
 * null number passes their choice of numbers.
 */
export const wantsNotification = (
  preferences: Preferences | undefined,
  kind: NotificationKind,
  channel: 'push' | 'email',
  numberId: number | null,
): boolean =>
  wantsDelivery(
    deliveryByKind(preferences?.kinds)[kind],
    preferences?.number_ids ?? [],
    channel,
    numberId,
  );

/** When the current quiet hours end; null: none now. Equal `from` and `to` mean no quiet hours. */
export function quietUntil(
  preferences: Preferences | undefined,
  zone: string,
  now: Date,
): Date | null {
  if (!preferences?.quiet) return null;
  const local = DateTime.fromJSDate(now, { zone });
  if (!isQuietAt(local.hour * 60 + local.minute, preferences.quiet_from, preferences.quiet_to))
    return null;
  const to = minutesOf(preferences.quiet_to);
  const today = local.startOf('day').set({ hour: Math.floor(to / 60), minute: to % 60 });
  return (today > local ? today : today.plus({ days: 1 })).toJSDate();
}
