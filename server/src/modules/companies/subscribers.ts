import { mfa } from '#contract';
import { userAccessEnded } from '#contract/companies/users/events';
import { subscribe } from '../../platform/outbox-relay.ts';
import { endAccessEverywhere } from './users/change-access.ts';
import { showFactorsToCompanies } from './users/show-factors-to-companies.ts';

export const subscribers = [
  subscribe(userAccessEnded, 'end-sign-in', endAccessEverywhere),
  subscribe(mfa.factorsChanged, 'show-factors-to-companies', showFactorsToCompanies),
];
