import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/support/test-database.ts';
import { openDb, type Db } from '../../platform/db.ts';
import { createLogger } from '../../platform/log.ts';
import { createTextAcceptor, type AcceptText } from './accept-texts.ts';

let db: Db;
let take: AcceptText;
beforeAll(async () => {
  db = openDb(await createTestDatabase(), createLogger('silent', 'test'));
  take = createTextAcceptor(db);
});
afterAll(() => db.close());
const text = (key: string, to = '+12125550101', words = 'Hi') => ({
  from: '+14155552368',
  to,
  text: words,
  media: [],
  key,
});
const kept = (like: string) =>
  sql<{
    key: string;
    id: number;
  }>`select key, id from sandbox.text where key like ${like} order by id`
    .execute(db.unscoped)
    .then((r) => r.rows);

test('texts that come together are written in their order, each key once; a key that was there before means the same text', async () => {
  const before = await take(text('lot-0'), 0);
  const taken = await Promise.all([
    ...Array.from({ length: 150 }, (_, i) => take(text(`lot-${i}`), 0)),
    take(text('lot-7'), 0),
  ]);
  expect(taken[0]).toEqual(before);
  expect(taken.at(-1)).toEqual(taken[7]);
  const rows = await kept('lot-%');
  expect(rows.map((r) => r.key)).toEqual(Array.from({ length: 150 }, (_, i) => `lot-${i}`));
  expect(taken.slice(0, 150)).toEqual(rows.map((r) => ({ id: r.id })));
});

test('a phone that refuses costs the others nothing, nor does a text that cannot be written', async () => {
  await sql`insert into sandbox.phone (number, refuses) values ('+12125550199', 'landline')`.execute(
    db.unscoped,
  );
  const all = await Promise.allSettled([
    take(text('mix-1'), 0),
    take(text('mix-2', '+12125550199'), 0),
    take(text('mix-3', '+12125550101', 'broken \0'), 0),
    take(text('mix-4'), 0),
  ]);
  expect(all.map((a) => a.status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  expect(all[1]).toMatchObject({ value: { refuses: 'landline' } });
  expect((await kept('mix-%')).map((r) => r.key)).toEqual(['mix-1', 'mix-4']);
});
