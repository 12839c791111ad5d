import { notifications } from '#contract';
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
/** What "mute this number for me" means: everything that interrupts. Counting goes on until the app is muted too. */
export const allChannels: readonly Channel[] = ['email', 'sms', 'push', 'app', 'slack'];

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
export const isFullyMuted = (blocks: readonly MuteRule[], numberId: number): boolean =>
  allChannels.every((channel) => isMuted(blocks, numberId, channel));

/** What the signed-in person has muted, and the ways to change it. */
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
    } as never;
    return mute ? add({ body }) : remove({ body });
  };
  return { blocks, known: response !== undefined, working: adding || removing, set };
}

/** The same outside React, for desktop notifications, with the person's channels. Read again after a change or in another company. */
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
  // Without an answer: nothing is muted and everything notifies.
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
/** Is a notice of this kind wanted on this screen now: not muted, of a kind and number the person chose, and not in their quiet hours? */
export const shouldNotify = (
  kind: NotificationKind,
  numberId: number | null,
  now = new Date(),
): boolean => {
  if (numberId !== null && isMutedInBrowser(numberId, kind)) return false;
  const { wish } = store.get();
  return wish === null || wantsInApp(wish, kind, numberId, now);
};
