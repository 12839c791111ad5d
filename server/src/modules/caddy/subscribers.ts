import { calls, conversations } from '#contract';
import { subscribe } from '../../platform/outbox-relay.ts';
import { followUsage } from './usage.ts';

export const subscribers = [
  subscribe(calls.callEnded, 'follow-usage-of-calls', followUsage),
  subscribe(conversations.conversationUpdated, 'follow-usage-of-texts', followUsage),
];
