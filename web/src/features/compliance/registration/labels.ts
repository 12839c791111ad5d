import type { Answer } from '#contract';
import type { getSmsCampaign } from '#contract/compliance/registration/endpoints';
import {
  useCases,
  type RegistrationKind,
  type RegistrationStatus,
} from '#contract/compliance/registration/lists';
import { t, type Tone } from '#ui';

export type RegistrationDetail = Answer<typeof getSmsCampaign>['data'];
export type RegistrationView = Omit<RegistrationDetail, 'history'>;

const statuses: Record<RegistrationStatus, readonly [string, Tone]> = {
  draft: ['Draft', 'neutral'],
  submitted: ['Submitted', 'info'],
  in_review: ['In review', 'info'],
  action_required: ['Action required', 'warn'],
  approved: ['Approved', 'success'],
  rejected: ['Rejected', 'danger'],
  canceling: ['Being canceled', 'neutral'],
  expired: ['Expired', 'neutral'],
  suspended: ['Suspended', 'danger'],
};
/** The name of a registration's status. */
export const statusName = (status: RegistrationStatus): string => t(statuses[status][0]);
/** The color of a registration's status. */
export const statusTone = (status: RegistrationStatus): Tone => statuses[status][1];
/** The name of a kind of registration. */
export const kindName = (kind: RegistrationKind): string =>
  kind === 'local' ? t('Local numbers') : t('Toll-free numbers');
/** The name a brand is known by: DBA, legal name, or “No name yet”. */
export const brandName = (v: RegistrationView): string =>
  v.brand.dba || v.brand.legal_name || t('No name yet');
/** The name of a campaign's use case, or “No use case yet”. */
export const caseName = (v: RegistrationView): string =>
  v.campaign.use_case ? t(useCases[v.campaign.use_case]) : t('No use case yet');

const historyLabels: Record<RegistrationDetail['history'][number]['what'], string> = {
  created: 'Started',
  changed: 'Edited',
  submitted: 'Submitted',
  in_review: 'In review',
  approved: 'Approved',
  rejected: 'Rejected',
  action_required: 'Action required',
  cancel_requested: 'Cancellation requested',
  expired: 'Expired',
  suspended: 'Suspended',
  numbers_added: 'Numbers added',
  numbers_removed: 'Numbers removed',
};
/** The name of an event in a registration's history. */
export const historyLabel = (what: RegistrationDetail['history'][number]['what']): string =>
  t(historyLabels[what]);

const atCarrier = new Set<RegistrationStatus>(['submitted', 'in_review', 'canceling']);
const statusesOf = (v: RegistrationView): RegistrationStatus[] =>
  [v.status.local, v.status.toll_free].filter((s) => s !== null);
/** Mirrors the server's rule: no changes during a review, nor once all kinds are approved. */
export const canChange = (v: RegistrationView): boolean =>
  !statusesOf(v).some((s) => atCarrier.has(s)) &&
  statusesOf(v).some((s) => s !== 'approved' && s !== 'suspended');
/** Whether a registration was submitted, so that it can be canceled at the carrier. */
export const canCancel = (status: RegistrationStatus): boolean =>
  ['submitted', 'in_review', 'action_required', 'approved', 'rejected', 'suspended'].includes(
    status,
  );
/** Whether no carrier holds the registration any more, so that it can be deleted. */
export const canDelete = (v: RegistrationView): boolean =>
  statusesOf(v).every((s) => ['draft', 'expired', 'rejected', 'action_required'].includes(s));
/**
 * Whether numbers can be added: before submission, or while any of its registrations is in force.
 */
export const canAddNumbers = (v: RegistrationView): boolean =>
  !v.is_submitted || statusesOf(v).some((s) => s !== 'expired' && s !== 'canceling');
