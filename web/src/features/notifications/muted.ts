import { notifications } from '#contract';
import { wantsNotice, type NewsKind, type Wish } from '#contract/notification-rules';
import { ask, listen, makeStore, session, useAsk, useTell } from '#ui';

export type Channel = 'email' | 'sms' | 'push' | 'app' | 'slack';
export interface Block {
  number_id: number;
  channel_type: Channel;
  event: string | null;
}
/** What "mute this number for me" means: everything that interrupts. Counting goes on until the app is muted too. */
export const allChannels: readonly Channel[] = ['email', 'sms', 'push', 'app', 'slack'];

export const isMuted = (
  blocks: readonly Block[],
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
export const isSilent = (blocks: readonly Block[], numberId: number): boolean =>
  allChannels.every((channel) => isMuted(blocks, numberId, channel));

/** What the signed-in person has muted, and the ways to change it. */
export function useBlocks() {
  const { answer } = useAsk(
    notifications.listNotificationBlocks,
    {},
    { freshMs: 60_000, quiet: true },
  );
  const blocks = (answer?.data ?? []) as Block[];
  const { tell: add, telling: adding } = useTell(notifications.addNotificationBlocks, {
    touches: [notifications.listNotificationBlocks, notifications.getNotificationCounts],
  });
  const { tell: remove, telling: removing } = useTell(notifications.removeNotificationBlocks, {
    touches: [notifications.listNotificationBlocks, notifications.getNotificationCounts],
  });
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
  return { blocks, known: answer !== undefined, working: adding || removing, set };
}

/** The same outside React, for notices of the operating system, with how the person wants to hear. Read anew when it changed or another company is looked at. */
const store = makeStore<{ company: number | null; blocks: Block[]; wish: Wish | null }>({
  company: null,
  blocks: [],
  wish: null,
});
async function read(): Promise<void> {
  const company = session.get().selectedCompanyId;
  if (!company) return;
  // Not told: nothing is muted here, and everything is wanted.
  const [blocks, wish] = await Promise.all([
    ask(notifications.listNotificationBlocks, {}, { quiet: true }).then(
      ({ data }) => data as Block[],
      () => [],
    ),
    ask(notifications.getNotificationSettings, {}, { quiet: true }).then(
      ({ data }) => data,
      () => null,
    ),
  ]);
  if (session.get().selectedCompanyId === company) store.set({ company, blocks, wish });
}
export function startMuted(): () => void {
  void read();
  const stops = [
    listen(notifications.notificationBlocksChanged.name, () => void read()),
    listen(notifications.notificationSettingsChanged.name, () => void read()),
    session.subscribe(() => {
      if (session.get().selectedCompanyId !== store.get().company) void read();
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
const mutedHere = (numberId: number, event: string): boolean =>
  isMuted(store.get().blocks, numberId, 'push', event) ||
  isMuted(store.get().blocks, numberId, 'app', event);
/** Is a notice of this kind wanted on this screen now: not muted, of a kind and number the person chose, and not in their quiet hours? */
export const wantedHere = (kind: NewsKind, numberId: number | null, now = new Date()): boolean => {
  if (numberId !== null && mutedHere(numberId, kind)) return false;
  const { wish } = store.get();
  return wish === null || wantsNotice(wish, kind, numberId, now);
};
