import { expect, test } from 'vitest';
import { segmentsOf } from '../../../../test/support/spoken-call.ts';
import { spotPhrases, telltaleWords } from './spot.ts';

const spot = (
  lines: readonly string[],
  phrases: string[],
  said_by: 'either' | 'agent' | 'client' = 'either',
) => spotPhrases(segmentsOf(lines), { phrases, said_by }).map(({ phrase }) => phrase);

test('words count in any case, accents and punctuation, in their order only', () => {
  const lines = ['client: I’d like to BOOK, an appointment at the café.'];
  expect(spot(lines, ["I'd like", 'book an appointment', 'cafe'])).toEqual([
    "I'd like",
    'book an appointment',
    'cafe',
  ]);
  expect(spot(lines, ['appointment book', 'appoint', 'like book', 'ca'])).toEqual([]);
});

test('a star stands for every word that begins so', () => {
  expect(spot(['client: we booked two bookings'], ['book*'])).toEqual(['book*', 'book*']);
  expect(spot(['client: a cancelled visit'], ['cancel* visit'])).toEqual(['cancel* visit']);
  expect(spot(['client: overbooked'], ['book*'])).toEqual([]);
});

test('who must say it decides, and a phrase goes on in the next segment of the same side', () => {
  const lines = ['agent: can I book that', 'client: please book that'];
  expect(spot(lines, ['book that'], 'agent')).toHaveLength(1);
  expect(spot(lines, ['book that'], 'client')).toHaveLength(1);
  expect(spot(lines, ['book that'])).toHaveLength(2);
  const split = segmentsOf(['client: I want to book', 'client: an appointment']);
  const wanted = { phrases: ['book an appointment'], said_by: 'client' as const };
  expect(spotPhrases(split, wanted)).toMatchObject([{ speaker: 2, start_ms: 2250 }]);
  const later = split.map((one, i) => (i ? { ...one, start_ms: 30_000, words: [] } : one));
  expect(spotPhrases(later, wanted)).toEqual([]);
});

test('of phrases that begin at the same word the longest counts, once', () => {
  expect(spot(['client: book an appointment'], ['book', 'book an appointment'])).toEqual([
    'book an appointment',
  ]);
});

test('what was redacted matches nothing, and nothing matches across it', () => {
  for (const words of [true, false]) {
    const segments = segmentsOf(['client: my card is [card number] thanks a lot']).map((one) => ({
      ...one,
      words: words
        ? [
            ...one.words.slice(0, 3),
            { ...one.words[3]!, w: '[card number]' },
            ...one.words.slice(5),
          ]
        : [],
    }));
    const found = (phrase: string) =>
      spotPhrases(segments, { phrases: [phrase], said_by: 'either' }).length;
    expect(found('card number')).toBe(0);
    expect(found('number')).toBe(0);
    expect(found('is thanks')).toBe(0);
    expect(found('my card is')).toBe(1);
    expect(found('thanks a lot')).toBe(1);
  }
});

test('the telltale word of a phrase is its longest', () => {
  expect(telltaleWords(['book an Appointment', 'book*', 'to'])).toEqual([
    'appointment',
    'book',
    'to',
  ]);
});
