import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cleanExtensionEntries,
  destinationNumber,
  nextFreeExtension,
  scheduleLabel,
  parseTime,
  displayedTime,
  timeSlots,
} from './rules.ts';

describe('next free extension', () => {
  it.each([
    [[], 0],
    [[0], 1],
    [[1, 2, 3], 4],
    [[24], 25],
    [[25], 0],
    [[0, 1, 25], 2],
    [[0, 30], 1],
    [Array.from({ length: 25 }, (_, i) => i), 25],
    [Array.from({ length: 26 }, (_, i) => i), 26],
    [[...Array.from({ length: 24 }, (_, i) => i), 99], 100],
    [[...Array.from({ length: 23 }, (_, i) => i), 99], 23],
  ])('after %j is %i', (inUse, next) => expect(nextFreeExtension(inUse)).toBe(next));

  it('is never in use', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat({ max: 60 })),
        (inUse) => !inUse.includes(nextFreeExtension(inUse)),
      ),
    );
  });
});

describe('extension entries', () => {
  it('are cleaned before they are sent', () => {
    const sent = cleanExtensionEntries([
      {
        extension: null,
        isValid: true,
        usingIntNumber: false,
        updated_at: 'x',
        label: 'Sales',
        geo: { a: 1 },
        tags: ['t'],
        forwards: [
          { number: '(212) 555-0147', isValid: true, weight: 3 },
          { number: '' },
          { number: null },
          { user_id: 7 },
          { number: '1-800-FLOWERS' },
          { number: 'sip:desk@example.com' },
          { number: 'x12' },
        ],
      },
    ]);
    expect(sent).toEqual([
      {
        extension: 1,
        label: 'Sales',
        geo: { a: 1 },
        tags: ['t'],
        forwards: [
          { number: '+12125550147', weight: 3 },
          { user_id: 7 },
          { number: '+18003569377' },
          { number: 'sip:desk@example.com' },
          { number: 'x12' },
        ],
      },
    ]);
  });

  it('destinations without a valid number are invalid', () => {
    expect([
      destinationNumber('911'),
      destinationNumber('sip:nobody'),
      destinationNumber(''),
    ]).toEqual([null, null, null]);
  });
});

describe('times', () => {
  it('are shown in 12 hours and sent in 24', () => {
    expect([
      displayedTime('00:00'),
      displayedTime('09:05'),
      displayedTime('12:00'),
      displayedTime('23:45'),
      displayedTime('24:00'),
    ]).toEqual(['12:00 AM', '9:05 AM', '12:00 PM', '11:45 PM', '12:00 AM']);
    expect([
      parseTime('12:00am'),
      parseTime('9:05 AM'),
      parseTime('12 pm'),
      parseTime('11:45pm'),
      parseTime('13:00pm'),
      parseTime('soon'),
    ]).toEqual(['00:00', '09:05', '12:00', '23:45', null, null]);
  });

  it('are offered in steps of 15 minutes, All Day first, Closed last', () => {
    expect(timeSlots).toHaveLength(98);
    expect([timeSlots[0]?.label, timeSlots[1]?.label, timeSlots[96]?.label, timeSlots[97]]).toEqual(
      ['All Day', '12:00am', '11:45pm', { value: null, label: 'Closed' }],
    );
    for (const { value, label } of timeSlots.slice(1, 97)) expect(parseTime(label)).toBe(value);
  });

  it('a schedule is called Direct Voicemail when the flag is set', () => {
    expect([
      scheduleLabel(2, false),
      scheduleLabel(2, true),
      scheduleLabel(9, false),
      scheduleLabel(null, false),
    ]).toEqual(['Mon-Fri (9-5)', 'Direct Voicemail', '', '']);
  });
});
