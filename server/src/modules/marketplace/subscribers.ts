import { numbers } from '#contract';
import { subscribe } from '../../platform/outbox-relay.ts';
import { returnLeasedNumber } from './end-lease.ts';
import { unlistReleased } from './unlist-released.ts';

export const subscribers = [
  subscribe(numbers.numberReleasing, 'unlist', unlistReleased),
  subscribe(numbers.leasedNumberReturned, 'end-lease', returnLeasedNumber),
];
