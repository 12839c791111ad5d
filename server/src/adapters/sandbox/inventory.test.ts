import fc from 'fast-check';
import { beforeAll, afterAll, describe, expect, it } from 'vitest';
import { areaCodes } from '#contract/area-codes';
import { matchNumber } from '#contract/numbers/vanity';
import { createTestDatabase } from '../../../test/support/test-database.ts';
import { openDb, type Db } from '../../platform/db.ts';
import { createLogger } from '../../platform/log.ts';
import type { NumberInventory, NumberQuery } from '../../gateways/number-inventory.ts';
import { sandboxInventory } from './inventory.ts';

let db: Db;
let inventory: NumberInventory;
beforeAll(async () => {
  db = openDb(await createTestDatabase(), createLogger('silent', 'test'));
  inventory = sandboxInventory(db);
});
afterAll(() => db.close());
const query = (q: Partial<NumberQuery>): NumberQuery => ({
  country: 'US',
  category: 2,
  match: 'Contains',
  limit: 10,
  ...q,
});

describe('the sandbox’s numbers', () => {
  it('finds as many as asked for in every area code, all of that area code, all in 555', async () => {
    for (const { code, country } of areaCodes().values()) {
      const found = await inventory.search(query({ areaCode: code, country, limit: 3 }));
      expect(
        found.map((f) => f.number.slice(2, 8)),
        code,
      ).toEqual([`${code}555`, `${code}555`, `${code}555`]);
    }
  });
  it('is deterministic and never names a number twice', async () => {
    const first = await inventory.search(query({ state: 'CA', limit: 50 }));
    expect(await inventory.search(query({ state: 'CA', limit: 50 }))).toEqual(first);
    expect(new Set(first.map((f) => f.number)).size).toBe(50);
    expect(first.every((f) => f.region === 'CA')).toBe(true);
  });
  it('finds only what matches, for any word, digits or pattern, and something for every word that an exchange can begin with', async () => {
    const word = fc
      .array(fc.constantFrom(...'ABCDEFGHIJKLMNOPRSTUVWXYZ'), { minLength: 2, maxLength: 7 })
      .map((w) => w.join(''));
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          word,
          fc.constantFrom(
            'AABB',
            'ABAB',
            'ABBA',
            'repeating',
            'triple',
            'sequential',
            'word',
            '2*6',
            '0100',
          ),
        ),
        fc.constantFrom('Contains', 'Starts with', 'Ends with'),
        fc.constantFrom(1, 2, 3, 4),
        async (pattern, match, category) => {
          const asked = query({
            pattern,
            match: match as 'Contains',
            category: category as 1,
            ...(category === 1 ? {} : { areaCode: '415' }),
            limit: 5,
          });
          const found = await inventory.search(asked);
          for (const f of found) expect(matchNumber(f.number.slice(2), asked)).not.toBeNull();
          if (/^[A-Z]{2,4}$/.test(pattern) && match === 'Ends with')
            expect(found.length).toBeGreaterThan(0);
        },
      ),
      { numRuns: 60 },
    );
  });
  it('spells a seven-letter word in an exchange of its own', async () => {
    const [found] = await inventory.search(query({ category: 1, words: ['FLOWERS'], limit: 1 }));
    expect(found).toMatchObject({
      number: '+18883569377',
      vanityText: '888-FLOWERS',
      providerId: 2,
    });
  });
  it('looks by state and city', async () => {
    expect(
      (await inventory.search(query({ state: 'NY', city: 'new york', limit: 4 }))).every(
        (f) => f.city === 'New York' && f.region === 'NY',
      ),
    ).toBe(true);
    expect(await inventory.search(query({ state: 'NY', areaCode: '415' }))).toEqual([]);
    expect(await inventory.search(query({ areaCode: '911' }))).toEqual([]);
  });
  it('an ordered number is found no more, belongs to its key, and returns when given back', async () => {
    const [wanted] = await inventory.search(query({ areaCode: '628', limit: 1 }));
    expect(await inventory.order(wanted!.number, 'a')).toMatchObject({ state: 'ordered' });
    expect(await inventory.order(wanted!.number, 'a')).toMatchObject({ state: 'ordered' });
    expect(await inventory.order(wanted!.number, 'b')).toEqual({ state: 'taken' });
    expect((await inventory.search(query({ areaCode: '628', limit: 1 })))[0]!.number).not.toBe(
      wanted!.number,
    );
    await inventory.release(wanted!.number);
    await inventory.release(wanted!.number);
    expect((await inventory.search(query({ areaCode: '628', limit: 1 })))[0]).toEqual(wanted);
  });
});
