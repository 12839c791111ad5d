/** Kinds of notifications. */
export const notificationKinds = [
  'message',
  'missed',
  'voicemail',
  'fax',
  'mention',
  'assigned',
  'alert',
] as const;

export type NotificationKind = (typeof notificationKinds)[number];

export const deliveryChannels = ['push', 'email', 'both', 'none'] as const;

export type DeliveryChannel = (typeof deliveryChannels)[number];

/**
 * Default delivery: push for inbound calls and texts, email as well for requests of colleagues and
 * for alerts. Only people who can act on alerts get them.
 */
export const defaultDelivery: Readonly<Record<NotificationKind, DeliveryChannel>> = {
  message: 'push',
  missed: 'push',
  voicemail: 'push',
  fax: 'push',
  mention: 'both',
  assigned: 'both',
  alert: 'both',
};

/**
 * Delivery to people who haven't chosen: of missed calls, voicemails and texts as their company's
 * setting `notification_defaults` says, where `app` stands for pushes and the open page.
 */
export function deliveryOfCompany(
  usual: Readonly<Record<'missed' | 'voicemail' | 'message', readonly ('app' | 'email')[]>>,
): Record<NotificationKind, DeliveryChannel> {
  const wayOf = (channels: readonly ('app' | 'email')[]): DeliveryChannel => {
    if (channels.includes('email')) return channels.includes('app') ? 'both' : 'email';
    return channels.includes('app') ? 'push' : 'none';
  };
  return {
    ...defaultDelivery,
    missed: wayOf(usual.missed),
    voicemail: wayOf(usual.voicemail),
    message: wayOf(usual.message),
  };
}

/**
 * Whether a delivery setting covers a kind of notification about a number. No numbers selected: all
 * of them; a notification without a number always matches.
 */
export const wantsDelivery = (
  chosen: DeliveryChannel,
  numberIds: readonly number[],
  way: 'push' | 'email',
  numberId: number | null,
): boolean =>
  (chosen === 'both' || chosen === way) &&
  (numberId === null || numberIds.length === 0 || numberIds.includes(numberId));

/** Minutes since midnight of a wall-clock time `HH:mm`. */
export const minutesOf = (clock: string): number =>
  Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5));

/**
 * Whether a minute of the day is within quiet hours, which may cross midnight. `from` equal to
 * `to`: never.
 */
export const isQuietAt = (minute: number, from: string, to: string): boolean => {
  const [begins, ends] = [minutesOf(from), minutesOf(to)];
  return begins < ends
    ? minute >= begins && minute < ends
    : begins > ends && (minute >= begins || minute < ends);
};

export interface NotificationPreference {
  kinds: Readonly<Record<NotificationKind, DeliveryChannel>>;
  number_ids: readonly number[];
  quiet: { on: boolean; from: string; to: string; timezone: string };
}

/** Whether to show a notification on screen now; an open page replaces a push. */
export function wantsInApp(
  wish: NotificationPreference,
  kind: NotificationKind,
  numberId: number | null,
  now: Date,
): boolean {
  if (!wantsDelivery(wish.kinds[kind], wish.number_ids, 'push', numberId)) return false;
  if (!wish.quiet.on) return true;
  const [hour, minute] = new Intl.DateTimeFormat('en-GB', {
    timeZone: wish.quiet.timezone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
    .format(now)
    .split(':')
    .map(Number) as [number, number];
  return !isQuietAt(hour * 60 + minute, wish.quiet.from, wish.quiet.to);
}

/** Notification channels. `sms` and `slack` need a connection. */
export const notificationChannels = ['email', 'sms', 'push', 'app', 'slack'] as const;

export type NotificationChannel = (typeof notificationChannels)[number];

export const notificationEvents = [
  'call',
  'missed',
  'voicemail',
  'message',
  'fax',
  'campaign',
  'alert',
] as const;

export type NotificationEvent = (typeof notificationEvents)[number];

/** Seconds that an email about a conversation waits for further items. */
export const mailEverySeconds = 300;
