import { emailPattern } from '#contract/email-address';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { contacts as contract, fields as fieldsContract, importing } from '#contract';
import { ageRanges, contactTypes, genders, optinTypes } from '#contract/contacts/rules';
import {
  exportTargets,
  fieldTitles,
  listCell,
  splitList,
  suggestMapping,
} from '#contract/contacts/importing/rules';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { csvLine, guardFormula } from './csv-cells.ts';
import { csvRows, unguardFormula } from './read-csv.ts';
import { rowReader } from './parse-row.ts';

/** Exported contacts are imported again unchanged. */
const app = await createTestApp();
let owner: TestPerson;
let company: { id: number };
beforeAll(async () => {
  ({ company, owner } = await app.createCompany());
  for (const [name, type] of [
    ['About', 'stringText'],
    ['Size', 'number'],
    ['Member', 'boolean'],
  ] as const)
    await app.as(owner).request(fieldsContract.createField, {
      params: { type: 'contact' },
      body: { name, key: name.toLowerCase(), type, companyId: company.id },
    });
});

/**
 * Anything that a text field may contain: quotes, separators, formulas, line breaks, letters of all
 * scripts.
 */
const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '"',
        ',',
        ';',
        '|',
        '\\',
        "'",
        '=',
        '+',
        '-',
        '@',
        '\n',
        '\t',
        ' ',
        '＝',
        'é',
        '漢',
        '😀',
        '\uFEFF',
      ),
      fc.string({ maxLength: 4, unit: 'grapheme' }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join('').replaceAll('\u0000', '').trim());
const text = (most: number) =>
  anyText.map((t) =>
    t
      .slice(0, most)
      .trim()
      .replace(/[\uD800-\uDFFF]$/, ''),
  );

test('a cell is never a formula in a spreadsheet and is restored by an import', () => {
  fc.assert(
    fc.property(anyText, (cell) => {
      const written = guardFormula(cell);
      expect(/^[=\-@\t\r]/.test(written) || /^\+(?!\d{5,15}$)/.test(written)).toBe(false);
      expect(unguardFormula(written)).toBe(cell);
    }),
  );
});
test('cells survive being written to a file and read again', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(anyText, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 6 }),
      async (rows) => {
        const head = ['a', 'b', 'c'];
        const back: string[][] = [];
        for await (const { cells } of csvRows(
          Buffer.from(`\uFEFF${[head, ...rows].map(csvLine).join('')}`),
          'utf-8',
        ))
          back.push(cells);
        expect(back.filter((r) => r.some((c) => c !== ''))).toEqual(
          [head, ...rows.filter((r) => r.some((c) => c !== ''))].map((r) =>
            r.map((c) => c.replace(/\r\n?/g, '\n')),
          ),
        );
      },
    ),
    { seed: 20261121 },
  );
});
test('names with separators survive being listed in one cell', () => {
  fc.assert(
    fc.property(
      fc.array(
        anyText.filter((n) => n !== ''),
        { maxLength: 5 },
      ),
      (names) => {
        expect(splitList(listCell(names))).toEqual(names);
      },
    ),
  );
});
test('an import recognizes every column of an export, including custom fields of any name', () => {
  const fields = [
    { key: 'shoe_size', name: 'Shoe size' },
    { key: 'city', name: 'City' },
    { key: 'notes_2', name: 'Notes!' },
    { key: 'a', name: 'Deal' },
    { key: 'b', name: 'deal' },
    { key: 'problem', name: 'Problem' },
  ];
  const heads = fieldTitles(fields);
  expect(
    suggestMapping(
      [...exportTargets.map((t) => t.title as string), ...fields.map((f) => heads.get(f.key)!)],
      fields,
    ),
  ).toEqual([...exportTargets.map((t) => t.key as string), ...fields.map((f) => `field:${f.key}`)]);
});
test('the column titles of earlier exports are still recognized', () => {
  expect(
    suggestMapping([
      'Name',
      'Number',
      'E-mail',
      'How they agreed to texts',
      'Where they agreed',
      'More e-mails',
    ]),
  ).toEqual(['name', 'number', 'email', 'optinType', 'optinSource', 'secondaryEmails']);
});

test('imports and the API accept the same email addresses', () => {
  const api = (address: string) =>
    contract.operations.updateContact.body.safeParse({ email: address }).success;
  fc.assert(
    fc.property(
      fc.oneof(
        fc.emailAddress(),
        anyText.map((n) => `${n}@example.com`),
        anyText,
      ),
      (address) => {
        if (address !== '' && address.length <= 254)
          expect(emailPattern.test(address)).toBe(api(address));
      },
    ),
  );
});
test('numbers are recognized in the ways people write them', () => {
  const read = rowReader(['name', 'number', 'mobile'], ['name', 'number', 'number']);
  for (const written of [
    '(212) 555-0147',
    '212.555.0147',
    '+1 212 555 0147',
    'tel: 212-555-0147',
    '2125550147 x12',
    '212-555-0147 ext. 4',
    '12125550147.0',
    'n/a; 212-555-0147',
  ])
    expect([written, read(2, ['Ada', written, '']).number]).toEqual([written, '+12125550147']);
  expect(read(2, ['Ada', 'none', '212-555-0147']).number).toBe('+12125550147');
  expect([read(2, ['Ada', '', '']).reason, read(2, ['Ada', '12', '']).reason]).toEqual([
    'no_number',
    'invalid_number',
  ]);
});
test('the name comes from the first name column with a value, else from first and last name', () => {
  const headers = ['Customer name', 'Last', 'Contact', 'Full Name', 'First', 'Phone'];
  const read = rowReader(headers, suggestMapping(headers));
  expect(read(2, ['customer', 'last', 'contact', 'full', 'first', '1']).values.name).toBe('full');
  expect(read(2, ['customer', 'last', 'contact', '', 'first', '1']).values.name).toBe('contact');
  expect(read(2, ['', 'Reed', '', '', 'Dana', '1']).values.name).toBe('Dana Reed');
});

const person = fc.record({
  name: text(100),
  email: fc.option(
    fc.emailAddress().filter((e) => e.length < 200 && emailPattern.test(e)),
    { nil: '' },
  ),
  companyName: text(100),
  title: text(100),
  address1: text(100),
  address2: text(100),
  city: text(60),
  state: text(40),
  zip: text(15),
  country: text(30),
  notes: text(300),
  gender: fc.constantFrom(null, ...genders),
  ageRange: fc.constantFrom(null, ...ageRanges),
  type: fc.constantFrom(...contactTypes),
  optinType: fc.constantFrom(null, ...optinTypes),
  optinSource: text(100),
  alternativeNames: fc.array(
    text(50).filter((n) => n !== ''),
    { maxLength: 3 },
  ),
  eavAttributeValues: fc.tuple(text(100), fc.integer(), fc.boolean()).map(([words, size, member]) =>
    [
      { key: 'about', value: words },
      { key: 'size', value: size },
      { key: 'member', value: member },
    ].filter((v) => v.value !== ''),
  ),
});

test.each(['csv', 'xlsx'] as const)(
  'contacts exported as %s and imported again are unchanged',
  async (format) => {
    const people = fc.sample(person, { numRuns: 40, seed: format === 'csv' ? 20261121 : 20261122 });
    for (const [i, one] of people.entries()) {
      const made = await app.as(owner).request(contract.createContact, {
        body: {
          ...one,
          companyId: company.id,
          number: `+1${format === 'csv' ? 212 : 646}555${String(1000 + i)}`,
        },
      } as never);
      expect(made.status, JSON.stringify([made.body, one])).toBe(201);
    }
    const all = async () =>
      (
        await app.services.db.pool.query(
          'select * from contact where company_id = $1 and deleted_at is null order by id',
          [company.id],
        )
      ).rows;
    const before = await all();
    const begun = await app.as(owner).request(importing.exportContacts, {
      params: { companyId: company.id },
      body: { all: true, format },
    });
    await app.drainJobs();
    const done = (
      await app.as(owner).request(importing.contactsProgress, {
        params: { companyId: company.id, batchId: begun.body.data.batchId },
      })
    ).body.data;
    expect(done).toMatchObject({ progress: 100, processed: before.length });
    const file = await app.server.inject({
      method: 'GET',
      url: done.resultUrl!,
      headers: { authorization: `Bearer ${owner.token}` },
    });
    const payload = Buffer.concat([
      Buffer.from(
        '--line\r\nContent-Disposition: form-data; name="file"; filename="again"\r\nContent-Type: text/csv\r\n\r\n',
      ),
      file.rawPayload,
      Buffer.from('\r\n--line--\r\n'),
    ]);
    const read = (await app.as(owner).inject({
      method: 'POST',
      url: `/api/companies/${company.id}/contacts/imports`,
      payload,
      headers: { 'content-type': 'multipart/form-data; boundary=line' },
    })) as { body: { data: { id: number; mapping: unknown[] } } };
    expect(read.body.data.mapping).not.toContain(null);
    await app.as(owner).request(importing.startContactImport, {
      params: { companyId: company.id, importId: read.body.data.id },
      body: {},
    });
    await app.drainJobs();
    const after = (
      await app.as(owner).request(importing.getContactImport, {
        params: { companyId: company.id, importId: read.body.data.id },
      })
    ).body.data;
    expect(after).toMatchObject({
      state: 'finished',
      unchanged: before.length,
      updated: 0,
      created: 0,
      skipped: 0,
      noted: 0,
    });
    expect(await all()).toEqual(before);
  },
  180_000,
);
