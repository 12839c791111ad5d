import { makeStore, useStore } from '#ui';
import type { Item, ItemOf } from './fold.ts';

/**
 * Messages on their way (A §7): shown as sending at once, replaced by the server's item on success, removed on failure.
 * They live outside the cache, so that a refetch cannot lose them and leaving the thread does not stop them.
 */
export interface Outgoing extends Origin { clientKey: string; conversationId: number; text: string; files: File[]; previews: { url: string; type: string; bytes: number; name: string }[]; at: string }
/** Where it was written: the company may be another one by the time it is sent, and its draft too. */
export interface Origin { companyId: number | null; place: string }

export interface Ways {
  /** Sends; rejects when refused (the request layer has shown the server's words by then). */
  post(message: Outgoing): Promise<Item>;
  /** The server's item arrived. */
  arrived(item: Item): void;
  /** It was refused: text and files go back to where they were written. */
  giveBack(message: Outgoing): void;
  now(): Date;
  newKey(): string;
  preview(file: File): string;
  forget(url: string): void;
}

export function makeSender(ways: Ways) {
  const store = makeStore<{ list: readonly Outgoing[] }>({ list: [] });
  // One after the other within a conversation: two quick messages arrive in the order they were written.
  const lines = new Map<number, Promise<unknown>>();

  function send(conversationId: number, text: string, files: File[], origin: Origin): Promise<boolean> {
    const message: Outgoing = {
      ...origin, clientKey: ways.newKey(), conversationId, text, files, at: ways.now().toISOString(),
      previews: files.map((f) => ({ url: ways.preview(f), type: f.type, bytes: f.size, name: f.name })),
    };
    store.set((s) => ({ list: [...s.list, message] }));
    const before = lines.get(conversationId) ?? Promise.resolve();
    const done = before.then(() => ways.post(message)).then(
      (item) => { ways.arrived(item); remove(message); return true; },
      () => { remove(message); ways.giveBack(message); return false; },
    );
    lines.set(conversationId, done);
    return done;
  }
  function remove(message: Outgoing): void {
    store.set((s) => ({ list: s.list.filter((m) => m !== message) }));
    for (const p of message.previews) ways.forget(p.url);
  }
  return { store, send };
}

/** The thread with what is on its way at its end; what the server already tells of stands once. */
export function withOutgoing(items: readonly Item[], outgoing: readonly Outgoing[], conversationId: number, number: Item['number'], actor: Item['actor']): Item[] {
  const known = new Set(items.flatMap((i) => (i.kind === 'message' && i.details.clientKey ? [i.details.clientKey] : [])));
  return [...items, ...outgoing.filter((m) => m.conversationId === conversationId && !known.has(m.clientKey)).map((m, n) => asItem(m, n, number, actor))];
}
const asItem = (m: Outgoing, n: number, number: Item['number'], actor: Item['actor']): ItemOf<'message'> => ({
  id: -1 - n, conversationId: m.conversationId, kind: 'message', isInbound: false, createdAt: m.at, readAt: m.at, actor, number,
  details: { content: m.text, deliveryState: 'sending', errorCode: null, errorText: null, media: m.previews, segments: 0, encoding: 'GSM-7', type: m.previews.length ? 'media' : 'message', clientKey: m.clientKey, automatic: null },
});

export const useOutgoing = (sender: ReturnType<typeof makeSender>): readonly Outgoing[] => useStore(sender.store, (s) => s.list);
