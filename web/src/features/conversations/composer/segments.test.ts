import { describe, expect, it } from 'vitest';
import { countSegments, tooLong } from './segments.ts';

describe('segments', () => {
  it('counts GSM-7 as 160, then 153 each', async () => {
    expect(await countSegments('a'.repeat(160))).toMatchObject({
      count: 1,
      encoding: 'GSM-7',
      left: 0,
    });
    expect(await countSegments('a'.repeat(161))).toMatchObject({
      count: 2,
      encoding: 'GSM-7',
      left: 145,
    });
  });
  it('names the character that forces UCS-2: 70, then 67 each', async () => {
    expect(await countSegments(`${'a'.repeat(69)}✨`)).toMatchObject({
      count: 1,
      encoding: 'UCS-2',
      forcing: ['✨'],
      left: 0,
      plain: null,
    });
    expect((await countSegments(`${'a'.repeat(70)}✨`)).count).toBe(2);
  });
  it('offers GSM look-alikes when they are enough', async () => {
    expect(await countSegments('It’s “fine”')).toMatchObject({
      encoding: 'UCS-2',
      forcing: ['’', '“', '”'],
      plain: `It's "fine"`,
    });
  });
  it('is 0 for an empty text', async () => {
    expect(await countSegments('')).toMatchObject({ count: 0, left: 160 });
  });
});

it('a text is limited to 1000 characters, with or without pictures', () => {
  expect(tooLong('a'.repeat(1000), false)).toBeNull();
  expect(tooLong('a'.repeat(1001), false)).toBe('Max 1000 characters per SMS');
  expect(tooLong('a'.repeat(1001), true)).toBe('Max 1000 characters per MMS');
});
