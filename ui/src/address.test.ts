import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFilters, writeFilters } from './address.ts';

const start = { search: '', page: 1, unread: false, types: [] as string[], sort: 'at' };
describe('filters in the address bar', () => {
  it('addressWith leaves defaults out of the URL and keeps other keys', () => {
    expect(writeFilters('?tab=2&page=3', start, { search: 'dana', page: 1 })).toBe(
      '?tab=2&search=dana',
    );
    expect(writeFilters('', start, {})).toBe('');
  });
  it('unreadable values in the URL fall back to the defaults', () => {
    expect(readFilters('?page=abc&unread=1', start)).toEqual({ ...start, unread: true });
  });
  it('filters written to the URL are read back unchanged', () => {
    const filters = fc.record({
      search: fc.string(),
      page: fc.nat(9999),
      unread: fc.boolean(),
      types: fc.array(fc.stringMatching(/^[a-z]+$/)),
      sort: fc.string(),
    });
    fc.assert(
      fc.property(filters, (f) => {
        expect(readFilters(writeFilters('', start, f), start)).toEqual(f);
      }),
    );
  });
});
