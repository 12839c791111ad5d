import { numbers } from '#contract';
import { numbersForfeited } from '#contract/billing/events';
import { subscribe } from '../../platform/outbox-relay.ts';
import { addBoughtNumber, replaceRotatedNumber } from './pools/change-members.ts';
import { releaseForfeitedOfPools } from './pools/release-forfeited.ts';

export const subscribers = [
  subscribe(numbersForfeited, 'release-pooled', (ctx) => ctx.transaction(releaseForfeitedOfPools)),
  subscribe(numbers.numberPurchased, 'join-pool', addBoughtNumber),
  subscribe(numbers.numberRotated, 'replace-in-pool', replaceRotatedNumber),
];
