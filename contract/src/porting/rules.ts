export {
  daysBetween,
  federalHolidays,
  canadianHolidays,
  isBusinessDay,
  businessDaysLater,
  earliestPortDay,
} from './business-days.ts';
export {
  billDays,
  loaDays,
  missingPortFields,
  type PortAddress,
  type PortFacts,
} from './missing-fields.ts';

/** Statuses of a port request (A14). */
export const portStatuses = [
  'pending',
  'documentsRequested',
  'submitted',
  'inProgress',
  'firmOrderScheduled',
  'completed',
  'rejected',
  'canceled',
] as const;

export type PortStatus = (typeof portStatuses)[number];

export const portServices = { 1: 'Voice and SMS', 2: 'Fax' } as const;

export const portDocumentKinds = ['bill', 'loa', 'csr', 'id', 'other'] as const;

export type PortDocumentKind = (typeof portDocumentKinds)[number];

const moves: Readonly<Record<PortStatus, readonly PortStatus[]>> = {
  pending: ['submitted', 'documentsRequested', 'canceled'],
  submitted: ['inProgress', 'documentsRequested', 'rejected', 'canceled'],
  documentsRequested: ['pending', 'submitted', 'inProgress', 'rejected', 'canceled'],
  inProgress: ['firmOrderScheduled', 'documentsRequested', 'rejected', 'canceled'],
  firmOrderScheduled: ['completed', 'rejected', 'canceled'],
  completed: [],
  rejected: ['submitted', 'canceled'],
  canceled: [],
};

/**
 * Whether a request can change from one status to another. From `documentsRequested` it returns to
 * the status before it (`before`).
 */
export function canMovePort(
  from: PortStatus,
  to: PortStatus,
  before: PortStatus | null = null,
): boolean {
  if (!moves[from].includes(to)) return false;
  return (
    from !== 'documentsRequested' ||
    to === 'rejected' ||
    to === 'canceled' ||
    before === null ||
    to === before
  );
}

const statusOrder: readonly PortStatus[] = [
  'submitted',
  'inProgress',
  'firmOrderScheduled',
  'completed',
];

/**
 * The statuses a request passes through to reach the one a carrier reports. Usually one; more when
 * reports were lost, none when nothing changes, null when the report is outdated.
 */
export function portTransitions(
  from: PortStatus,
  to: PortStatus,
  before: PortStatus | null = null,
): PortStatus[] | null {
  if (from === to) return [];
  if (canMovePort(from, to, before)) return [to];
  if (from === 'documentsRequested') {
    const back = before ?? 'submitted';
    const rest = portTransitions(back, to);
    return rest && canMovePort(from, back, before) ? [back, ...rest] : null;
  }
  const [at, wanted] = [statusOrder.indexOf(from), statusOrder.indexOf(to)];
  if (at >= 0 && wanted > at) return statusOrder.slice(at + 1, wanted + 1);
  return at === 0 && to === 'documentsRequested' ? [to] : null;
}

/** Submitted to the carrier: the request can't be edited, only canceled. */
export const isPortWithCarrier = (status: PortStatus): boolean =>
  status === 'submitted' || status === 'inProgress' || status === 'firmOrderScheduled';

/** Final: the status can't change. */
export const isPortFinal = (status: PortStatus): boolean =>
  status === 'completed' || status === 'canceled';

/**
 * Whether the customer may still change the request: before submission, or after a rejection or a
 * request for documents.
 */
export const isPortEditable = (status: PortStatus): boolean =>
  status === 'pending' || status === 'rejected' || status === 'documentsRequested';

/** Largest document, in bytes: 3 MB. */
export const documentBytes = 3 * 1024 * 1024;

export const portAlarmCodes = ['still_moving', 'moved_anyway', 'not_installed'] as const;

export type PortAlarmCode = (typeof portAlarmCodes)[number];

export const portSorts = [
  'created_at',
  'updated_at',
  'requested_date',
  'foc_date',
  'status',
  'losing_carrier',
] as const;
