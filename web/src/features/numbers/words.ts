import { numbers } from '#contract';
import { t, type Tone } from '#ui';

/** What the numbers' codes are called on screen. */
export const categoryName = (category: keyof typeof numbers.numberCategories): string => t(({ 1: 'Toll-free', 2: 'Local', 3: 'Fax', 4: 'Bulk' } as const)[category]);
export const routingName = (type: string): string => t(({ 'standard': 'Standard', 'simultaneous': 'Simultaneous', 'sequential': 'Sequential', 'geo': 'Geo', 'voicemail': 'Voicemail', 'in-app-calling': 'In-app calling' } as Record<string, string>)[type] ?? type);

const statuses: Record<string, readonly [string, Tone]> = {
  active: ['Active', 'success'], pending: ['On its way', 'info'], porting: ['Porting in', 'info'], suspended: ['Suspended', 'danger'], parked: ['Parked', 'neutral'], releasing: ['Being released', 'warn'], released: ['Released', 'neutral'],
};
export const statusName = (status: string): string => t(statuses[status]?.[0] ?? status);
export const statusTone = (status: string): Tone => statuses[status]?.[1] ?? 'neutral';

const verifications: Record<string, readonly [string, Tone]> = {
  not_required: ['No registration needed', 'success'], none: ['Not registered for texting', 'warn'], draft: ['Registration not sent', 'warn'], submitted: ['Registration sent', 'info'], in_review: ['Registration in review', 'info'], action_required: ['Registration needs you', 'danger'],
  approved: ['Registered for texting', 'success'], rejected: ['Registration rejected', 'danger'], canceling: ['Registration ends', 'neutral'], expired: ['Registration expired', 'danger'], suspended: ['Registration suspended', 'danger'],
};
export const verificationName = (status: string): string => t(verifications[status]?.[0] ?? status);
export const verificationTone = (status: string): Tone => verifications[status]?.[1] ?? 'neutral';
export const maySend = (n: { sms_enabled: boolean; sms_verification: { status: string } }): boolean => n.sms_enabled && ['not_required', 'approved'].includes(n.sms_verification.status);
