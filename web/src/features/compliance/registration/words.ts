import type { Answer } from '#contract';
import type { getSmsCampaign } from '#contract/registration';
import {
  useCases,
  type RegistrationKind,
  type RegistrationStatus,
} from '#contract/registration-lists';
import { t, type Tone } from '#ui';

export type Detail = Answer<typeof getSmsCampaign>['data'];
export type Shown = Omit<Detail, 'history'>;

const statuses: Record<RegistrationStatus, readonly [string, Tone]> = {
  draft: ['Draft', 'neutral'],
  submitted: ['Submitted', 'info'],
  in_review: ['In review', 'info'],
  action_required: ['Needs you', 'warn'],
  approved: ['Approved', 'success'],
  rejected: ['Rejected', 'danger'],
  canceling: ['Being canceled', 'neutral'],
  expired: ['Expired', 'neutral'],
  suspended: ['Suspended', 'danger'],
};
export const statusName = (status: RegistrationStatus): string => t(statuses[status][0]);
export const statusTone = (status: RegistrationStatus): Tone => statuses[status][1];
export const kindName = (kind: RegistrationKind): string =>
  kind === 'local' ? t('Local numbers') : t('Toll-free numbers');
export const brandName = (v: Shown): string =>
  v.brand.dba || v.brand.legal_name || t('No name yet');
export const useName = (v: Shown): string =>
  v.campaign.use_case ? t(useCases[v.campaign.use_case]) : t('No use chosen yet');

const steps: Record<Detail['history'][number]['what'], string> = {
  created: 'Begun',
  changed: 'Changed',
  submitted: 'Submitted',
  in_review: 'Taken into review',
  approved: 'Approved',
  rejected: 'Rejected',
  action_required: 'Something is needed from you',
  cancel_requested: 'Cancel requested',
  expired: 'Expired',
  suspended: 'Suspended',
  numbers_added: 'Numbers added',
  numbers_removed: 'Numbers removed',
};
export const stepName = (what: Detail['history'][number]['what']): string => t(steps[what]);

const withCarrier = new Set<RegistrationStatus>(['submitted', 'in_review', 'canceling']);
const both = (v: Shown): RegistrationStatus[] =>
  [v.status.local, v.status.toll_free].filter((s) => s !== null);
/** The same as the server's rule: nothing changes while it is reviewed, or once all of it is approved. */
export const canChange = (v: Shown): boolean =>
  !both(v).some((s) => withCarrier.has(s)) &&
  both(v).some((s) => s !== 'approved' && s !== 'suspended');
export const canCancel = (status: RegistrationStatus): boolean =>
  ['submitted', 'in_review', 'action_required', 'approved', 'rejected', 'suspended'].includes(
    status,
  );
export const canDelete = (v: Shown): boolean =>
  both(v).every((s) => ['draft', 'expired', 'rejected', 'action_required'].includes(s));
export const canAddNumbers = (v: Shown): boolean =>
  !v.is_submitted || both(v).some((s) => s !== 'expired' && s !== 'canceling');
