import type { fieldUpdates, Answer } from '#contract';

type OfCompany = Answer<typeof fieldUpdates.listFieldUpdates>['data'][number];
type OfOrganization = Answer<typeof fieldUpdates.listOrganizationFieldUpdates>['data'][number];

/** A run as lists show it: of one company, or the sum of an organization's. */
export type Run = Omit<OfCompany, 'id' | 'batchId'> & {
  id: number | string;
  companies?: OfOrganization['companies'];
};
