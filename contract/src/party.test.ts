import { describe, expect, test } from 'vitest';
import { partyKind, partyName } from './party.ts';
import { readParty } from './read-party.ts';

describe('what a carrier sends as the sender', () => {
  test.each([
    '',
    '   ',
    'anonymous',
    'Anonymous',
    'ANONYMOUS',
    'Restricted',
    'RESTRICTED',
    'Private',
    'Private Number',
    'unavailable',
    'Unavailable',
    'UNKNOWN',
    'Unknown Caller',
    'Blocked',
    'No Caller ID',
    'Out of Area',
    'Number Withheld',
    'withheld',
    'null',
    'Anonymous <sip:anonymous@anonymous.invalid>',
    'sip:anonymous@anonymous.invalid',
    'sip:+12125550147@anonymous.invalid;user=phone',
    'sip:Restricted@10.0.0.1:5060',
    '"Anonymous" <sip:+266696687@carrier.test>',
    '+266696687',
    '266696687',
    '+7378742833',
    '7378742833',
    '+86282452253',
    '+8656696',
    '8656696',
    '+2562533',
    '2562533',
    '+94844353',
    '+7748283',
    '0',
    '+0',
    '0000000000',
    '+10000000000',
    '\u202aAnonymous\u202c',
  ])('withheld: %j', (sender) => expect(readParty(sender)).toBe('anonymous'));

  test.each([
    ['+12125550147', '+12125550147'],
    ['(212) 555-0147', '+12125550147'],
    ['12125550147', '+12125550147'],
    ['2125550147', '+12125550147'],
    ['+442071838750', '+442071838750'],
    ['sip:+12125550147@sip.carrier.test;user=phone', '+12125550147'],
    ['"Ana López" <sip:+12125550147@carrier.test>', '+12125550147'],
    ['tel:+1-212-555-0147', '+12125550147'],
    ['sip:%2B12125550147@carrier.test', '+12125550147'],
    // With a country code they are people's numbers.
    ['+17378742833', '+17378742833'],
    ['+12562533000', '+12562533000'],
  ])('a number: %j', (sender, party) => {
    expect(readParty(sender)).toBe(party);
    expect(partyKind(party)).toBe('number');
  });

  test.each(['68849', '227', '1234', '466453', '72345678'])('a short code: %j', (sender) => {
    expect(readParty(sender)).toBe(sender);
    expect(partyKind(sender)).toBe('short_code');
    expect(partyName(sender)).toBe(sender);
  });

  test.each(['ACMEBANK', 'Acme Bank', 'AT&T', 'Café', 'H&M', '4Less', 'Unknownia', 'alice'])(
    'a sender name: %j',
    (sender) => {
      expect(readParty(sender)).toBe(sender);
      expect(partyKind(sender)).toBe('sender_name');
      expect(partyName(sender)).toBe(sender);
    },
  );

  test('a wish for privacy hides a number that was sent all the same', () => {
    for (const privacy of ['id', 'user;id', 'header', 'id; critical', 'ID', 'full', 'true'])
      expect(readParty('+12125550147', privacy), privacy).toBe('anonymous');
    for (const privacy of ['none', '', undefined, 'off', 'session'])
      expect(readParty('+12125550147', privacy), String(privacy)).toBe('+12125550147');
  });

  test('is bounded, and never has control characters', () => {
    expect(readParty('A'.repeat(5000))).toHaveLength(40);
    expect(readParty('ACME\u0000\u0007BANK')).toBe('ACMEBANK');
    expect(readParty('sip:%E0%A4%A@host')).toBe('%E0%A4%A');
  });
});

test('a hidden number is still a number, and what is withheld has words', () => {
  expect(partyKind('•••47')).toBe('number');
  expect(partyKind('+1212•••47')).toBe('number');
  expect(partyName('anonymous')).toBe('a withheld number');
  expect(partyName('anonymous', 'Withheld number')).toBe('Withheld number');
  expect(partyName('+12125550147')).toBe('(212) 555-0147');
});
