import fc from 'fast-check';
import { expect, it } from 'vitest';
import { matchExcerpt } from './match-excerpt.ts';

it('shows the match near the start of the line', () => {
  expect(matchExcerpt('Can I come at noon?', 'NOON')).toEqual(['Can I come at ', 'noon', '?']);
  expect(
    matchExcerpt('You: Thank you for calling, we open again on Monday at nine', 'monday'),
  ).toEqual(['… we open again on ', 'Monday', ' at nine']);
});
it('shows the match in any writing', () => {
  expect(matchExcerpt('Ask José about it', 'jose')).toEqual(['Ask ', 'José', ' about it']);
  expect(matchExcerpt('Ask Jose\u0301 about it', 'JOSÉ')[1]).toBe('Jose\u0301');
  expect(matchExcerpt('Ask José about it', 'Jose\u0301')[1]).toBe('José');
  expect(matchExcerpt('Hauptstraße 5', 'strasse')).toEqual(['Haupt', 'straße', ' 5']);
  expect(matchExcerpt('It’s O’Brien', "o'brien")[1]).toBe('O’Brien');
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
