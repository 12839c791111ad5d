import { expect, test } from 'vitest';
import { plans } from './plans.ts';
import { priceUsage } from './usage.ts';

const of = (priced: ReturnType<typeof priceUsage>, component: string) =>
  priced.find((one) => one.component === component);

test('components that share an allowance use it up the dearest first', () => {
  const priced = priceUsage(plans.unlimited_monthly, {
    numbers_toll_free: 2,
    numbers_local: 3,
    voice_minutes_toll_free: 4990,
    voice_minutes: 30,
    outbound_minutes: 5,
  });
  expect(of(priced, 'numbers_toll_free')).toMatchObject({ included: 3, overage: 0 });
  expect(of(priced, 'numbers_local')).toMatchObject({
    included: 1,
    overage: 2,
    overage_cents: 400,
  });
  expect(of(priced, 'voice_minutes')).toMatchObject({
    included: 10,
    overage: 20,
    overage_cents: 80,
  });
  expect(of(priced, 'outbound_minutes')).toMatchObject({ included: 0, overage: 5 });
});

test('what a plan doesn’t include is charged from the first, what it doesn’t limit never', () => {
  const priced = priceUsage(plans.unlimited_monthly, { seats: 80, fax_pages: 3 });
  expect(of(priced, 'seats')).toMatchObject({ included: null, overage: 0, overage_cents: 0 });
  expect(of(priced, 'fax_pages')).toMatchObject({ included: 0, overage_cents: 15 });
});

test('without a plan usage is shown and nothing is charged', () => {
  expect(priceUsage(null, { text_credits: 900 }).every((one) => one.overage_cents === 0)).toBe(
    true,
  );
});
