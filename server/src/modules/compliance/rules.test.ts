import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  blockTarget,
  matchesBlock,
  keywordOf,
  targetsMatching,
  textBlockReason,
  type BlockRule,
} from './rules.ts';

describe('reserved keywords', () => {
  test('match only as the whole message, ignoring case, punctuation and spacing', () => {
    for (const text of [
      'STOP',
      'stop',
      ' Stop. ',
      'STOP!!!',
      '"stop"',
      'StopAll',
      'unsubscribe',
      'Cancel',
      'END',
      'quit',
      'revoke',
      'optout',
      'OPT OUT',
      'opt-out',
      'Opt  Out.',
      'ｓｔｏｐ',
    ])
      expect(keywordOf(text), text).toBe('stop');
    for (const text of ['START', 'Yes', 'yes!', 'unstop'])
      expect(keywordOf(text), text).toBe('start');
    for (const text of ['HELP', 'help?', 'Info']) expect(keywordOf(text), text).toBe('help');
  });
  test('are ordinary words inside a sentence', () => {
    for (const text of [
      'stop by at noon',
      'yes please',
      'I need help',
      'the end',
      '',
      '!',
      'can cel',
    ])
      expect(keywordOf(text), text).toBeNull();
  });
});

describe('block targets', () => {
  test('are numbers, anonymous, or prefixes', () => {
    expect(blockTarget('(212) 555-0147')).toBe('+12125550147');
    expect(blockTarget('Anonymous')).toBe('anonymous');
    expect(blockTarget('+1 900*')).toBe('+1900*');
    expect(blockTarget('No Caller ID')).toBe('anonymous');
    expect(blockTarget('68849')).toBe('68849');
    expect(blockTarget(' ACMEBANK ')).toBe('ACMEBANK');
    for (const wrong of ['', '*', '+*', '1900*', 'no phone number', 'da', '+1900**', '*555', '+0*'])
      expect(blockTarget(wrong), wrong).toBeNull();
  });
  test('the most specific rule wins, and an exception beats a block of equal specificity', () => {
    const rule = (
      target: string,
      action: 0 | 1,
      number_id: number | null = null,
      everywhere = false,
    ): BlockRule => ({ target, action, number_id, everywhere });
    const from = '+19005550147';
    expect(matchesBlock([], 1, from)).toBe(false);
    expect(matchesBlock([rule('+1900*', 1)], 1, from)).toBe(true);
    expect(matchesBlock([rule('+1900*', 1), rule('+1900555*', 0)], 1, from)).toBe(false);
    expect(matchesBlock([rule('+1900555*', 0), rule(from, 1)], 1, from)).toBe(true);
    expect(matchesBlock([rule(from, 1), rule(from, 0)], 1, from)).toBe(false);
    expect(matchesBlock([rule(from, 1, 7)], 1, from)).toBe(false);
    expect(matchesBlock([rule(from, 1, 7), rule(from, 0)], 7, from)).toBe(true);
    expect(matchesBlock([rule(from, 1, null, true), rule(from, 0)], 7, from)).toBe(false);
    expect(matchesBlock([rule('anonymous', 1)], 1, 'anonymous')).toBe(true);
    expect(matchesBlock([rule('+*', 1)], 1, 'anonymous')).toBe(false);
  });
  test('targets include every prefix of a number and nothing else', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\+[1-9]\d{7,14}$/), (number) => {
        const all = targetsMatching(number);
        expect(
          all.filter((t) => t !== number).every((t) => number.startsWith(t.slice(0, -1))),
        ).toBe(true);
        for (let n = 2; n <= number.length; n++) expect(all).toContain(`${number.slice(0, n)}*`);
      }),
    );
  });
});

test('textBlockReason returns the most serious reason, and null only if texting is allowed', () => {
  const now = new Date('2026-11-21T12:00:00Z');
  const free = {
    party: '+12125550147',
    optedOut: false,
    blocked: false,
    now,
    lastInboundAt: null,
    number: {
      live: true,
      companyActive: true,
      companySuspended: false,
      smsEnabled: true,
      verified: true,
    },
  };
  expect(textBlockReason(free)).toBeNull();
  expect(textBlockReason({ ...free, optedOut: true, blocked: true })).toBe('contact_opted_out');
  expect(textBlockReason({ ...free, party: 'anonymous' })).toBe('anonymous');
  expect(textBlockReason({ ...free, number: { ...free.number, live: false } })).toBe('number_gone');
  expect(textBlockReason({ ...free, number: { ...free.number, smsEnabled: false } })).toBe(
    'no_sms',
  );
  const unverified = { ...free, number: { ...free.number, verified: false } };
  expect(textBlockReason(unverified)).toBe('number_not_verified');
  expect(
    textBlockReason({ ...unverified, lastInboundAt: new Date('2026-11-20T12:00:01Z') }),
  ).toBeNull();
  expect(textBlockReason({ ...unverified, lastInboundAt: new Date('2026-11-20T11:59:59Z') })).toBe(
    'number_not_verified',
  );
});
