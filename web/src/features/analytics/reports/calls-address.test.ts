import { expect, test } from 'vitest';
import { callsAddress } from './calls-address.ts';

const month = { period: 'month' };

test('a row leads to its calls, of the same days and with the same limits', () => {
  expect(callsAddress('number', '12', month)).toBe(
    '/activity/calls?number=12&direction=inbound&period=month',
  );
  const limits = { ...month, direction: 'outbound', source: 'a&b', phrases: '7' };
  expect(callsAddress('number', '12', limits)).toBe(
    '/activity/calls?source=a%26b&phrases=7&number=12&direction=outbound&period=month',
  );
  expect(callsAddress('phrase_list', '7', { ...month, direction: 'all', status: 'missed' })).toBe(
    '/activity/calls?outcome=2&phrases=7&period=month',
  );
  expect(callsAddress('outcome', 'voicemail', month)).toBe(
    '/activity/calls?outcome=3&direction=inbound&period=month',
  );
});

test('where the list would show other calls than the row counts, it leads nowhere', () => {
  for (const limit of ['mood', 'tag', 'department', 'first', 'qualified', 'model'])
    expect(callsAddress('number', '12', { ...month, [limit]: 'any' }), limit).toBeNull();
  expect(callsAddress('sentiment', 'positive', month)).toBeNull();
  expect(callsAddress('outcome', 'running', month)).toBeNull();
  expect(callsAddress('source', '(none)', month)).toBeNull();
  expect(callsAddress('source', 'bing', { period: 'custom' })).toBeNull();
});
