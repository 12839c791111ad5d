import { expect, test } from 'vitest';
import type { Conversation } from './types.ts';
import { isUndelivered, snippetOf } from './labels.ts';

const latest = (isInbound: boolean, deliveryState: string): Conversation['latestItem'] => ({
  id: 1,
  type: 'message',
  isInbound,
  createdAt: '2026-11-21T10:00:00.000Z',
  details: { content: 'See you at ten', deliveryState },
});

test('the list marks undelivered messages', () => {
  expect(
    [
      latest(false, 'sent'),
      latest(false, 'failed'),
      latest(false, 'undelivered'),
      latest(true, 'received'),
    ].map((one) => [snippetOf(one), isUndelivered(one)]),
  ).toEqual([
    ['You: See you at ten', false],
    ['Not sent: See you at ten', true],
    ['Undelivered: See you at ten', true],
    ['See you at ten', false],
  ]);
});

test('the list marks automatic replies, unless they weren’t delivered', () => {
  const automatic = (deliveryState: string) => {
    const one = latest(false, deliveryState)!;
    return snippetOf({ ...one, details: { ...one.details, automatic: 'stop' } });
  };
  expect(['delivered', 'failed'].map(automatic)).toEqual([
    'Auto-reply: See you at ten',
    'Not sent: See you at ten',
  ]);
});
