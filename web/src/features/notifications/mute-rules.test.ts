import { expect, test } from 'vitest';
import { isMuted, isFullyMuted, type MuteRule } from './mute-rules.ts';

test('a block without an event mutes its whole channel; one with an event mutes only that event', () => {
  const blocks: MuteRule[] = [
    { number_id: 1, channel_type: 'push', event: null },
    { number_id: 1, channel_type: 'app', event: 'message' },
  ];
  expect(isMuted(blocks, 1, 'push', 'fax')).toBe(true);
  expect(isMuted(blocks, 1, 'app', 'message')).toBe(true);
  expect(isMuted(blocks, 1, 'app', 'fax')).toBe(false);
  expect(isMuted(blocks, 2, 'push', 'fax')).toBe(false);
  expect(isFullyMuted(blocks, 1)).toBe(false);
});
