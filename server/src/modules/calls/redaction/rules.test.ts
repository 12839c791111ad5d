import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { writeWav, readWav } from '../../../platform/audio/wav.ts';
import type { TranscriptSegment } from '../../../gateways/transcription.ts';
import { passesLuhn, redact, type RedactionKind } from './rules.ts';
import { silenceSpans } from './silence-spans.ts';

const all: RedactionKind[] = ['card', 'ssn', 'dob'];
const said = (text: string, speaker: 1 | 2 = 2, start = 0, i = 0): TranscriptSegment => {
  const words = text.split(' ').map((w, k) => ({
    w,
    start_ms: start + k * 400,
    end_ms: start + k * 400 + 300,
    confidence: 1,
  }));
  return {
    i,
    speaker,
    channel: speaker === 2 ? 0 : 1,
    start_ms: start,
    end_ms: words.at(-1)!.end_ms,
    text,
    confidence: 1,
    words,
  };
};
const after = (text: string, kinds = all) => redact([said(text)], kinds).segments[0]!.text;
const names = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

describe('a card number', () => {
  test.each([
    ['my card is 4242424242424242 thanks', 'my card is [card number] thanks'],
    ['it is 4242 4242 4242 4242, expiring soon', 'it is [card number] expiring soon'],
    ['4242-4242-4242-4242 okay?', '[card number] okay?'],
    [
      'sure four two four two, um, four two four two four two four two and four two four two got it',
      'sure [card number] got it',
    ],
    ['forty two forty two forty-two forty-two 4242 4242', '[card number]'],
    ['three seven eight two eight two two four six three one double oh oh five', '[card number]'],
  ])('%s', (text, expected) => {
    expect(after(text)).toBe(expected);
  });
  test('is redacted if it passes Luhn, however grouped or spoken; no sixteen digits remain', () => {
    const card = fc
      .tuple(
        fc.constantFrom('4', '5', '37'),
        fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 13, maxLength: 13 }),
      )
      .map(([begin, rest]) => {
        const body = (begin + rest.join('')).slice(0, 14);
        return body + [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].find((d) => passesLuhn(body + d));
      });
    fc.assert(
      fc.property(
        card,
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 16, maxLength: 16 }),
        fc.boolean(),
        (digits, groups, spoken) => {
          const parts: string[] = [];
          for (let at = 0, k = 0; at < digits.length; at += groups[k++]!)
            parts.push(digits.slice(at, at + groups[k]!));
          const text = spoken
            ? [...digits].map((d) => names[Number(d)]).join(' ')
            : parts.join(' ');
          const { segments, redactions } = redact([said(`well ${text} yes`)], ['card']);
          expect(segments[0]!.text).toBe('well [card number] yes');
          expect(redactions).toHaveLength(1);
        },
      ),
    );
  });
  test('is found across segments of its speaker, while the other side speaks', () => {
    const { segments, redactions } = redact(
      [
        said('it is 4242 4242', 2, 0, 0),
        said('okay', 1, 2000, 1),
        said('4242 4242 and that is all', 2, 3000, 2),
      ],
      ['card'],
    );
    expect(segments.map((s) => s.text)).toEqual(['it is [card number]', 'okay', 'and that is all']);
    expect(redactions).toEqual([{ kind: 'card', start_ms: 800, end_ms: 3700 }]);
  });
  test.each([
    'call me at 212 555 0147',
    'order 4242424242424241',
    'we have 1234567890123456 of them',
    'in 2026 there were 42 of 4242',
    'zero zero zero zero zero zero zero zero zero zero zero zero zero zero',
  ])('is not: %s', (text) => {
    expect(after(text)).toBe(text);
  });
});
test('social security numbers and birth dates are redacted only when turned on', () => {
  expect(after('my social is 123 45 6789 ok')).toBe('my social is [social security number] ok');
  expect(after('123-45-6789')).toBe('[social security number]');
  expect(after('tracking 123456789 please')).toBe('tracking 123456789 please');
  expect(after('I was born on March 5th 1980 in Ohio')).toBe(
    'I was born on [date of birth] in Ohio',
  );
  expect(after('date of birth 03/05/1980')).toBe('date of birth [date of birth]');
  expect(after('see you March 5th')).toBe('see you March 5th');
  expect(after('my social is 123 45 6789 born 03/05/1980', ['card'])).toBe(
    'my social is 123 45 6789 born 03/05/1980',
  );
});
test('without matches nothing changes, and no other word is lost', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.constantFrom('hello', 'seven', '42', 'constructor', 'card', 'okay', 'double', 'twenty'),
        {
          minLength: 1,
          maxLength: 11,
        },
      ),
      (words) => {
        const segment = said(words.join(' '));
        expect(redact([segment], ['card']).segments).toEqual([segment]);
      },
    ),
  );
});
test('silences the spans on every channel and leaves the rest unchanged', () => {
  const rate = 8000;
  const tone = (hz: number) =>
    Int16Array.from(
      { length: rate * 3 },
      (_, i) => 9000 * Math.sin((2 * Math.PI * hz * i) / rate) + 500,
    );
  const silent = readWav(
    silenceSpans(writeWav({ sampleRate: rate, channels: [tone(440), tone(300)] }), [
      { start_ms: 1000, end_ms: 1500 },
    ])!,
  )!;
  for (const [k, channel] of silent.channels.entries()) {
    expect(channel.subarray(rate * 0.8, rate * 1.7).every((sample) => sample === 0)).toBe(true);
    expect(channel.subarray(0, rate * 0.79)).toEqual(tone(k ? 300 : 440).subarray(0, rate * 0.79));
    expect(channel.length).toBe(rate * 3);
  }
  expect(silenceSpans(Buffer.from('OggS not a wav'), [])).toBeNull();
});
