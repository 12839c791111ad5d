import { expect, test } from 'vitest';
import { describeCall } from './rules.ts';

test('a call in a number’s timeline has the duration that the call’s screen shows', () => {
  const answered = { outcome: 1, outbound: false };
  expect(describeCall({ ...answered, talkSeconds: 205 }, 'Dana Lee')).toBe('Dana Lee called, 3:25');
  expect(describeCall({ ...answered, outbound: true, talkSeconds: 7 }, 'Dana Lee')).toBe(
    'Called Dana Lee, 0:07',
  );
});
