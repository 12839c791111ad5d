import fc from 'fast-check';
import { expect, it } from 'vitest';
import { matchExcerpt } from './match-excerpt.ts';

it('shows the match near the start of the line', () => {
  expect(matchExcerpt('Can I come at noon?', 'NOON')).toEqual(['Can I come at ', 'noon', '?']);
  expect(
    matchExcerpt('You: Thank you for calling, we open again on Monday at nine', 'monday'),
  ).toEqual(['… we open again on ', 'Monday', ' at nine']);
});
it('does not look for search operators in the line', () => {
  expect(matchExcerpt('See you at noon', 'from:dana noon')[1]).toBe('noon');
  expect(matchExcerpt('See you at noon', 'has:media')).toEqual(['See you at noon', '', '']);
});
it('never drops the match or the text after it', () => {
  fc.assert(
    fc.property(fc.lorem(), fc.lorem({ maxCount: 1 }), fc.lorem(), (a, b, c) => {
      const line = `${a} ${b} ${c}`;
      const [before, match, after] = matchExcerpt(line, b);
      expect(line.endsWith(match + after)).toBe(true);
      expect(match.toLowerCase()).toBe(b.toLowerCase());
      expect(line.includes(before.replace(/^… /, ''))).toBe(true);
    }),
  );
});
