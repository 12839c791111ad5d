import { numbers } from '#contract';
import { t, type Tone } from '#ui';

/** Labels of number categories, routing types and statuses as shown on screen. */
export const categoryName = (category: keyof typeof numbers.numberCategories): string =>
  t(({ 1: 'Toll-free', 2: 'Local', 3: 'Fax', 4: 'Bulk' } as const)[category]);
/** The name of a routing type; unknown ones stay as they are. */
export const routingName = (type: string): string =>
  t(
    (
      {
        standard: 'Standard',
        simultaneous: 'Simultaneous',
        sequential: 'Sequential',
        geo: 'Geo',
        voicemail: 'Voicemail',
        'in-app-calling': 'In-app calling',
      } as Record<string, string>
    )[type] ?? type,
  );

const statuses: Record<string, readonly [string, Tone]> = {
  active: ['Active', 'success'],
  pending: ['Pending', 'info'],
  porting: ['Porting in', 'info'],
  suspended: ['Suspended', 'danger'],
  parked: ['Parked', 'neutral'],
  releasing: ['Being released', 'warn'],
  released: ['Released', 'neutral'],
};
/** The name of a number's status; unknown ones stay as they are. */
export const statusName = (status: string): string => t(statuses[status]?.[0] ?? status);
/** The color of a number's status. */
export const statusTone = (status: string): Tone => statuses[status]?.[1] ?? 'neutral';

const verifications: Record<string, readonly [string, Tone]> = {
  not_required: ['No registration needed', 'success'],
  none: ['Not registered for texting', 'warn'],
  draft: ['Registration not submitted', 'warn'],
  submitted: ['Registration submitted', 'info'],
  in_review: ['Registration in review', 'info'],
  action_required: ['Registration needs action', 'danger'],
  approved: ['Registered for texting', 'success'],
  rejected: ['Registration rejected', 'danger'],
  canceling: ['Registration ending', 'neutral'],
  expired: ['Registration expired', 'danger'],
  suspended: ['Registration suspended', 'danger'],
};
type Verification = Pick<numbers.NumberDetail['sms_verification'], 'status' | 'needed'>;
const verificationState = (v: Verification): string =>
  v.status ?? (v.needed ? 'none' : 'not_required');
/** The name of a number's registration for texting. */
export const verificationName = (v: Verification): string =>
  t(verifications[verificationState(v)]?.[0] ?? verificationState(v));
/** The color of a number's registration for texting. */
export const verificationTone = (v: Verification): Tone =>
  verifications[verificationState(v)]?.[1] ?? 'neutral';
/** Whether a number can text now: enabled, and registered where carriers ask for it. */
export const canText = (n: { sms_enabled: boolean; sms_verification: Verification }): boolean =>
  n.sms_enabled && !n.sms_verification.needed;
/** A number of months in words. */
export const months = (n: number): string =>
  t('{n, plural, one {# month} other {# months}}', { n });
