import { billing, calls, conversations } from '#contract';
import { subscribe } from '../../platform/outbox-relay.ts';
import { followPlan } from './numbers/follow-plan.ts';
import { followUsage } from './usage.ts';

export const subscribers = [
  subscribe(billing.subscriptionChanged, 'follow-plan-of-individual', followPlan),
  subscribe(calls.callEnded, 'follow-usage-of-calls', followUsage),
  subscribe(conversations.conversationUpdated, 'follow-usage-of-texts', followUsage),
];
