import { writeXlsx } from 'hucre/xlsx';
import { expect, test } from 'vitest';
import {
  contacts as contactsContract,
  fields as fieldsContract,
  groups as groupsContract,
  importing as contract,
} from '#contract';
import { importHelpers } from '../../../../test/support/contact-imports.ts';
import { createTestApp } from '../../../../test/support/test-app.ts';
import { optIn, optOut } from '../../compliance/index.ts';
import { findOrCreateContact } from '../index.ts';

const app = await createTestApp();
const { inCompany, upload, get, check, start, listAll, importFile, undo, readCsv, findContact } =
  importHelpers(app);
const spec =
  'It seems there are some issues with your file. Please ensure that your CSV/XLSX file includes valid columns for "name" and "number". These are required for successful contact import.';

test('a check maps the columns and reports the outcome of each row without writing anything', async () => {
  const { company, owner } = await app.createCompany();
  await inCompany(company.id, (t) => findOrCreateContact(t, '+12125550101', { name: 'Old Ada' }));
  const {
    status,
    body: { data },
  } = await upload(
    owner,
    'Customer Name,Cell,E-mail,Tags,Shoe size\nAda,(212) 555-0101,ada@example.com,VIP,38\nBo,212-555-0102,nonsense,,44\nCy,12,,,\nDi,,,,\nBo again,+1 212 555 0102,,,\n',
  );
  expect(status).toBe(201);
  expect(data).toMatchObject({
    state: 'uploaded',
    format: 'csv',
    rows: 5,
    headers: ['Customer Name', 'Cell', 'E-mail', 'Tags', 'Shoe size'],
    mapping: ['name', 'number', 'email', 'labels', null],
    mappingFrom: 'guessed',
    sample: expect.arrayContaining([
      { row: 2, cells: ['Ada', '(212) 555-0101', 'ada@example.com', 'VIP', '38'] },
    ]),
  });
  const dry = (await check(owner, data.id)).body.data;
  expect(dry).toMatchObject({
    rows: 5,
    created: 1,
    updated: 1,
    unchanged: 0,
    skipped: 3,
    noted: 1,
    skippedBy: { invalid_number: 1, no_number: 1, duplicate_in_file: 1 },
    newLabels: ['VIP'],
  });
  expect(dry.problems.map((p) => [p.row, p.reason, p.problem])).toEqual([
    [3, null, 'Email was skipped: “nonsense” isn’t an email address.'],
    [4, 'invalid_number', 'This isn’t a phone number that can be called.'],
    [5, 'no_number', 'This row has no phone number.'],
    [6, 'duplicate_in_file', 'This number is already in row 3.'],
  ]);
  expect(dry.examples.find((e) => e.outcome === 'updated')!.changes).toEqual(
    expect.arrayContaining([{ field: 'name', before: 'Old Ada', after: 'Ada' }]),
  );
  expect((await readCsv(dry.mistakesUrl)).map((r) => r.at(-1))).toEqual([
    'Problem',
    ...dry.problems.map((p) => p.problem),
  ]);
  expect((await listAll(owner)).map((c) => c.name)).toEqual(['Old Ada']);
});

test('the import does what the check reported, and a row that fails stops no other', async () => {
  const { company, owner } = await app.createCompany();
  await inCompany(company.id, (t) => findOrCreateContact(t, '+12125550111', { name: 'Old Ada' }));
  const done = await importFile(
    owner,
    'First name,Last name,Phone,City,Groups,Labels\nAda,King,2125550111,Boston,Regulars|VIP,Blue\nBo,Reed,2125550112,,regulars,\nCy,Doe,nope,,,\n',
    { options: { newGroup: 'From the fair' } },
  );
  expect(done).toMatchObject({
    state: 'finished',
    processed: 3,
    created: 1,
    updated: 1,
    skipped: 1,
    skippedBy: { invalid_number: 1 },
  });
  expect(await findContact(owner, '+12125550111')).toMatchObject({
    name: 'Ada King',
    city: 'Boston',
    source: 'Manual',
    groups: expect.arrayContaining([
      expect.objectContaining({ name: 'Regulars' }),
      expect.objectContaining({ name: 'VIP' }),
      expect.objectContaining({ name: 'From the fair' }),
    ]),
    labels: [expect.objectContaining({ label: 'Blue' })],
  });
  expect(await findContact(owner, '+12125550112')).toMatchObject({
    name: 'Bo Reed',
    source: 'Import',
  });
  const groups = (await app.as(owner).request(groupsContract.listGroups)).body.data;
  expect(
    Object.fromEntries(groups.filter((g) => !g.system).map((g) => [g.name, g.contactCount])),
  ).toEqual({ 'From the fair': 2, Regulars: 2, VIP: 1 });
  expect((await readCsv(done.resultUrl)).map((r) => r.slice(0, 4))).toEqual([
    ['Row', 'Outcome', 'Problem', 'First name'],
    ['2', 'updated', '', 'Ada'],
    ['3', 'created', '', 'Bo'],
    ['4', 'skipped', 'This isn’t a phone number that can be called.', 'Cy'],
  ]);
  // The file of rows to correct is imported with the remembered mapping, and its problem column is
  // ignored. Rows that are already imported change nothing.
  const corrected = (await readCsv(done.mistakesUrl)).map((r, i) =>
    i ? r.map((c) => c.replace('nope', '2125550113')) : r,
  );
  const again = await upload(owner, corrected.map((r) => r.join(',')).join('\n'));
  expect(again.body.data).toMatchObject({
    mappingFrom: 'remembered',
    mapping: ['firstName', 'lastName', 'number', 'city', 'groups', 'labels', null],
  });
  expect((await importFile(owner, corrected.map((r) => r.join(',')).join('\n'))).created).toBe(1);
  expect(
    await importFile(owner, 'First name,Last name,Phone\nAda,King,2125550111\n'),
  ).toMatchObject({
    unchanged: 1,
    updated: 0,
  });
  const batch = (
    await app.as(owner).request(contract.contactsProgress, {
      params: { companyId: company.id, batchId: done.batchId! },
    })
  ).body.data;
  expect(batch).toMatchObject({
    progress: 100,
    total: 3,
    processed: 3,
    failed: 1,
    errors: [{ row: 4, field: 'number' }],
    resultUrl: expect.stringContaining('/api/files/'),
  });
});

test('existing contacts can be kept unchanged; an empty cell never clears a value', async () => {
  const { company, owner } = await app.createCompany();
  await inCompany(company.id, (t) => findOrCreateContact(t, '+12125550121', { name: 'Ada' }));
  expect(
    await importFile(owner, 'name,number\nEve,2125550121\n', { options: { existing: 'skip' } }),
  ).toMatchObject({ skipped: 1, skippedBy: { exists: 1 }, mistakesUrl: null });
  await importFile(owner, 'name,number,email\n,2125550121,ada@example.com\n');
  expect(await findContact(owner, '+12125550121')).toMatchObject({
    name: 'Ada',
    email: 'ada@example.com',
  });
  await importFile(owner, 'name,number,email\nAda K,2125550121,\n');
  expect(await findContact(owner, '+12125550121')).toMatchObject({
    name: 'Ada K',
    email: 'ada@example.com',
  });
});

test('opt-outs are never lost: neither existing ones nor those in the file', async () => {
  const { company, owner } = await app.createCompany();
  await inCompany(company.id, (t) =>
    optOut(t, { number: '+12125550131', source: 'keyword', numberId: null, proof: 'STOP' }),
  );
  expect(
    (
      await check(
        owner,
        (await upload(owner, 'name,number,unsubscribed\nAda,2125550131,no\n')).body.data.id,
      )
    ).body.data.optedOut,
  ).toBe(1);
  await importFile(
    owner,
    'name,number,unsubscribed\nAda,2125550131,no\nBo,2125550132,yes\nCy,2125550133,\n',
  );
  expect((await listAll(owner)).map((c) => [c.name, c.isUnsubscribed])).toEqual([
    ['Ada', true],
    ['Bo', true],
    ['Cy', false],
  ]);
  const ledger = async () =>
    (
      await app.services.db.pool.query(
        'select number, source from opt_out where company_id = $1 order by number',
        [company.id],
      )
    ).rows;
  expect(await ledger()).toEqual([
    { number: '+12125550131', source: 'keyword' },
    { number: '+12125550132', source: 'import' },
  ]);
  // Undoing the import keeps the opt-out, and a later START still opts in.
  const last = await importFile(owner, 'name,number,unsubscribed\nDi,2125550134,opted out\n');
  await undo(owner, last.id);
  expect((await ledger()).map((o) => o.number)).toContain('+12125550134');
  await inCompany(company.id, (t) =>
    optIn(t, { number: '+12125550131', source: 'keyword', numberId: null, proof: 'START' }),
  );
  await app.drainJobs();
  expect((await findContact(owner, '+12125550131'))!.isUnsubscribed).toBe(false);
});

test('blocked numbers are not imported, exceptions are', async () => {
  const { company, owner } = await app.createCompany();
  await app.services.db.pool.query(
    `insert into block (company_id, target, action) values ($1, '+12125550141', 1), ($1, '+1646*', 1), ($1, '+16465550142', 0)`,
    [company.id],
  );
  expect(
    await importFile(
      owner,
      'name,number\nAda,2125550141\nBo,6465550142\nCy,6465550143\nDi,2125550144\n',
    ),
  ).toMatchObject({ created: 2, skippedBy: { blocked: 2 } });
});

test('undo reverts the import’s changes, but not what was changed since', async () => {
  const { company, owner } = await app.createCompany();
  await importFile(
    owner,
    'name,number,city,groups\nAda,2125550151,Boston,Old\nBo,2125550152,Boston,Old\n',
  );
  const done = await importFile(
    owner,
    'name,number,city,groups,type\nAda K,2125550151,Austin,New,Business\nBo,2125550152,Austin,,\nCy,2125550153,,New,\nDi,2125550154,,,\nEd,2125550155,,,\n',
  );
  expect(done).toMatchObject({ created: 3, updated: 2, canUndoUntil: expect.any(String) });
  const [bo, di] = [
    await findContact(owner, '+12125550152'),
    await findContact(owner, '+12125550154'),
  ];
  app.clock.advance(60);
  await app.as(owner).request(contactsContract.updateContact, {
    params: { contactId: bo!.id },
    body: { city: 'Chicago' },
  });
  await app.as(owner).request(contactsContract.updateContact, {
    params: { contactId: di!.id },
    body: { notes: 'Met at the fair' },
  });
  await app.services.db.pool.query(
    `insert into number (company_id, id, number) values ($1, 4711, '+14155552399') on conflict do nothing`,
    [company.id],
  );
  await app.services.db.pool.query(
    `insert into conversation (company_id, number_id, party, created_at, last_activity_at) values ($1, 4711, '+12125550155', now(), now())`,
    [company.id],
  );
  expect((await undo(owner, done.id)).status).toBe(202);
  expect(await get(owner, done.id)).toMatchObject({
    state: 'undone',
    undone: { removed: 1, restored: 2, kept: 2 },
  });
  expect(
    (await listAll(owner)).map((c) => [c.name, c.city, c.type, c.groups.map((g) => g.name)]),
  ).toEqual([
    ['Ada', 'Boston', 'Person', ['Old']],
    ['Bo', 'Chicago', 'Person', ['Old']],
    ['Di', '', 'Person', []],
    ['Ed', '', 'Person', []],
  ]);
  expect((await undo(owner, done.id)).status).toBe(409);
  const late = await importFile(owner, 'name,number\nFy,2125550156\n');
  app.clock.advance(25 * 3600);
  expect((await undo(owner, late.id)).body).toMatchObject({ code: 'import.cannot_undo' });
});

test('files without contacts are rejected with the sentence of the specification', async () => {
  const { owner } = await app.createCompany();
  const wrong = await upload(owner, '%PDF-1.7 x', 'people.csv');
  expect([wrong.status, wrong.body.message, wrong.body.errors[0]]).toEqual([
    422,
    spec,
    expect.objectContaining({ title: spec, detail: 'This is a PDF.' }),
  ]);
  const odd = (await upload(owner, 'colour,size\nred,3\n')).body.data;
  expect((await check(owner, odd.id)).body).toMatchObject({
    message: spec,
    code: 'import.no_columns',
  });
  expect((await start(owner, odd.id)).body).toMatchObject({ message: spec });
  expect((await start(owner, odd.id, { mapping: ['name', 'number'] })).status).toBe(202);
  expect((await start(owner, odd.id, { mapping: ['name', 'number'] })).body).toMatchObject({
    code: 'import.begun',
  });
  expect((await upload(owner, `name,number\n${'a,1\n'.repeat(100_001)}`)).body).toMatchObject({
    code: 'import.too_many_rows',
  });
  const other = await app.createCompany();
  expect([
    (await check(other.owner, odd.id)).status,
    (
      await app.as(owner).request(contract.getContactImport, {
        params: { companyId: other.company.id, importId: odd.id },
      })
    ).status,
  ]).toEqual([404, 404]);
  expect(
    (await upload(await app.createPerson(owner.companyId, 'user'), 'name,number\nAda,2125550100\n'))
      .status,
  ).toBe(403);
});

test('a workbook is imported like a text file', async () => {
  const { owner } = await app.createCompany();
  const bytes = Buffer.from(
    await writeXlsx({
      sheets: [
        {
          name: 'People',
          rows: [
            ['Name', 'Phone', 'Zip'],
            ['Łukasz', 12125550161, '01234'],
            ['Bo', '+12125550162', 90210],
          ],
        },
      ],
    }),
  );
  expect(await importFile(owner, bytes, {}, 'people.xlsx')).toMatchObject({
    format: 'xlsx',
    created: 2,
  });
  expect((await listAll(owner)).map((c) => [c.name, c.number, c.zip])).toEqual([
    ['Bo', '+12125550162', '90210'],
    ['Łukasz', '+12125550161', '01234'],
  ]);
});

test('custom fields are mapped by name, and US dates are read', async () => {
  const { company, owner } = await app.createCompany();
  for (const [name, type] of [
    ['Next visit', 'date'],
    ['Lifetime value', 'number'],
  ] as const)
    await app.as(owner).request(fieldsContract.createField, {
      params: { type: 'contact' },
      body: { name, type, companyId: company.id },
    });
  const {
    body: { data },
  } = await upload(
    owner,
    'name,number,Next visit,Lifetime value\nAda,2125550151,7/4/2026,12\nBo,2125550152,someday,a lot\n',
  );
  const dry = (await check(owner, data.id)).body.data;
  expect(dry.problems.map((p) => p.problem)).toEqual([
    'Next visit was skipped: Enter a date as YYYY-MM-DD. Lifetime value was skipped: Enter a number with at most 15 digits.',
  ]);
  expect(dry.examples[0]!.changes).toEqual([
    { field: 'Next visit', before: '', after: '2026-07-04' },
    { field: 'Lifetime value', before: '', after: '12' },
  ]);
});

test('an apostrophe before digits is ignored; an unclosed quote affects only its row, which reports it', async () => {
  const { company, owner } = await app.createCompany();
  await app.as(owner).request(fieldsContract.createField, {
    params: { type: 'contact' },
    body: { companyId: company.id, name: 'Second phone', type: 'phone' },
  });
  const done = await importFile(
    owner,
    "name,number,zip,notes,Second phone\nAda,'2125550131,'02134,'70s were great,'2125550139\n\"Bo,2125550132,,,\nCy,2125550133,,,\n\"Di\nEd,2125550135,,,\n",
  );
  expect(done).toMatchObject({ state: 'finished', created: 4, skipped: 1, noted: 1 });
  expect(await findContact(owner, '+12125550131')).toMatchObject({
    name: 'Ada',
    zip: '02134',
    notes: "'70s were great",
    eavAttributeValues: [expect.objectContaining({ value: '+12125550139' })],
  });
  expect((await listAll(owner)).map((c) => c.name)).toEqual(['Ada', 'Bo', 'Cy', 'Ed']);
  const open = 'A quote (") in this row is never closed. The row was read as is.';
  expect((await readCsv(done.resultUrl)).map((r) => r.slice(0, 3))).toEqual([
    ['Row', 'Outcome', 'Problem'],
    ['2', 'created', ''],
    ['3', 'created', open],
    ['4', 'created', ''],
    ['5', 'skipped', `This row has no phone number. ${open}`],
    ['6', 'created', ''],
  ]);
});
