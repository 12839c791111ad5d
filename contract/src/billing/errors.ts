import type { ErrorTexts } from '../error-texts.ts';

export const errors = {
  'billing.off': { status: 409, text: 'Billing is turned off on this server.' },
  'billing.by_invoice': {
    status: 409,
    text: 'This server takes no cards. Pay by the invoice you received.',
  },
  'billing.no_card': { status: 409, text: 'There is no card yet. Add one, then try again.' },
  'billing.card_declined': {
    status: 422,
    text: 'There was an issue processing your card. Contact your card issuer, then try again.',
  },
  'billing.unreachable': {
    status: 409,
    text: 'The payment provider can’t be reached. Try again in a moment. Nothing is charged twice.',
  },
  'billing.card_token': {
    status: 422,
    text: 'The card couldn’t be read. Enter it again.',
  },
  'billing.card_number': {
    status: 422,
    text: 'Card numbers aren’t accepted here: use the token.',
  },
  'billing.paying': {
    status: 409,
    text: 'A payment is already on its way. Try again in a minute.',
  },
  'billing.payment_known': {
    status: 409,
    text: 'A payment with the reference {reference} was entered before.',
  },
  'billing.not_paid': {
    status: 409,
    text: 'This invoice isn’t paid, so there is nothing to pay back. Credit the account instead.',
  },
  'billing.refund_too_much': {
    status: 422,
    text: 'That is more than is left of this invoice.',
  },
  'billing.refund_refused': {
    status: 409,
    text: 'A refund of this invoice was refused. Its amount stays on the account as a credit and pays the next invoice.',
  },
  'billing.no_clock': {
    status: 409,
    text: 'Only the sandbox has a clock that can be moved. Here, time and money are real.',
  },
  'plan.limit': {
    status: 409,
    text: 'Your plan includes {included} {what}. Choose a larger plan under Settings, Billing.',
  },
  'plan.trial_limit': {
    status: 409,
    text: 'Your trial includes {included} {what}, and no more are left. Choose a larger plan under Settings, Billing.',
  },
  'plan.spend_limit': {
    status: 409,
    text: 'Your spending limit of {limit} for this period is reached. Raise it under Settings, Billing.',
  },
  'plan.used_up': {
    status: 409,
    text: 'You have used the {included} {what} of your plan. They start over on {date}. For more, upgrade under Account, Plan, or invite a friend.',
  },
  'plan.texts': {
    status: 409,
    text: 'Your plan has no text credits left. See why under Settings, Billing.',
  },
  'plan.seats': {
    status: 409,
    text: 'Your plan includes {included} people. Deactivate someone, or choose a larger plan under Settings, Billing.',
  },
  'feature.plan': {
    status: 403,
    text: 'Your plan doesn’t include {feature}. Choose a larger plan under Settings, Billing.',
  },
  'subscription.none': { status: 409, text: 'You have no plan yet. Choose one first.' },
  'subscription.exists': { status: 409, text: 'You already have a plan. Change it instead.' },
  'subscription.ended': { status: 409, text: 'Your plan has ended. Choose a new one first.' },
  'subscription.ending': {
    status: 409,
    text: 'Your plan is set to end. Keep it first, then change it.',
  },
  'subscription.not_ending': { status: 409, text: 'Your plan isn’t set to end.' },
  'subscription.past_due': {
    status: 409,
    text: 'Your account has an outstanding balance. Pay it first.',
  },
  'subscription.refunding': {
    status: 409,
    text: 'A refund is on its way. Try again when it has arrived.',
  },
  'subscription.nothing_due': { status: 409, text: 'There is nothing to pay right now.' },
  'subscription.same_plan': { status: 409, text: 'You already have this plan.' },
  'subscription.not_sold': {
    status: 422,
    text: 'This plan is no longer sold. Choose another one.',
  },
  'subscription.not_smaller': {
    status: 422,
    text: 'This plan isn’t smaller than yours. Choose a smaller one, or cancel.',
  },
  'subscription.nothing_pending': { status: 409, text: 'No change of your plan is planned.' },
  'offer.not_eligible': { status: 409, text: 'There is no yearly offer for you right now.' },
  'offer.over': { status: 409, text: 'This offer is over.' },
  'subscription.not_refunding': { status: 409, text: 'No refund is on its way.' },
} as const satisfies ErrorTexts;
