import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  businessDaysLater,
  canadianHolidays,
  daysBetween,
  earliestPortDay,
  federalHolidays,
  isBusinessDay,
  canMovePort,
  isPortFinal,
  isPortWithCarrier,
  isPortEditable,
  portStatuses,
  portTransitions,
  missingPortFields,
  type PortFacts,
  type PortStatus,
} from './rules.ts';

/** The allowed status changes of A14, from → to; all others are refused. */
const allowed: Record<PortStatus, PortStatus[]> = {
  pending: ['submitted', 'documentsRequested', 'canceled'],
  documentsRequested: ['pending', 'submitted', 'inProgress', 'rejected', 'canceled'],
  submitted: ['inProgress', 'documentsRequested', 'rejected', 'canceled'],
  inProgress: ['firmOrderScheduled', 'documentsRequested', 'rejected', 'canceled'],
  firmOrderScheduled: ['completed', 'rejected', 'canceled'],
  completed: [],
  rejected: ['submitted', 'canceled'],
  canceled: [],
};
describe('statuses', () => {
  test.each(portStatuses.flatMap((from) => portStatuses.map((to) => [from, to] as const)))(
    '%s → %s follows A14',
    (from, to) => {
      expect(canMovePort(from, to)).toBe(allowed[from].includes(to));
    },
  );
  test('documentsRequested returns only to the status before it', () => {
    for (const before of ['pending', 'submitted', 'inProgress'] as const)
      for (const to of ['pending', 'submitted', 'inProgress'] as const)
        expect(canMovePort('documentsRequested', to, before)).toBe(to === before);
  });
  test('every status that is not final can lead to canceled, and no status follows a final one', () => {
    for (const status of portStatuses) {
      expect(canMovePort(status, 'canceled')).toBe(!isPortFinal(status));
      if (isPortFinal(status))
        for (const to of portStatuses) expect(canMovePort(status, to)).toBe(false);
    }
  });
  test('a request is either editable, with the carrier, or final', () => {
    for (const s of portStatuses)
      expect(
        [isPortEditable(s), isPortWithCarrier(s), isPortFinal(s)].filter(Boolean),
      ).toHaveLength(1);
  });
  test('the path to a reported status consists of allowed changes and ends in that status', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...portStatuses),
        fc.constantFrom(...portStatuses),
        fc.constantFrom(null, 'submitted' as const, 'inProgress' as const),
        (from, to, before) => {
          const way = portTransitions(from, to, before);
          if (way === null || way.length === 0) return way === null || from === to;
          let at = from;
          let asked = before as PortStatus | null;
          for (const step of way) {
            if (!canMovePort(at, step, asked)) return false;
            asked = step === 'documentsRequested' ? at : null;
            at = step;
          }
          return at === to;
        },
      ),
    );
    expect(portTransitions('submitted', 'completed')).toEqual([
      'inProgress',
      'firmOrderScheduled',
      'completed',
    ]);
    expect(portTransitions('firmOrderScheduled', 'submitted')).toBeNull();
    expect(portTransitions('completed', 'rejected')).toBeNull();
  });
});

describe('business days', () => {
  test('federal holidays match the published dates', () => {
    expect(federalHolidays(2026)).toEqual([
      '2026-01-01',
      '2026-01-19',
      '2026-02-16',
      '2026-05-25',
      '2026-06-19',
      '2026-07-03',
      '2026-09-07',
      '2026-10-12',
      '2026-11-11',
      '2026-11-26',
      '2026-12-25',
    ]);
    // New Year's Day 2022 was a Saturday, so it was observed on the last day of 2021.
    expect(federalHolidays(2021)).toContain('2021-12-31');
    expect(federalHolidays(2022)).not.toContain('2022-01-01');
    expect(federalHolidays(2023)).toContain('2023-01-02');
  });
  test('seven business days before Thanksgiving skip it and both weekends; toll-free needs two', () => {
    expect(earliestPortDay('2026-11-20', 1)).toBe('2026-12-02');
    expect(earliestPortDay('2026-11-20', 2)).toBe('2026-11-24');
    expect(earliestPortDay('2026-11-25', 2)).toBe('2026-11-30');
    expect(earliestPortDay('2026-12-30', 3)).toBe('2027-01-11');
    // The Fourth of July is a working day in Canada, July 1 is not; Boxing Day 2026 is a Saturday,
    // observed on Monday.
    expect(canadianHolidays(2026)).toEqual([
      '2026-01-01',
      '2026-04-03',
      '2026-05-18',
      '2026-07-01',
      '2026-09-07',
      '2026-09-30',
      '2026-10-12',
      '2026-11-11',
      '2026-12-25',
      '2026-12-28',
    ]);
    expect(canadianHolidays(2027)).toEqual([
      '2027-01-01',
      '2027-03-26',
      '2027-05-24',
      '2027-07-01',
      '2027-09-06',
      '2027-09-30',
      '2027-10-11',
      '2027-11-11',
      '2027-12-27',
      '2027-12-28',
    ]);
    expect(canadianHolidays(2022).slice(-2)).toEqual(['2022-12-26', '2022-12-27']);
    expect([
      isBusinessDay('2027-07-01', 'CA'),
      isBusinessDay('2027-01-18', 'CA'),
      isBusinessDay('2027-01-18'),
    ]).toEqual([false, true, false]);
  });
  const anyDay = fc
    .integer({ min: 0, max: 365 * 12 })
    .map((n) => new Date(Date.UTC(2024, 0, 1) + n * 86_400_000).toISOString().slice(0, 10));
  test('n business days later is a business day with exactly n − 1 business days in between', () => {
    fc.assert(
      fc.property(anyDay, fc.integer({ min: 1, max: 30 }), (day, n) => {
        const later = businessDaysLater(day, n);
        let between = 0;
        for (let i = 1; i < daysBetween(day, later); i++)
          if (
            isBusinessDay(
              new Date(Date.parse(`${day}T00:00:00Z`) + i * 86_400_000).toISOString().slice(0, 10),
            )
          )
            between++;
        return isBusinessDay(later) && between === n - 1;
      }),
      { numRuns: 200 },
    );
  });
});

describe('required fields of a port request', () => {
  const whole: PortFacts = {
    numbers: [{ number: '+12125552368', type: 1, portable: true, reason: null }],
    losing_carrier: 'Old Bell',
    account_number: '884213',
    billing_telephone_number: '+12125552368',
    customer_type: 'business',
    entity_name: 'Harbor Dental LLC',
    authorized_first_name: 'Olive',
    authorized_last_name: 'Owner',
    authorized_email: 'olive@harbor.test',
    authorized_phone: '+12125550147',
    service_address: {
      line1: '1 Water Street',
      line2: '',
      city: 'New York',
      state: 'NY',
      zip: '10004',
      country: 'US',
    },
    requested_date: '2026-12-09',
    loa: { state: 'signed', signed_at: '2026-11-20T12:00:00.000Z' },
    documents: [{ kind: 'bill', bill_date: '2026-11-01' }],
  };
  const now = new Date('2026-11-21T12:00:00Z');
  const needs = (change: Partial<PortFacts>) =>
    missingPortFields({ ...whole, ...change }, '2026-11-21', now);
  test('a complete request has no problems', () => expect(needs({})).toEqual({}));
  test.each([
    [{ requested_date: '2026-11-25' }, 'requested_date', /7 business days/],
    [{ requested_date: '2026-12-25' }, 'requested_date', /business day/],
    [{ requested_date: '2026-12-12' }, 'requested_date', /weekend/],
    [{ requested_date: '2028-12-12' }, 'requested_date', /one year/],
    [{ documents: [] }, 'documents', /bill/],
    [{ documents: [{ kind: 'bill', bill_date: '2026-10-20' }] }, 'documents', /more than 30 days/],
    [{ loa: { state: 'unsigned', signed_at: null } }, 'loa', /Sign/],
    [{ loa: { state: 'signed', signed_at: '2026-10-20T12:00:00.000Z' } }, 'loa', /30 days/],
    [
      { numbers: [{ number: '+12125552399', type: 1, portable: false, reason: 'it is locked' }] },
      'numbers',
      /^\(212\) 555-2399 cannot be moved: it is locked\.$/,
    ],
    [
      { service_address: { ...whole.service_address, line1: 'PO Box 12' } },
      'service_address.line1',
      /P\.O\. box/,
    ],
    [
      { service_address: { ...whole.service_address, country: 'CA' } },
      'service_address.zip',
      /postal code/,
    ],
    [{ authorized_email: 'nobody' }, 'authorized_email', /email/],
  ] as const)('the problem of %j is reported at its field', (change, field, sentence) =>
    expect(needs(change as Partial<PortFacts>)[field]).toMatch(sentence),
  );
  test('toll-free numbers can be moved after two business days', () => {
    const tollFree = [{ number: '+18005552368', type: 2, portable: true, reason: null }];
    expect(needs({ numbers: tollFree, requested_date: '2026-11-24' })).toEqual({});
    expect(needs({ numbers: tollFree, requested_date: '2026-11-23' })['requested_date']).toMatch(
      /2 business days/,
    );
  });
});
