import { subscriptionChanged } from '#contract/billing/events';
import { subscribe } from '../../platform/outbox-relay.ts';
import { applyPlan } from './limits/apply-plan.ts';

export const subscribers = [subscribe(subscriptionChanged, 'apply-plan', applyPlan)];
