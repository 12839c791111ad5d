import { formatPhone } from '../phone.ts';
import { isRegionOf } from '../states.ts';

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

/** B §3. */
export const portTypes = { 1: 'Local', 2: 'Toll-free', 3: 'Canadian' } as const;

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

export const isPortEditable = (status: PortStatus): boolean =>
  status === 'pending' || status === 'rejected' || status === 'documentsRequested';

export const billDays = 30;

export const loaDays = 30;

export const documentBytes = 3 * 1024 * 1024;

const DAY = 86_400_000;

const at = (day: string): number => Date.parse(`${day}T00:00:00Z`);

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

export const daysBetween = (from: string, to: string): number =>
  Math.round((at(to) - at(from)) / DAY);

/** The n-th of a weekday (0 Sunday) in a month (1 to 12); n = -1 is the last. */
function nth(year: number, month: number, weekday: number, n: number): number {
  if (n < 0) {
    const last = Date.UTC(year, month, 0);
    return last - ((new Date(last).getUTCDay() - weekday + 7) % 7) * DAY;
  }
  const first = Date.UTC(year, month - 1, 1);
  return first + (((weekday - new Date(first).getUTCDay() + 7) % 7) + (n - 1) * 7) * DAY;
}

/** The observed day: Friday for a holiday on Saturday, Monday for one on Sunday. */
const observed = (ms: number): number =>
  ms + (new Date(ms).getUTCDay() === 6 ? -DAY : new Date(ms).getUTCDay() === 0 ? DAY : 0);

/** Observed days of the eleven US federal holidays of a year, as `YYYY-MM-DD` (5 U.S.C. 6103). */
export function federalHolidays(year: number): string[] {
  const fixed = [
    [year, 1, 1],
    [year, 6, 19],
    [year, 7, 4],
    [year, 11, 11],
    [year, 12, 25],
    [year + 1, 1, 1],
  ].map(([y, m, d]) => observed(Date.UTC(y!, m! - 1, d!)));
  return [
    ...fixed,
    nth(year, 1, 1, 3),
    nth(year, 2, 1, 3),
    nth(year, 5, 1, -1),
    nth(year, 9, 1, 1),
    nth(year, 10, 1, 2),
    nth(year, 11, 4, 4),
  ]
    .map(dayOf)
    .filter((d) => d.startsWith(`${year}-`))
    .sort();
}

/** Easter Sunday of a year, by the Gregorian computus. */
function easter(year: number): number {
  const [a, b, c] = [year % 19, Math.floor(year / 100), year % 100];
  const h =
    (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const n = h + l - 7 * Math.floor((a + 11 * h + 22 * l) / 451) + 114;
  return Date.UTC(year, Math.floor(n / 31) - 1, (n % 31) + 1);
}

/**
 * Observed days of Canada's ten general holidays of a year (Canada Labour Code, part III); one on a
 * weekend moves to the next working day.
 */
export function canadianHolidays(year: number): string[] {
  const beforeMay25 = Date.UTC(year, 4, 24);
  const victoria = beforeMay25 - ((new Date(beforeMay25).getUTCDay() + 6) % 7) * DAY;
  const taken = new Set([
    easter(year) - 2 * DAY,
    victoria,
    nth(year, 9, 1, 1),
    nth(year, 10, 1, 2),
  ]);
  for (const [month, day] of [
    [1, 1],
    [7, 1],
    [9, 30],
    [11, 11],
    [12, 25],
    [12, 26],
  ] as const) {
    let ms = Date.UTC(year, month - 1, day);
    while ([0, 6].includes(new Date(ms).getUTCDay()) || taken.has(ms)) ms += DAY;
    taken.add(ms);
  }
  return [...taken].map(dayOf).sort();
}

type Country = 'US' | 'CA';

/** The country whose business days count: Canada for type 3. */
export const countryOfPortType = (type: number): Country => (type === 3 ? 'CA' : 'US');

export function isBusinessDay(day: string, country: Country = 'US'): boolean {
  const weekday = new Date(at(day)).getUTCDay();
  const holidays = country === 'CA' ? canadianHolidays : federalHolidays;
  return weekday !== 0 && weekday !== 6 && !holidays(Number(day.slice(0, 4))).includes(day);
}

/** The day that is `n` business days after a day (which itself does not count). */
export function businessDaysLater(day: string, n: number, country: Country = 'US'): string {
  let ms = at(day);
  for (let left = n; left > 0;) {
    ms += DAY;
    if (isBusinessDay(dayOf(ms), country)) left--;
  }
  return dayOf(ms);
}

/** Business days a carrier needs: 7, toll-free 2. */
export const portLeadDays = (type: number): number => (type === 2 ? 2 : 7);

export const earliestPortDay = (today: string, type: number): string =>
  businessDaysLater(today, portLeadDays(type), countryOfPortType(type));

export interface PortAddress {
  line1: string;
  line2: string;
  city: string;
  state: string;
  zip: string;
  country: 'US' | 'CA';
}

export interface PortFacts {
  numbers: readonly {
    number: string;
    type: number;
    portable: boolean | null;
    reason: string | null;
  }[];
  losing_carrier: string;
  account_number: string;
  billing_telephone_number: string | null;
  customer_type: 'business' | 'residential';
  entity_name: string;
  authorized_first_name: string;
  authorized_last_name: string;
  authorized_email: string;
  authorized_phone: string | null;
  service_address: PortAddress;
  requested_date: string | null;
  loa: { state: string; signed_at: string | null };
  documents: readonly { kind: string; bill_date: string | null }[];
}

const blank = (text: string | null | undefined): boolean => !text?.trim();

/**
 * Problems by field, each a sentence; empty: the request can be submitted. `today`: the date at the
 * company.
 */
export function missingPortFields(
  port: PortFacts,
  today: string,
  now: Date,
): Record<string, string> {
  const needs: Record<string, string> = {};
  const need = (field: string, missing: boolean, sentence: string): void => {
    if (missing && !(field in needs)) needs[field] = sentence;
  };
  need('numbers', port.numbers.length === 0, 'Add at least one number.');
  const stuck = port.numbers.filter((n) => n.portable === false);
  need(
    'numbers',
    stuck.length > 0,
    stuck
      .map(
        (n) =>
          `${formatPhone(n.number)} cannot be moved: ${n.reason ?? 'the carrier doesn’t release it'}.`,
      )
      .join(' '),
  );
  need('losing_carrier', blank(port.losing_carrier), 'Enter your current carrier.');
  need(
    'account_number',
    blank(port.account_number),
    'Enter the account number at that carrier, as shown on the bill.',
  );
  need(
    'billing_telephone_number',
    blank(port.billing_telephone_number),
    'Enter the main number of that account.',
  );
  need(
    'entity_name',
    blank(port.entity_name),
    port.customer_type === 'business'
      ? 'Enter the company name as shown on the bill.'
      : 'Enter the name as shown on the bill.',
  );
  need('authorized_first_name', blank(port.authorized_first_name), 'Enter a first name.');
  need('authorized_last_name', blank(port.authorized_last_name), 'Enter a last name.');
  need(
    'authorized_email',
    !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(port.authorized_email),
    'Enter an email address.',
  );
  need('authorized_phone', blank(port.authorized_phone), 'Enter a phone number.');
  const a = port.service_address;
  need(
    'service_address.line1',
    blank(a.line1),
    'Enter the street address. P.O. boxes aren’t accepted.',
  );
  need(
    'service_address.line1',
    /\bP\.?\s*O\.?\s*Box\b/i.test(a.line1),
    'Enter the street address. P.O. boxes aren’t accepted.',
  );
  need('service_address.city', blank(a.city), 'Enter the city.');
  need(
    'service_address.state',
    !isRegionOf(a.country, a.state),
    a.country === 'CA' ? 'Enter a Canadian province, such as ON.' : 'Enter a US state, such as NY.',
  );
  need(
    'service_address.zip',
    !(a.country === 'CA' ? /^[A-Z]\d[A-Z] ?\d[A-Z]\d$/i : /^\d{5}(-\d{4})?$/).test(a.zip),
    a.country === 'CA'
      ? 'Enter a postal code such as M5V 3L9.'
      : 'Enter a ZIP code of five digits.',
  );
  const type = port.numbers[0]?.type ?? 1;
  const earliest = earliestPortDay(today, type);
  need('requested_date', port.requested_date === null, 'Choose a day.');
  if (port.requested_date !== null) {
    need(
      'requested_date',
      port.requested_date < earliest,
      `The earliest day is ${earliest}: ${type === 2 ? 'toll-free numbers need 2' : 'carriers need 7'} business days.`,
    );
    need(
      'requested_date',
      !isBusinessDay(port.requested_date, countryOfPortType(type)),
      type === 3
        ? 'Choose a business day that isn’t a weekend or Canadian holiday.'
        : 'Choose a business day that isn’t a weekend or federal holiday.',
    );
    need(
      'requested_date',
      daysBetween(today, port.requested_date) > 365,
      'Choose a day within one year.',
    );
  }
  const bills = port.documents.filter((d) => d.kind === 'bill');
  need(
    'documents',
    bills.length === 0,
    'Add a bill from your current carrier that is at most 30 days old.',
  );
  need(
    'documents',
    bills.length > 0 &&
      !bills.some((b) => b.bill_date !== null && daysBetween(b.bill_date, today) <= billDays),
    'The bill is more than 30 days old. Add a newer one.',
  );
  need('loa', port.loa.state !== 'signed', 'Sign the letter of authorization.');
  need(
    'loa',
    port.loa.signed_at !== null && now.getTime() - Date.parse(port.loa.signed_at) > loaDays * DAY,
    'The signature is more than 30 days old. Sign the letter again.',
  );
  return needs;
}

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
