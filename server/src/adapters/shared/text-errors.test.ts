import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  deliveryState as bandwidthState,
  describeTextError as bandwidthWords,
} from '../bandwidth/codes.ts';
import { bandwidthTextErrors } from '../bandwidth/text-errors.ts';
import { deliveryStateOf, type TextError } from './text-errors.ts';
import { describeTextError as twilioWords } from '../twilio/codes.ts';
import { twilioTextErrors } from '../twilio/text-errors.ts';

/** Codes of texts in Twilio's error dictionary (requests 2xxxx, deliveries 30xxx). */
const publishedByTwilio = [
  14107, 20003, 20005, 20008, 20429, 21211, 21212, 21219, 21266, 21408, 21602, 21603, 21604, 21605,
  21606, 21608, 21609, 21610, 21611, 21612, 21614, 21617, 21618, 21619, 21620, 21621, 21623, 21627,
  21635, 21654, 21655, 21658, 21659, 21660, 21661, 21701, 21703, 21704, 21705, 21709, 21710, 21711,
  21712, 21730, 30001, 30002, 30003, 30004, 30005, 30006, 30007, 30008, 30009, 30010, 30011, 30012,
  30017, 30018, 30019, 30020, 30021, 30022, 30023, 30024, 30026, 30027, 30029, 30031, 30032, 30033,
  30034, 30035, 30036, 30037, 30038, 30039, 30040, 30041, 30043, 30044, 30400, 30404, 30409, 30410,
  30450, 30453, 30454, 30485, 30500, 63016,
];
/** Codes in Bandwidth's documentation of messaging errors. */
const publishedByBandwidth = [
  4001, 4301, 4302, 4303, 4350, 4360, 4401, 4403, 4404, 4405, 4406, 4407, 4408, 4409, 4410, 4411,
  4412, 4420, 4421, 4431, 4432, 4433, 4434, 4435, 4451, 4452, 4470, 4481, 4482, 4492, 4493, 4700,
  4701, 4702, 4711, 4712, 4720, 4721, 4730, 4740, 4750, 4751, 4752, 4770, 4771, 4772, 4773, 4774,
  4775, 4780, 4781, 4785, 4790, 4791, 4792, 4793, 4795, 5100, 5101, 5106, 5111, 5201, 5211, 5220,
  5231, 5500, 5501, 5999, 5600, 5610, 5620, 5630, 5650, 9902, 9999,
];

describe.each([
  ['Twilio', twilioTextErrors, publishedByTwilio, twilioWords],
  ['Bandwidth', bandwidthTextErrors, publishedByBandwidth, bandwidthWords],
] as const)('%s', (vendor, table, published, words) => {
  test('every published code has a sentence of its own, which says what to do', () => {
    expect(published.filter((code) => !table.has(code))).toEqual([]);
    for (const { code, message: sentence } of table.values()) {
      // One or two short sentences that end, without codes and without the vendor's jargon.
      expect([code, sentence]).toEqual([code, expect.stringMatching(/^[A-Z][^]{20,150}[.]$/)]);
      expect([code, sentence]).toEqual([
        code,
        expect.not.stringMatching(/\d{4,}|undefined|null|handset|TTL|SHAFT|A2P|10DLC/),
      ]);
    }
    // Only what is the same fact in other words shares a sentence.
    const facts = new Map<string, string>();
    for (const { message: sentence, kind: word, retry } of table.values()) {
      expect([sentence, facts.get(sentence) ?? `${word} ${retry}`]).toEqual([
        sentence,
        `${word} ${retry}`,
      ]);
      facts.set(sentence, `${word} ${retry}`);
    }
  });
  test('what the table says is what a report says', () => {
    for (const { code, kind: word, message: sentence } of table.values())
      expect(words(code, 'their own words')).toEqual({ code: word, reason: sentence });
  });
  test('only what certainly did not arrive invites to send again', () => {
    for (const { code, kind: word, retry, message: sentence } of table.values()) {
      if (word === 'unexplained')
        expect([code, retry, /[Aa]sk/.test(sentence)]).toEqual([code, 'ask', true]);
      if (word === 'account') expect([code, retry]).toEqual([code, 'fixed']);
      if (word === 'unreachable') expect([code, retry]).toEqual([code, 'later']);
      if (retry === 'ask')
        expect([code, word]).toEqual([code, expect.stringMatching(/^(unexplained|unconfirmed)$/)]);
    }
  });
  test('an unknown code is shown in the vendor’s own words', () => {
    expect(words(4699, 'Something new').reason).toContain('Something new');
    expect(words(4699, 'Something new').reason).toContain(vendor);
    expect(words(4699, null).reason).toMatch(/[.]$/);
  });
});

test('30008, 9999 and 9902 do not say that the phone cannot be reached; 9902 stays sent', () => {
  expect([
    twilioWords(30008, null).code,
    bandwidthWords(9999, null).code,
    bandwidthWords(9902, null).code,
  ]).toEqual(['unexplained', 'unexplained', 'unconfirmed']);
  expect([
    bandwidthState('message-failed', 9902),
    bandwidthState('message-failed', 9999),
    bandwidthState('message-failed', 4750),
  ]).toEqual(['sent', 'undelivered', 'failed']);
});
test('only a recipient who opted out enters the ledger', () => {
  const out = (table: ReadonlyMap<number, TextError>) =>
    [...table.values()].filter((e) => e.kind === 'opted_out').map((e) => e.code);
  expect([out(twilioTextErrors), out(bandwidthTextErrors)]).toEqual([[21610], [4775]]);
});

test('docs/carriers/text-errors.md is generated from the tables', () => {
  const retries = { later: 'later', fixed: 'once fixed', ask: 'ask first', no: 'no' };
  const rows = (table: ReadonlyMap<number, TextError>) =>
    [...table.values()]
      .sort((a, b) => a.code - b.code)
      .map(
        (e) =>
          `| ${e.code} | ${e.meaning} | ${deliveryStateOf(e.kind) === 'sent' ? 'sent' : 'failed'} | ${e.kind} | ${e.message} | ${retries[e.retry]} |`,
      );
  const table = (heading: string, of: ReadonlyMap<number, TextError>) => [
    `## ${heading}`,
    '| Code | Meaning | State | Code in the API | Message shown | Resend |',
    '|---|---|---|---|---|---|',
    ...rows(of),
    '',
  ];
  const text = [
    '# Carrier error codes for texts',
    '',
    'Facts from what Twilio and Bandwidth publish; the sentences are ours. Generated from `server/src/adapters/*/text-errors.ts`',
    'by `UPDATE_DOCS=1 npx vitest run --project server server/src/adapters/shared/text-errors.test.ts`.',
    '',
    '"failed" is `undelivered` where the carrier says so. Who can fix it: `account` an operator of this server, `not_registered` an administrator of the',
    'company, `content` the sender. `opted_out` is recorded as an opt-out; `landline` and `no_number`, reported twice, make a contact invalid. "ask first": the text',
    'may have arrived.',
    '',
    ...table('Twilio', twilioTextErrors),
    ...table('Bandwidth', bandwidthTextErrors),
  ].join('\n');
  const path = new URL('../../../../docs/carriers/text-errors.md', import.meta.url);
  if (process.env['UPDATE_DOCS']) writeFileSync(path, text);
  expect(readFileSync(path, 'utf8')).toBe(text);
});
