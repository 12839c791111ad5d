/** How a person wants to hear of what happens: the server asks before it pushes or mails, an open page before it shows a notice. Pure. */

/** What a person can be told of. */
export const notificationKinds = [
  'message',
  'missed',
  'voicemail',
  'fax',
  'mention',
  'assigned',
] as const;

export type NotificationKind = (typeof notificationKinds)[number];

export const deliveryChannels = ['push', 'email', 'both', 'none'] as const;

export type DeliveryChannel = (typeof deliveryChannels)[number];

/** Until somebody says otherwise: the phone for what comes in, mail as well for what colleagues ask of one. */
export const defaultDelivery: Readonly<Record<NotificationKind, DeliveryChannel>> = {
  message: 'push',
  missed: 'push',
  voicemail: 'push',
  fax: 'push',
  mention: 'both',
  assigned: 'both',
};

/** Does this way of hearing cover a kind of news about a number? No numbers chosen: all of them; news about no number always. */
export const wantsDelivery = (
  chosen: DeliveryChannel,
  numberIds: readonly number[],
  way: 'push' | 'email',
  numberId: number | null,
): boolean =>
  (chosen === 'both' || chosen === way) &&
  (numberId === null || numberIds.length === 0 || numberIds.includes(numberId));

export const minutesOf = (clock: string): number =>
  Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5));

/** Quiet from one minute of the day to another, over midnight too. From = to: never. */
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

/** Is a notice wanted on the screen now? A page that is open takes the place of a push. */
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

/** Ways a person hears of something. `sms` and `slack` are kept for those who connect them. */
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

/** A mail about a conversation waits this long for more of it. */
export const mailEverySeconds = 300;
