import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { contacts as contactsContract, importing } from '#contract';
import { createTestApp } from './support/test-app.ts';
import { importHelpers } from './support/contact-imports.ts';

/** Exports of other programs' address books are imported without a word about their columns. */
const app = await createTestApp();
const { upload, importFile, check, readCsv, undo, listAll } = importHelpers(app);
const sample = (name: string) => readFile(new URL(`./address-books/${name}`, import.meta.url));
const newOwner = async () => (await app.createCompany()).owner;

const [first, second, third] = ['+12015553001', '+12015553002', '+12015553003'];
const whole = {
  name: 'Ana López',
  number: first,
  otherNumbers: [second, third],
  email: 'ana@lopez.example',
  secondaryEmails: ['ana@works.example'],
  companyName: 'Works Inc',
  title: 'Buyer',
  address1: '1 Elm St',
  city: 'Newark',
  notes: 'Met at the fair',
};
const { secondaryEmails: _, notes: __, ...oneEmail } = whole;
const books: Record<string, object> = {
  'google-old.csv': {
    ...whole,
    address2: 'Apt 2',
    zip: '07101',
    groups: [expect.objectContaining({ name: 'Friends' })],
  },
  'google-new.csv': {
    ...whole,
    zip: '07101',
    labels: [expect.objectContaining({ label: 'Friends' })],
  },
  'outlook-old.csv': { ...whole, address2: 'Apt 2', gender: null },
  'outlook-new.csv': { ...whole, country: 'US' },
  'apple-numbers.csv': whole,
  'hubspot.csv': { ...oneEmail, otherNumbers: [second], state: 'NJ', zip: '07101' },
  'salesforce-report.csv': { ...oneEmail, otherNumbers: [second], state: 'NJ', zip: '07101' },
  'salesforce-loader.csv': { ...oneEmail, companyName: '', state: 'NJ', zip: '07101' },
  'quickbooks-online.csv': {
    name: 'Ana López',
    number: first,
    otherNumbers: [second],
    email: 'ana@lopez.example',
    address1: '1 Elm St, Newark, NJ 07101',
  },
  'quickbooks-desktop.csv': { ...oneEmail, address1: '', city: '' },
  'callrail.csv': { name: 'Ana López', number: first, otherNumbers: [], city: 'Newark' },
  'quo.csv': { ...whole, otherNumbers: [second], address1: '', city: '', notes: '' },
};

describe('the address book of', () => {
  test.each(Object.keys(books))('%s maps itself', async (name) => {
    const who = await newOwner();
    const done = await importFile(who, await sample(name), {}, name);
    expect(done).toMatchObject({ state: 'finished', created: 1, skipped: 0 });
    const [contact] = await listAll(who);
    const expected = books[name] as { otherNumbers?: string[] };
    expect(contact).toMatchObject({
      ...expected,
      ...(expected.otherNumbers && { otherNumbers: [...expected.otherNumbers].sort() }),
    });
  });

  test('an iPhone or a Mac, as a card', async () => {
    const who = await newOwner();
    const answer = await app.as(who).request(contactsContract.addVcards, {
      params: { companyId: who.companyId },
      body: { vcard: String(await sample('apple-contacts.vcf')) },
    });
    expect(answer.body.data).toMatchObject({ created: 1, errors: [] });
    expect((await listAll(who))[0]).toMatchObject(whole);
  });
});

test('a first name alone is a name, and the first filled number is the number', async () => {
  const who = await newOwner();
  const done = await importFile(
    who,
    'First Name,Home Phone,Business Phone,Mobile Phone\nBo,,201-555-3011,\nCy,201-555-3012,,201-555-3013\n',
  );
  expect(done).toMatchObject({ created: 2, noted: 0 });
  expect((await listAll(who)).map((c) => [c.name, c.number, c.otherNumbers])).toEqual([
    ['Bo', '+12015553011', []],
    ['Cy', '+12015553013', ['+12015553012']],
  ]);
});

const [a, b] = ['+12015553024', '+12015553025'];
test.each([
  ['201-555-3024 / 201-555-3025', [a, b]],
  ['201-555-3024 or 201-555-3025', [a, b]],
  ['201-555-3024; 201-555-3025', [a, b]],
  ['201-555-3024 (cell), 201-555-3025 (work)', [a, b]],
  ['(201) 555-3024 (201) 555-3025', [a, b]],
  ['2015553024 2015553025', [a, b]],
  ['h: 201-555-3024 w: 201-555-3025', [a, b]],
  ['201-555-3024\n201-555-3025', [a, b]],
  ['201-555-3024 & 201-555-3025', [a, b]],
  ['201-555-3024 (cell)', [a]],
  ['201-555-3024 mobile', [a]],
  ['2015553024,,123#', [a], ',,123#'],
  ['2015553024;123', [a], ';123'],
  ['tel:+442079460958,1234', ['+442079460958'], ',1234'],
  ['201-555-3024/25', [a], '25'],
  ['1.2015553024E+10', [a]],
  ['2.015553024E9', [a]],
  ['1,2015553024E+10', [a]],
  ['12,015,553,024', [a]],
  ['201-555-3024 x12', [a]],
] as [string, string[], string?][])('a cell with %j', async (cell, numbers, leftOut) => {
  const who = await newOwner();
  await importFile(who, `name,number\nBo,"${cell}"\n`);
  const [contact] = await listAll(who);
  expect([contact!.number, ...contact!.otherNumbers]).toEqual(numbers);
  const { body } = await upload(who, `name,number\nBo,"${cell}"\n`);
  const problems = (await check(who, body.data.id)).body.data.problems.map((p) => p.problem);
  expect(problems).toEqual(
    leftOut === undefined ? [] : [`Left out because it isn’t a phone number: “${leftOut}”.`],
  );
});

test('what was left out of a number is named', async () => {
  const who = await newOwner();
  const done = await importFile(who, 'name,number\nBo,"201-555-3024,,123#"\nCy,201-555-3026/27\n');
  expect(done).toMatchObject({ created: 2, noted: 2 });
  expect((await readCsv(done.mistakesUrl)).slice(1).map((row) => row.at(-1))).toEqual([
    'Left out because it isn’t a phone number: “,,123#”.',
    'Left out because it isn’t a phone number: “27”.',
  ]);
});

test.each(['1.20156E+10', '2.01555E+09', '4.47701E+11', '1,20156E+10'])(
  'a rounded number has its own sentence: %s',
  async (cell) => {
    const who = await newOwner();
    const { body } = await upload(who, `name,number\nBo,"${cell}"\n`);
    expect((await check(who, body.data.id)).body.data.problems).toMatchObject([
      { reason: 'rounded_number', problem: expect.stringContaining('has rounded this number') },
    ]);
  },
);

test('another person’s number, and a second address, are left out by name', async () => {
  const who = await newOwner();
  const done = await importFile(
    who,
    'Name,Mobile Phone,Company Main Phone,Home Street,Home City,Business Street,Business City\n' +
      'Ana,201-555-3031,201-555-3030,1 Elm St,Newark,9 Oak Ave,Trenton\n' +
      'Bo,201-555-3032,201-555-3030,,,9 Oak Ave,Trenton\n' +
      'Cy,201-555-3033,201-555-3031,,,,\n' +
      'Office,201-555-3034,,,,,\n',
  );
  expect(done).toMatchObject({ created: 4, noted: 3 });
  expect((await readCsv(done.mistakesUrl)).slice(1).map((row) => row.at(-1))).toEqual([
    'Another address was left out: “9 Oak Ave, Trenton”.',
    '(201) 555-3030 was left out: row 2 has it, too.',
    '(201) 555-3031 was left out: it belongs to another contact.',
  ]);
  expect((await listAll(who)).map((c) => [c.name, c.otherNumbers, c.city])).toEqual([
    ['Ana', ['+12015553030'], 'Newark'],
    ['Bo', [], 'Trenton'],
    ['Cy', [], ''],
    ['Office', [], ''],
  ]);
});

test('importing a book again changes nothing; undoing an import takes its numbers back', async () => {
  const who = await newOwner();
  await importFile(who, 'name,number\nAna,201-555-3001\n');
  const added = await importFile(who, 'name,number\nAna,201-555-3001 / 201-555-3002\n');
  expect(added).toMatchObject({ updated: 1, noted: 0 });
  expect((await listAll(who))[0]!.otherNumbers).toEqual([second]);
  expect(await importFile(who, 'name,number\nAna,201-555-3001 / 201-555-3002\n')).toMatchObject({
    unchanged: 1,
  });
  expect((await undo(who, added.id)).status).toBe(202);
  expect((await listAll(who)).map((c) => [c.number, c.otherNumbers])).toEqual([[first, []]]);
});

test('an export keeps numbers as text in a spreadsheet, and is imported again unchanged', async () => {
  const who = await newOwner();
  await importFile(who, await sample('google-new.csv'));
  await importFile(who, 'name,number\nZoë,+44 20 7946 0958\n');
  const before = await listAll(who);
  const { body } = await app.as(who).request(importing.exportContacts, {
    params: { companyId: who.companyId },
    body: { all: true },
  });
  await app.drainJobs();
  const { resultUrl } = (
    await app.as(who).request(importing.contactsProgress, {
      params: { companyId: who.companyId, batchId: body.data.batchId },
    })
  ).body.data;
  const text = (
    await app.server.inject({
      method: 'GET',
      url: resultUrl!,
      headers: { authorization: `Bearer ${who.token}` },
    })
  ).body;
  const rows = parse(text, { bom: true }) as string[][];
  const column = (title: string) => rows.map((row) => row[rows[0]!.indexOf(title)]);
  expect(column('Number')).toEqual(['Number', '+1 201 555 3001', '+44 20 7946 0958']);
  expect(column('Other numbers')[1]).toBe('+1 201 555 3002 | +1 201 555 3003');
  expect(await importFile(who, text)).toMatchObject({ unchanged: 2, noted: 0 });
  const other = await newOwner();
  expect(await importFile(other, text)).toMatchObject({ created: 2, noted: 0 });
  const facts = (list: typeof before) => list.map((c) => [c.name, c.number, c.otherNumbers]);
  expect(facts(await listAll(other))).toEqual(facts(before));
});

test('letters that were guessed wrong can be read in another encoding', async () => {
  const who = await newOwner();
  // “Žan” in Windows-1250 alone has nothing that tells it from Windows-1252.
  const bytes = Buffer.from('name,number\n\x8Ean Nov\xE1k \xE8,2015553001\n', 'latin1');
  const guessed = (await upload(who, bytes)).body.data;
  expect(guessed).toMatchObject({ encoding: expect.any(String) });
  const chosen = await upload(who, bytes, 'people.csv', { encoding: 'windows-1250' });
  expect(chosen.body.data).toMatchObject({
    encoding: 'windows-1250',
    sample: [{ row: 2, cells: ['Žan Novák č', '2015553001'] }],
  });
  expect((await upload(who, bytes, 'people.csv', { encoding: 'klingon' })).status).toBe(422);
  expect((await upload(who, 'name,number\nAna,1\n')).body.data.encoding).toBe('utf-8');
});
