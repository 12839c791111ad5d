import { expect, test } from 'vitest';
import { cardExpiresSoon, parseExpiry } from './card.ts';
import { planRank, plans } from './plans.ts';

test('a yearly plan is the same for less', () => {
  const pairs = Object.values(plans).flatMap((plan) =>
    plan.yearly_counterpart ? [[plan, plans[plan.yearly_counterpart]] as const] : [],
  );
  expect(pairs.map(([, yearly]) => yearly.identifier)).toEqual([
    'unlimited_yearly',
    'premium_yearly',
    'deluxe_yearly',
  ]);
  for (const [monthly, yearly] of pairs) {
    expect(yearly.included).toEqual(monthly.included);
    expect(yearly.features).toEqual(monthly.features);
    expect(planRank(yearly.identifier)).toBe(planRank(monthly.identifier));
    expect(yearly.price_cents).toBeLessThan(12 * monthly.price_cents);
  }
});

test('the legacy plan is not sold', () => {
  expect(Object.values(plans).filter((plan) => !plan.is_public)).toEqual([
    expect.objectContaining({ identifier: 'unlimited', is_legacy: true, audience: 'business' }),
  ]);
});

test('an expiry date is a month that is not over', () => {
  const now = new Date('2028-02-29T23:59:59Z');
  expect(parseExpiry('02/28', now)).toEqual({ month: 2, year: 2028 });
  expect(parseExpiry(' 3 / 2031 ', now)).toEqual({ month: 3, year: 2031 });
  for (const wrong of ['01/28', '13/29', '0/29', '', '2029', '03/99', '03-1'])
    expect(parseExpiry(wrong, now), wrong).toBeNull();
  expect(cardExpiresSoon(3, 2028, now)).toBe(true);
  expect(cardExpiresSoon(5, 2028, now)).toBe(false);
});
