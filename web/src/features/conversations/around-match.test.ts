import fc from 'fast-check';
import { expect, it } from 'vitest';
import { aroundMatch } from './around-match.ts';

it('shows the match near the beginning of the line', () => {
  expect(aroundMatch('Can I come at noon?', 'NOON')).toEqual(['Can I come at ', 'noon', '?']);
  expect(
    aroundMatch('You: Thank you for calling, we open again on Monday at nine', 'monday'),
  ).toEqual(['… we open again on ', 'Monday', ' at nine']);
});
it('operators are not looked for in the line', () => {
  expect(aroundMatch('See you at noon', 'from:dana noon')[1]).toBe('noon');
  expect(aroundMatch('See you at noon', 'has:media')).toEqual(['See you at noon', '', '']);
});
it('never loses the match or what follows it', () => {
  fc.assert(
    fc.property(fc.lorem(), fc.lorem({ maxCount: 1 }), fc.lorem(), (a, b, c) => {
      const line = `${a} ${b} ${c}`;
      const [before, match, after] = aroundMatch(line, b);
      expect(line.endsWith(match + after)).toBe(true);
      expect(match.toLowerCase()).toBe(b.toLowerCase());
      expect(line.includes(before.replace(/^… /, ''))).toBe(true);
    }),
  );
});
