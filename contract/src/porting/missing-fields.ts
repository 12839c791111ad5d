import { formatPhone } from '../phone.ts';
import { isRegionOf } from '../states.ts';
import { countryOfPortType, daysBetween, earliestPortDay, isBusinessDay } from './business-days.ts';

/** Days that a bill is accepted. */
export const billDays = 30;

/** Days that a signed letter of authorization is accepted. */
export const loaDays = 30;

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

/** Adds the sentence for a field when `missing`; the first one of a field stays. */
type Need = (field: string, missing: boolean, sentence: string) => void;

function needNumbers(need: Need, port: PortFacts): void {
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
}

/** Problems of the account at the current carrier, and of its authorized person. */
function needAccount(need: Need, port: PortFacts): void {
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
}

function needAddress(need: Need, a: PortAddress): void {
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
}

function needDate(need: Need, port: PortFacts, today: string): void {
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
}

/** Problems of the bill and the letter of authorization. */
function needDocuments(need: Need, port: PortFacts, today: string, now: Date): void {
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
    port.loa.signed_at !== null &&
      now.getTime() - Date.parse(port.loa.signed_at) > loaDays * 86_400_000,
    'The signature is more than 30 days old. Sign the letter again.',
  );
}

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
  const need: Need = (field, missing, sentence) => {
    if (missing && !(field in needs)) needs[field] = sentence;
  };
  needNumbers(need, port);
  needAccount(need, port);
  needAddress(need, port.service_address);
  needDate(need, port, today);
  needDocuments(need, port, today, now);
  return needs;
}
