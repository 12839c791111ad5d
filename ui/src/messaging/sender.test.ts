import { describe, expect, it } from 'vitest';
import { itemExample } from '#contract/conversations/examples';
import type { Item } from '#contract/conversations/schemas';
import { createSender, appendOutgoing, type OutgoingMessage, type SenderDeps } from './sender.ts';

function testSender(over: Partial<SenderDeps> = {}) {
  const posted: {
    message: OutgoingMessage;
    answer: (item: Item) => void;
    refuse: () => void;
    lose: () => void;
  }[] = [];
  const arrived: Item[] = [],
    back: string[] = [],
    kept = new Map<string, OutgoingMessage>();
  let key = 0;
  const sender = createSender({
    post: (message) =>
      new Promise((answer, refuse) =>
        posted.push({
          message,
          answer,
          refuse: () => refuse(new Error('refused')),
          lose: () => refuse(new Error('lost')),
        }),
      ),
    isUnconfirmed: (problem) => (problem as Error).message === 'lost',
    persist: (m) => void kept.set(m.clientKey, m),
    discard: (m) => void kept.delete(m.clientKey),
    loadPersisted: () => [],
    onSent: (item) => arrived.push(item),
    restoreDraft: (m) => back.push(m.text),
    now: () => new Date('2026-11-21T10:00:00Z'),
    newKey: () => `k${++key}`,
    createPreview: (f) => `blob:${f.name}`,
    revokePreview: () => {},
    ...over,
  });
  return { sender, posted, arrived, back, kept };
}
const tick = (): Promise<void> => new Promise((done) => setTimeout(done, 0));
const item = (over: Partial<Extract<Item, { kind: 'message' }>['details']>): Item =>
  ({ ...itemExample, isInbound: false, details: { ...itemExample.details, ...over } }) as Item;
const number = itemExample.number;
const origin = { companyId: 1, place: 'draft' };

describe('an outgoing message', () => {
  it('is shown as sending and replaced by the server’s item', async () => {
    const { sender, posted, arrived } = testSender();
    const sent = sender.send(9001, 'Noon is fine', [], origin);
    expect(appendOutgoing([], sender.store.get().list, 9001, number, null)).toMatchObject([
      { kind: 'message', details: { content: 'Noon is fine', deliveryState: 'sending' } },
    ]);
    await tick();
    posted[0]!.answer(item({ deliveryState: 'queued', clientKey: 'k1' }));
    expect(await sent).toBe(true);
    expect(sender.store.get().list).toEqual([]);
    expect(arrived).toHaveLength(1);
  });
  it('is removed when rejected, and its text returns', async () => {
    const { sender, posted, back } = testSender();
    const sent = sender.send(9001, 'Hello', [], origin);
    await tick();
    posted[0]!.refuse();
    expect(await sent).toBe(false);
    expect(sender.store.get().list).toEqual([]);
    expect(back).toEqual(['Hello']);
  });
  it('stays in the thread while offline, and is retried as the same message', async () => {
    const { sender, posted, arrived, back, kept } = testSender();
    const sent = sender.send(9001, 'On my way', [], origin);
    await tick();
    posted[0]!.lose();
    expect(await sent).toBe(false);
    expect(appendOutgoing([], sender.store.get().list, 9001, number, null)).toMatchObject([
      { details: { content: 'On my way', deliveryState: 'failed', clientKey: 'k1' } },
    ]);
    expect([back, [...kept.keys()]]).toEqual([[], ['k1']]);
    const refetch = sender.retry('k1');
    void sender.retry('k1'); // pressed twice
    await tick();
    expect(posted.map((p) => p.message.clientKey)).toEqual(['k1', 'k1']);
    posted[1]!.answer(item({ clientKey: 'k1' }));
    expect(await refetch).toBe(true);
    expect([sender.store.get().list, arrived.length, kept.size]).toEqual([[], 1, 0]);
  });
  it('is removed when the server turns out to have it', async () => {
    const { sender, posted, kept } = testSender();
    const sent = sender.send(9001, 'On my way', [], origin);
    await tick();
    posted[0]!.lose();
    await sent;
    sender.known(new Set(['k1']));
    expect([sender.store.get().list, kept.size]).toEqual([[], 0]);
  });
  it('returns to its draft to be edited', async () => {
    const { sender, posted, back } = testSender();
    const sent = sender.send(9001, 'On my way', [], origin);
    await tick();
    posted[0]!.lose();
    await sent;
    sender.takeBack('k1');
    expect([sender.store.get().list, back]).toEqual([[], ['On my way']]);
  });
  it('is shown once when the live event is faster than the response', () => {
    const { sender } = testSender();
    void sender.send(9001, 'Hello', [], origin);
    expect(
      appendOutgoing(
        [item({ clientKey: 'k1', deliveryState: 'queued' })],
        sender.store.get().list,
        9001,
        number,
        null,
      ),
    ).toHaveLength(1);
  });
  it('waits for the previous one in the same conversation, not in others', async () => {
    const { sender, posted } = testSender();
    void sender.send(1, 'first', [], origin);
    void sender.send(1, 'second', [], origin);
    void sender.send(2, 'elsewhere', [], origin);
    await tick();
    expect(posted.map((p) => p.message.text)).toEqual(['first', 'elsewhere']);
    posted[0]!.refuse();
    await tick();
    expect(posted.map((p) => p.message.text)).toEqual(['first', 'elsewhere', 'second']);
  });
  it('shows only in its own conversation', () => {
    const { sender } = testSender();
    void sender.send(1, 'for one', [], origin);
    expect(appendOutgoing([], sender.store.get().list, 2, number, null)).toEqual([]);
  });
});
