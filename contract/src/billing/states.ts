/**
 * The states of a subscription and what leads from one to another (A19.2). Data, so that server,
 * screens and tests read the same table.
 */

export const subscriptionStates = [
  'active',
  'canceling',
  'expired',
  'refunding',
  'retry_period',
  'not_subscribed',
] as const;
export type SubscriptionState = (typeof subscriptionStates)[number];

export const subscriptionEvents = [
  'purchase',
  'change_plan',
  'cancel',
  'clear_cancel',
  'period_end',
  'charge_failed',
  'paid',
  'grace_over',
  'refund_started',
  'refund_done',
  'refund_of_first_done',
] as const;
/**
 * `grace_over`: nothing was paid until the 25th day. `refund_of_first_done`: of the first period, so
 * that it was never subscribed.
 */
export type SubscriptionEvent = (typeof subscriptionEvents)[number];

/** Codes of the errors that refuse an event; their sentences are in `errors.ts`. */
type SubscriptionRefusal =
  | 'subscription.none'
  | 'subscription.exists'
  | 'subscription.ended'
  | 'subscription.ending'
  | 'subscription.not_ending'
  | 'subscription.past_due'
  | 'subscription.refunding'
  | 'subscription.nothing_due'
  | 'subscription.not_refunding';

type Row = Record<SubscriptionEvent, { to: SubscriptionState } | { refused: SubscriptionRefusal }>;
const to = (state: SubscriptionState) => ({ to: state });
const refused = (code: SubscriptionRefusal) => ({ refused: code });

/** What has no plan can neither be changed nor end; `why` says how it came to have none. */
const withoutPlan = (why: 'subscription.none' | 'subscription.ended'): Row => ({
  purchase: to('active'),
  change_plan: refused(why),
  cancel: refused(why),
  clear_cancel: refused(why),
  period_end: refused(why),
  charge_failed: refused(why),
  paid: refused('subscription.nothing_due'),
  grace_over: refused(why),
  refund_started: refused(why),
  refund_done: refused('subscription.not_refunding'),
  refund_of_first_done: refused('subscription.not_refunding'),
});

const table: Record<SubscriptionState, Row> = {
  not_subscribed: withoutPlan('subscription.none'),
  // What is still owed can be paid afterwards; the plan stays ended.
  expired: { ...withoutPlan('subscription.ended'), paid: to('expired') },
  active: {
    purchase: refused('subscription.exists'),
    change_plan: to('active'),
    cancel: to('canceling'),
    clear_cancel: refused('subscription.not_ending'),
    // The next period begins.
    period_end: to('active'),
    charge_failed: to('retry_period'),
    paid: to('active'),
    grace_over: refused('subscription.nothing_due'),
    refund_started: to('refunding'),
    refund_done: refused('subscription.not_refunding'),
    refund_of_first_done: refused('subscription.not_refunding'),
  },
  canceling: {
    purchase: refused('subscription.exists'),
    change_plan: refused('subscription.ending'),
    cancel: refused('subscription.ending'),
    clear_cancel: to('active'),
    period_end: to('expired'),
    charge_failed: to('retry_period'),
    paid: to('canceling'),
    grace_over: refused('subscription.nothing_due'),
    refund_started: to('refunding'),
    refund_done: refused('subscription.not_refunding'),
    refund_of_first_done: refused('subscription.not_refunding'),
  },
  retry_period: {
    purchase: refused('subscription.past_due'),
    change_plan: refused('subscription.past_due'),
    cancel: refused('subscription.past_due'),
    clear_cancel: refused('subscription.not_ending'),
    // Nothing new is charged while the last one is owed; `grace_over` ends it.
    period_end: refused('subscription.past_due'),
    charge_failed: to('retry_period'),
    paid: to('active'),
    grace_over: to('expired'),
    refund_started: refused('subscription.past_due'),
    refund_done: refused('subscription.not_refunding'),
    refund_of_first_done: refused('subscription.not_refunding'),
  },
  refunding: {
    purchase: refused('subscription.refunding'),
    change_plan: refused('subscription.refunding'),
    cancel: refused('subscription.refunding'),
    clear_cancel: refused('subscription.refunding'),
    period_end: refused('subscription.refunding'),
    charge_failed: refused('subscription.refunding'),
    paid: refused('subscription.nothing_due'),
    grace_over: refused('subscription.refunding'),
    refund_started: refused('subscription.refunding'),
    refund_done: to('expired'),
    refund_of_first_done: to('not_subscribed'),
  },
};

/** Where an event leads from a state, or the code of the error that refuses it. */
export const stepOf = (
  state: SubscriptionState,
  event: SubscriptionEvent,
): { to: SubscriptionState } | { refused: SubscriptionRefusal } => table[state][event];
