import { notifications, type BodyIn } from '#contract';
import {
  wantsInApp,
  type NotificationKind,
  type NotificationPreference,
} from '#contract/notifications/rules';
import { api, onLiveEvent, createStore, session, useApiQuery, useApiMutation } from '#ui';

export type Channel = 'email' | 'sms' | 'push' | 'app' | 'slack';
export interface MuteRule {
  number_id: number;
  channel_type: Channel;
  event: string | null;
}
/**
 * What "mute this number for me" covers: every interruption. Unread counts continue until the app
 * channel is muted too.
 */
export const allChannels: readonly Channel[] = ['email', 'sms', 'push', 'app', 'slack'];

/** Whether a channel of a number is muted for an event; null: for all its events. */
export const isMuted = (
  blocks: readonly MuteRule[],
  numberId: number,
  channel: Channel,
  event: string | null = null,
): boolean =>
  blocks.some(
    (b) =>
      b.number_id === numberId &&
      b.channel_type === channel &&
      (b.event === null || b.event === event),
  );
/** Whether every channel of a number is muted for all events. */
export const isFullyMuted = (blocks: readonly MuteRule[], numberId: number): boolean =>
  allChannels.every((channel) => isMuted(blocks, numberId, channel));

/** The signed-in user's mute rules, and functions that change them. */
export function useMuteRules() {
  const { response } = useApiQuery(
    notifications.listNotificationBlocks,
    {},
    { staleTime: 60_000, silent: true },
  );
  const blocks = (response?.data ?? []) as MuteRule[];
  const { mutate: add, isPending: adding } = useApiMutation(notifications.addNotificationBlocks, {
    invalidates: [notifications.listNotificationBlocks, notifications.getNotificationCounts],
  });
  const { mutate: remove, isPending: removing } = useApiMutation(
    notifications.removeNotificationBlocks,
    {
      invalidates: [notifications.listNotificationBlocks, notifications.getNotificationCounts],
    },
  );
  const set = (
    numberIds: readonly number[],
    channels: readonly Channel[],
    mute: boolean,
    events?: readonly string[],
  ): Promise<unknown> => {
    const body = {
      number_ids: [...numberIds],
      channel_types: [...channels],
      ...(events && { events: [...events] }),
    } as BodyIn<typeof notifications.addNotificationBlocks>;
    return mute ? add({ body }) : remove({ body });
  };
  return { blocks, known: response !== undefined, working: adding || removing, set };
}

/**
 * The mute rules and channel settings outside React, for desktop notifications. Refetched after a
 * change and in another company.
 */
const store = createStore<{
  company: number | null;
  blocks: MuteRule[];
  wish: NotificationPreference | null;
}>({
  company: null,
  blocks: [],
  wish: null,
});
async function refresh(): Promise<void> {
  const company = session.get().selectedCompanyId;
  if (!company) return;
  // On an error nothing is muted and everything notifies.
  const [blocks, wish] = await Promise.all([
    api(notifications.listNotificationBlocks, {}, { silent: true }).then(
      ({ data }) => data as MuteRule[],
      () => [],
    ),
    api(notifications.getNotificationSettings, {}, { silent: true }).then(
      ({ data }) => data,
      () => null,
    ),
  ]);
  if (session.get().selectedCompanyId === company) store.set({ company, blocks, wish });
}
/** Keeps the rules current; returns a function that stops it. */
export function startMuteSync(): () => void {
  void refresh();
  const stops = [
    onLiveEvent(notifications.notificationBlocksChanged.name, () => void refresh()),
    onLiveEvent(notifications.notificationSettingsChanged.name, () => void refresh()),
    session.subscribe(() => {
      if (session.get().selectedCompanyId !== store.get().company) void refresh();
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
const isMutedInBrowser = (numberId: number, event: string): boolean =>
  isMuted(store.get().blocks, numberId, 'push', event) ||
  isMuted(store.get().blocks, numberId, 'app', event);
/**
 * Whether to show a notification of this kind now: the number isn't muted, the user chose the kind,
 * and it isn't in their quiet hours.
 */
export const shouldNotify = (
  kind: NotificationKind,
  numberId: number | null,
  now = new Date(),
): boolean => {
  if (numberId !== null && isMutedInBrowser(numberId, kind)) return false;
  const { wish } = store.get();
  return wish === null || wantsInApp(wish, kind, numberId, now);
};
