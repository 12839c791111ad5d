import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isAvailable,
  marketplaceStatuses,
  canRequestStatus,
  canMoveListing,
  defaultNotice,
  listingProblems,
  wordingProblem,
  type MarketplaceStatus,
} from './rules.ts';

/** The allowed status changes of A15. */
const allowed: Record<MarketplaceStatus, MarketplaceStatus[]> = {
  draft: ['listed', 'withdrawn'],
  listed: ['draft', 'reserved', 'under_offer', 'withdrawn'],
  under_offer: ['listed', 'reserved', 'withdrawn'],
  reserved: ['leased', 'listed', 'under_offer', 'withdrawn'],
  leased: ['withdrawn'],
  withdrawn: [],
};
/** Status changes that the lister can request; buyers' actions cause the others. */
const byHand: Record<MarketplaceStatus, MarketplaceStatus[]> = {
  draft: ['listed', 'withdrawn'],
  listed: ['draft', 'withdrawn'],
  under_offer: ['withdrawn'],
  reserved: ['leased', 'listed', 'withdrawn'],
  leased: ['withdrawn'],
  withdrawn: [],
};
describe('statuses', () => {
  test.each(
    marketplaceStatuses.flatMap((from) => marketplaceStatuses.map((to) => [from, to] as const)),
  )('%s → %s follows A15', (from, to) => {
    expect(canMoveListing(from, to)).toBe(allowed[from].includes(to));
    expect(canRequestStatus(from, to)).toBe(from === to || byHand[from].includes(to));
  });
  test('no status follows withdrawn, and a leased number is never offered', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...marketplaceStatuses), { maxLength: 30 }),
        (wishes) => {
          let at: MarketplaceStatus = 'draft';
          let leased = false;
          for (const to of wishes) {
            if (!canMoveListing(at, to)) continue;
            if (at === 'withdrawn' || (leased && isAvailable(to))) return false;
            leased ||= to === 'leased';
            at = to;
          }
          return true;
        },
      ),
    );
  });
});
describe('wording', () => {
  test.each([
    'We sell this number',
    'For sale',
    'Buy it today',
    'SOLD',
    'Purchase price',
    'own the number',
  ])('“%s” is refused for toll-free and allowed for local', (text) => {
    expect(wordingProblem(text, 'toll_free')).toMatch(/not sold/);
    expect(wordingProblem(text, 'local')).toBeNull();
  });
  test.each([
    'Lease this vanity number',
    'Assignment of service',
    'Best salesman line',
    'Bestseller recommendation',
  ])('“%s” is allowed', (text) => expect(wordingProblem(text, 'toll_free')).toBeNull());
  test('the built-in notices satisfy the wording rule', () => {
    for (const c of ['toll_free', 'local'] as const)
      expect(wordingProblem(defaultNotice(c), c)).toBeNull();
  });
  test('listing requires a price and a notice', () => {
    const item = {
      category: 'toll_free' as const,
      pricing_type: 'lease' as const,
      monthly_cents: 100,
      setup_cents: 0,
      description: '',
      legal_notice: defaultNotice('toll_free'),
      channel: 'own',
      partner_name: null,
    };
    expect(listingProblems(item)).toEqual({});
    expect(
      Object.keys(
        listingProblems({
          ...item,
          monthly_cents: 0,
          legal_notice: ' ',
          channel: 'partner',
          description: 'on sale',
        }),
      ),
    ).toEqual(['pricing.monthly_cents', 'legal_notice', 'partner_name', 'description']);
  });
});
