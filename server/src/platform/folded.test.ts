import { expect, test } from 'vitest';
import { fold } from '#contract/fold';
import { createTestApp } from '../../test/support/test-app.ts';

const app = await createTestApp();
const folded = async (texts: readonly string[]) =>
  (
    await app.services.db.pool.query<{ f: string }>(
      'select folded(t) f from unnest($1::text[]) with ordinality x (t, n) order by n',
      [texts],
    )
  ).rows.map((row) => row.f);

test('the same letters in another writing are one', async () => {
  for (const same of [
    ['José', 'Jose\u0301', 'JOSE', 'jose', 'ＪＯＳＥ'],
    ['O’Brien', "O'Brien", 'oʼbrien', 'O\u2018BRIEN'],
    ['Łukasz', 'lukasz', 'ŁUKASZ'],
    ['Straße', 'STRASSE', 'STRAẞE', 'strasse'],
    ['Ørsted', 'orsted'],
    ['Æther ﬁnd Œuvre', 'aether find oeuvre'],
    ['Ångström', 'A\u030Angstro\u0308m', 'angstrom', 'Å\u200Bngström'],
    ['Έλληνας ΣΟΦΌΣ', 'ελληνας σοφοσ'],
    ['ЁЛКА й', 'елка и'],
    ['İstanbul Diyarbakır', 'istanbul diyarbakir'],
    ['ガード', 'ｶﾞｰﾄﾞ'],
    ['한글', '\u1112\u1161\u11AB\u1100\u1173\u11AF'],
    ['Smith – “Co”', 'smith - "co"'],
  ])
    expect(new Set([...same.map(fold), ...(await folded(same))]).size, same.join(' ')).toBe(1);
});
test('the database and the server fold every sign alike', async () => {
  const points = [
    ...Array.from({ length: 0xffff - 0x20 }, (_, i) => i + 0x20),
    ...Array.from({ length: 0x1f700 - 0x1d400 }, (_, i) => i + 0x1d400),
  ].filter((point) => point < 0xd800 || point > 0xf8ff);
  const assigned = points
    .map((point) => String.fromCodePoint(point))
    .filter((sign) => !/\p{Cn}|\p{Co}/u.test(sign));
  // One of the two can know a newer Unicode.
  const { rows: known } = await app.services.db.pool.query<{ t: string }>(
    'select t from unnest($1::text[]) t where unicode_assigned(t)',
    [assigned],
  );
  const signs = known.map((row) => row.t);
  expect(signs.length).toBeGreaterThan(50_000);
  const texts = [...signs, ...signs.map((sign) => `Aé${sign}\u0301Z`)];
  const database = await folded(texts);
  const different = texts.flatMap((text, i) =>
    fold(text) === database[i] ? [] : [[text, fold(text), database[i]]],
  );
  expect(different).toEqual([]);
});
