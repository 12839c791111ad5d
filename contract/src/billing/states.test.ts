import { expect, test } from 'vitest';
import { errors } from './errors.ts';
import {
  stepOf,
  subscriptionEvents,
  subscriptionStates,
  type SubscriptionEvent,
  type SubscriptionState,
} from './states.ts';

/** What the specification lists (A19.2), and what follows from it for a plan that goes on. */
const leads: [SubscriptionState, SubscriptionEvent, SubscriptionState][] = [
  ['not_subscribed', 'purchase', 'active'],
  ['active', 'cancel', 'canceling'],
  ['canceling', 'clear_cancel', 'active'],
  ['canceling', 'period_end', 'expired'],
  ['active', 'charge_failed', 'retry_period'],
  ['retry_period', 'paid', 'active'],
  ['retry_period', 'grace_over', 'expired'],
  ['active', 'refund_started', 'refunding'],
  ['canceling', 'refund_started', 'refunding'],
  ['refunding', 'refund_done', 'expired'],
  ['refunding', 'refund_of_first_done', 'not_subscribed'],
  ['expired', 'purchase', 'active'],
  // Not in the specification's table, because the state stays or a late payment arrives.
  ['active', 'change_plan', 'active'],
  ['active', 'period_end', 'active'],
  ['active', 'paid', 'active'],
  ['canceling', 'paid', 'canceling'],
  ['canceling', 'charge_failed', 'retry_period'],
  ['retry_period', 'charge_failed', 'retry_period'],
  ['expired', 'paid', 'expired'],
];

test.each(leads)('%s, %s: %s', (from, event, to) => {
  expect(stepOf(from, event)).toEqual({ to });
});

test.each(
  subscriptionStates.flatMap((from) =>
    subscriptionEvents
      .filter((event) => !leads.some((lead) => lead[0] === from && lead[1] === event))
      .map((event) => [from, event] as const),
  ),
)('%s refuses %s with a sentence', (from, event) => {
  const step = stepOf(from, event);
  expect(step).toHaveProperty('refused');
  if ('refused' in step) expect(errors[step.refused].text).toMatch(/^[A-Z].+\.$/);
});

test('every refusal fits its state', () => {
  const refusals = Object.fromEntries(
    subscriptionStates.map((from) => [
      from,
      [
        ...new Set(
          subscriptionEvents.flatMap((event) => {
            const step = stepOf(from, event);
            return 'refused' in step ? [step.refused] : [];
          }),
        ),
      ].sort(),
    ]),
  );
  expect(refusals).toEqual({
    not_subscribed: ['subscription.none', 'subscription.not_refunding', 'subscription.nothing_due'],
    expired: ['subscription.ended', 'subscription.not_refunding'],
    active: [
      'subscription.exists',
      'subscription.not_ending',
      'subscription.not_refunding',
      'subscription.nothing_due',
    ],
    canceling: [
      'subscription.ending',
      'subscription.exists',
      'subscription.not_refunding',
      'subscription.nothing_due',
    ],
    retry_period: [
      'subscription.not_ending',
      'subscription.not_refunding',
      'subscription.past_due',
    ],
    refunding: ['subscription.nothing_due', 'subscription.refunding'],
  });
});
