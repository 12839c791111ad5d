import type { porting } from '#contract';
import { formatDate, t, type Tone } from '#ui';

type Status = porting.PortStatus;
const statuses: Readonly<Record<Status, readonly [string, Tone]>> = {
  pending: ['Draft', 'neutral'],
  documentsRequested: ['Needs documents', 'warn'],
  submitted: ['Submitted', 'info'],
  inProgress: ['With current carrier', 'info'],
  firmOrderScheduled: ['Date confirmed', 'accent'],
  completed: ['Ported', 'success'],
  rejected: ['Rejected', 'danger'],
  canceled: ['Canceled', 'neutral'],
};
/** A calendar day (YYYY-MM-DD) as shown on screen, the same in every time zone; a dash for null. */
export const dayName = (day: string | null): string =>
  day ? formatDate(`${day}T12:00:00Z`, 'UTC') : '–';
/** The name of a port request's status. */
export const portStatusName = (status: Status): string => t(statuses[status][0]);
/** The color of a port request's status. */
export const portStatusTone = (status: Status): Tone => statuses[status][1];
/** The name of a type of port. */
export const portTypeName = (type: 1 | 2 | 3): string =>
  t(({ 1: 'Local', 2: 'Toll-free', 3: 'Canadian' } as const)[type]);
/** The name of a kind of port document. */
export const documentName = (kind: porting.PortDocumentKind): string =>
  t(
    (
      {
        bill: 'Bill',
        loa: 'Signed letter',
        csr: 'Customer service record',
        id: 'Proof of identity',
        other: 'Other document',
      } as const
    )[kind],
  );

/** Who signed the letter, and the signed-in user if that is someone else. */
export const signedBy = (loa: {
  signed_by: string | null;
  signed_in_as: { name: string; email: string } | null;
}): string =>
  loa.signed_in_as && loa.signed_in_as.name !== loa.signed_by
    ? t('Signed by {name}, signed in as {user}', {
        name: loa.signed_by ?? '',
        user: loa.signed_in_as.name,
      })
    : t('Signed by {name}', { name: loa.signed_by ?? '' });

/** Index of the wizard step that shows a field. */
export const stepOfField = (field: string): number =>
  field.startsWith('numbers')
    ? 0
    : field.startsWith('documents') || field === 'bill_date' || field === 'file'
      ? 2
      : field.startsWith('loa')
        ? 3
        : 1;
