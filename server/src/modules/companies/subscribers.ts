import { mfa } from '#contract';
import { ssoEmergencyUsed } from '#contract/identity/external-sign-in/events';
import { userAccessEnded } from '#contract/companies/users/events';
import { subscribe } from '../../platform/outbox-relay.ts';
import { mailOwners } from './sso/tell-owners.ts';
import { endAccessEverywhere } from './users/change-access.ts';
import { showFactorsToCompanies } from './users/show-factors-to-companies.ts';

export const subscribers = [
  subscribe(userAccessEnded, 'end-sign-in', endAccessEverywhere),
  subscribe(ssoEmergencyUsed, 'mail-owners', mailOwners),
  subscribe(mfa.factorsChanged, 'show-factors-to-companies', showFactorsToCompanies),
];
