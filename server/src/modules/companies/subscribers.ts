import { userAccessEnded } from '#contract/companies/users/events';
import { subscribe } from '../../platform/outbox-relay.ts';
import { endAccessEverywhere } from './users/change-access.ts';

export const subscribers = [subscribe(userAccessEnded, 'end-sign-in', endAccessEverywhere)];
