import { createStore, useStore } from '#ui';
import type { Item, ItemOf } from '../cache-updates.ts';

/**
 * Messages on their way (A §7): shown as sending at once, replaced by the server's item on success, removed when refused.
 * One that found no network stays where it was written, as not sent, until it is sent again. They live outside the cache,
 * so that a refetch cannot lose them and leaving the thread does not stop them.
 */
export interface OutgoingMessage extends Origin {
  clientKey: string;
  conversationId: number;
  text: string;
  files: File[];
  previews: { url: string; type: string; bytes: number; name: string }[];
  at: string;
  /** The server was not reached, or its answer was lost. */
  unsent: boolean;
}
/** Where it was written: the company may be another one by the time it is sent, and its draft too. */
export interface Origin {
  companyId: number | null;
  place: string;
}

export interface SenderDeps {
  /** Sends, the same message always with the same key; rejects when refused (the request layer has shown why by then). */
  post(message: OutgoingMessage): Promise<Item>;
  /** Was it the network, so that nobody knows whether the server has it? */
  isUnconfirmed(problem: unknown): boolean;
  /** The server's item arrived. */
  onSent(item: Item): void;
  /** It was refused: text and files go back to where they were written. */
  restoreDraft(message: OutgoingMessage): void;
  /** Keep what is not sent over a reload; forget it. */
  persist(message: OutgoingMessage): void;
  discard(message: OutgoingMessage): void;
  /** What was kept before this page was loaded. */
  loadPersisted(): readonly OutgoingMessage[];
  now(): Date;
  newKey(): string;
  createPreview(file: File): string;
  revokePreview(url: string): void;
}

export function createSender(deps: SenderDeps) {
  const store = createStore<{ list: readonly OutgoingMessage[] }>({ list: deps.loadPersisted() });
  // One after the other within a conversation: two quick messages arrive in the order they were written.
  const queues = new Map<number, Promise<unknown>>();

  function send(
    conversationId: number,
    text: string,
    files: File[],
    origin: Origin,
  ): Promise<boolean> {
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
    return post(message);
  }
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
  /** Sends it again, as the same message: the server takes it once. */
  function retry(clientKey: string): Promise<boolean> {
    const message = find(clientKey);
    if (!message?.unsent) return Promise.resolve(false);
    setUnsent(clientKey, false);
    return post(message);
  }
  /** Takes it out of the thread and puts it back where it was written. */
  function returnToDraft(clientKey: string): void {
    const message = find(clientKey);
    if (message?.unsent && remove(clientKey)) deps.restoreDraft(message);
  }
  /** The server has these after all: what was lost was its answer. */
  function confirmSent(clientKeys: ReadonlySet<string>): void {
    for (const m of store.get().list)
      if (m.unsent && clientKeys.has(m.clientKey)) remove(m.clientKey);
  }
  const find = (clientKey: string): OutgoingMessage | undefined =>
    store.get().list.find((m) => m.clientKey === clientKey);
  function setUnsent(clientKey: string, unsent: boolean): void {
    store.set((s) => ({
      list: s.list.map((m) => (m.clientKey === clientKey ? { ...m, unsent } : m)),
    }));
    const message = find(clientKey);
    if (message && unsent) deps.persist(message);
  }
  function remove(clientKey: string): boolean {
    const message = find(clientKey);
    if (!message) return false;
    store.set((s) => ({ list: s.list.filter((m) => m !== message) }));
    deps.discard(message);
    for (const p of message.previews) deps.revokePreview(p.url);
    return true;
  }
  return { store, send, retry, takeBack: returnToDraft, known: confirmSent };
}

/** The thread with what is on its way at its end; what the server already tells of stands once. */
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
/** Which messages of this or another page the server already tells of. */
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

export const useOutgoing = (sender: ReturnType<typeof createSender>): readonly OutgoingMessage[] =>
  useStore(sender.store, (s) => s.list);
