import { createStore, useStore } from '../store.ts';
import type { Item, ItemOf } from './types.ts';

/**
 * Outgoing messages (A §7): shown as sending immediately, replaced by the server's item on success,
 * removed when rejected. While offline they stay in the thread as not sent, until retried. They are
 * kept outside the query cache, so that a refetch can't lose them and leaving the thread doesn't
 * stop them.
 */
export interface OutgoingMessage extends Origin {
  clientKey: string;
  conversationId: number;
  text: string;
  files: File[];
  previews: { url: string; type: string; bytes: number; name: string }[];
  at: string;
  /** The server wasn't reached, or its response was lost. */
  unsent: boolean;
}
/**
 * The draft key of the conversation it was written in. By the time it is sent, another company or
 * conversation may be open.
 */
interface Origin {
  companyId: number | null;
  place: string;
}

export interface SenderDeps {
  /**
   * Sends the message with its idempotency key. Rejects on errors, which the API layer has already
   * shown.
   */
  post(message: OutgoingMessage): Promise<Item>;
  /** True when the network failed, so it isn't known whether the server has the message. */
  isUnconfirmed(problem: unknown): boolean;
  /** The server's item arrived. */
  onSent(item: Item): void;
  /** The server rejected it: text and files return to the draft. */
  restoreDraft(message: OutgoingMessage): void;
  /** Keeps an unsent message across reloads; `discard` forgets it. */
  persist(message: OutgoingMessage): void;
  discard(message: OutgoingMessage): void;
  /** Unsent messages from before this page was loaded. */
  loadPersisted(): readonly OutgoingMessage[];
  now(): Date;
  newKey(): string;
  createPreview(file: File): string;
  revokePreview(url: string): void;
}

/** Creates the queue of outgoing messages. */
export function createSender(deps: SenderDeps) {
  const { store, find, add, setUnsent, remove } = createOutgoingList(deps);
  // One at a time per conversation, so that two quick messages arrive in order.
  const queues = new Map<number, Promise<unknown>>();

  function post(message: OutgoingMessage): Promise<boolean> {
    const before = queues.get(message.conversationId) ?? Promise.resolve();
    const done = before
      .then(() => deps.post(message))
      .then(
        (item) => {
          deps.onSent(item);
          remove(message.clientKey);
          return true;
        },
        (problem: unknown) => {
          if (deps.isUnconfirmed(problem)) {
            setUnsent(message.clientKey, true);
            return false;
          }
          if (remove(message.clientKey)) deps.restoreDraft(message);
          return false;
        },
      );
    queues.set(message.conversationId, done);
    return done;
  }
  return {
    store,
    send: (conversationId: number, text: string, files: File[], origin: Origin): Promise<boolean> =>
      post(add(conversationId, text, files, origin)),
    /**
     * Sends an unsent message again with its key, so that the server stores it once. False when it
     * isn't unsent.
     */
    retry: (clientKey: string): Promise<boolean> => {
      const message = find(clientKey);
      if (!message?.unsent) return Promise.resolve(false);
      setUnsent(clientKey, false);
      return post(message);
    },
    /** Removes an unsent message from the thread and returns it to its draft. */
    takeBack: (clientKey: string): void => {
      const message = find(clientKey);
      if (message?.unsent && remove(clientKey)) deps.restoreDraft(message);
    },
    /** Marks messages as stored by the server; only their responses were lost. */
    known: (clientKeys: ReadonlySet<string>): void => {
      for (const m of store.get().list)
        if (m.unsent && clientKeys.has(m.clientKey)) remove(m.clientKey);
    },
  };
}

/** The outgoing messages, with previews of their files; unsent ones are kept across reloads. */
function createOutgoingList(deps: SenderDeps) {
  const store = createStore<{ list: readonly OutgoingMessage[] }>({ list: deps.loadPersisted() });
  const find = (clientKey: string): OutgoingMessage | undefined =>
    store.get().list.find((m) => m.clientKey === clientKey);
  return {
    store,
    find,
    add(conversationId: number, text: string, files: File[], origin: Origin): OutgoingMessage {
      const message: OutgoingMessage = {
        ...origin,
        clientKey: deps.newKey(),
        conversationId,
        text,
        files,
        at: deps.now().toISOString(),
        unsent: false,
        previews: files.map((f) => ({
          url: deps.createPreview(f),
          type: f.type,
          bytes: f.size,
          name: f.name,
        })),
      };
      store.set((s) => ({ list: [...s.list, message] }));
      return message;
    },
    setUnsent(clientKey: string, unsent: boolean): void {
      store.set((s) => ({
        list: s.list.map((m) => (m.clientKey === clientKey ? { ...m, unsent } : m)),
      }));
      const message = find(clientKey);
      if (message && unsent) deps.persist(message);
    },
    /** False when it was removed before. */
    remove(clientKey: string): boolean {
      const message = find(clientKey);
      if (!message) return false;
      store.set((s) => ({ list: s.list.filter((m) => m !== message) }));
      deps.discard(message);
      for (const p of message.previews) deps.revokePreview(p.url);
      return true;
    },
  };
}

/**
 * The thread with outgoing messages at its end, without those that the server has already returned.
 */
export function appendOutgoing(
  items: readonly Item[],
  outgoing: readonly OutgoingMessage[],
  conversationId: number,
  number: Item['number'],
  actor: Item['actor'],
): Item[] {
  const known = clientKeysOf(items);
  return [
    ...items,
    ...outgoing
      .filter((m) => m.conversationId === conversationId && !known.has(m.clientKey))
      .map((m, n) => toItem(m, n, number, actor)),
  ];
}
/** Client keys of the messages the server has returned. */
export const clientKeysOf = (items: readonly Item[]): ReadonlySet<string> =>
  new Set(
    items.flatMap((i) =>
      i.kind === 'message' && i.details.clientKey ? [i.details.clientKey] : [],
    ),
  );
const toItem = (
  m: OutgoingMessage,
  n: number,
  number: Item['number'],
  actor: Item['actor'],
): ItemOf<'message'> => ({
  id: -1 - n,
  conversationId: m.conversationId,
  kind: 'message',
  isInbound: false,
  createdAt: m.at,
  readAt: m.at,
  actor,
  number,
  details: {
    content: m.text,
    deliveryState: m.unsent ? 'failed' : 'sending',
    errorCode: null,
    errorText: null,
    media: m.previews,
    segments: 0,
    encoding: 'GSM-7',
    type: m.previews.length ? 'media' : 'message',
    clientKey: m.clientKey,
    automatic: null,
  },
});

/** The messages on their way to the server, and those that failed. */
export const useOutgoing = (sender: ReturnType<typeof createSender>): readonly OutgoingMessage[] =>
  useStore(sender.store, (s) => s.list);
