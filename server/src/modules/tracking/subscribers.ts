import { numbers } from '#contract';
import { subscribe } from '../../platform/outbox-relay.ts';
import { addBoughtNumber, replaceRotatedNumber } from './pools/change-members.ts';

export const subscribers = [
  subscribe(numbers.numberPurchased, 'join-pool', addBoughtNumber),
  subscribe(numbers.numberRotated, 'replace-in-pool', replaceRotatedNumber),
];
