import { inflateSync } from 'node:zlib';
import { PDFDocument, PDFRawStream } from 'pdf-lib';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { normalizePhone, numbers, porting as contract, type Answer } from '#contract';
import { createTestApp, type TestPerson } from '../../../test/support/test-app.ts';
import { advancePort } from '../../adapters/sandbox/porting-jobs.ts';
import { noFaults, setFaults } from '../../adapters/sandbox/fault-injection.ts';
import { systemCtx } from '../../platform/context.ts';
import type { PortReport } from '../../gateways/porting.ts';
import { checkPortStatus } from './apply-port-report.ts';
import { receivePorts } from './inbound.ts';
import { submitToCarrier } from './submit-port.ts';

const app = await createTestApp();
let next = 100;
const aNumber = () => `+1212555${String(++next).padStart(4, '0')}`;
type Port = Answer<typeof contract.getPort>['data'];

const details = {
  losing_carrier: 'Old Bell',
  account_number: '884217',
  pin: '4321',
  billing_telephone_number: '(212) 555-2368',
  customer_type: 'business' as const,
  entity_name: 'Harbor Dental LLC',
  authorized_first_name: 'Olive',
  authorized_last_name: 'Owner',
  authorized_email: 'olive@harbor.test',
  authorized_phone: '212 555 0147',
  service_address: {
    line1: '1 Water Street',
    city: 'New York',
    state: 'NY',
    zip: '10004',
    country: 'US' as const,
  },
};
const pdf = Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF');
const today = () =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(app.clock.value);
const dayAgo = (n: number) =>
  new Date(Date.parse(`${today()}T00:00:00Z`) - n * 86_400_000).toISOString().slice(0, 10);

const upload = async (
  person: TestPerson,
  id: number,
  fields: Record<string, string>,
  bytes: Buffer = pdf,
  name = 'bill.pdf',
) => {
  const boundary = 'a-boundary-of-this-test';
  const parts = [
    ...Object.entries(fields).map(([key, value]) =>
      Buffer.from(
        `--${boundary}\r\ncontent-disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`,
      ),
    ),
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: application/pdf\r\n\r\n`,
    ),
    bytes,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ];
  return app.as(person).inject({
    method: 'POST',
    url: `/api/company/${person.companyId}/ports/${id}/documents`,
    payload: Buffer.concat(parts),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  });
};
const make = async (person: TestPerson, more: Record<string, unknown> = {}): Promise<Port> => {
  const made = await app.as(person).request(contract.createPort, {
    params: { companyId: person.companyId },
    body: { numbers: [aNumber()], ...details, ...more },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.data;
};
const sign = async (person: TestPerson, id: number, more: Record<string, unknown> = {}) => {
  const letter = await app
    .as(person)
    .request(contract.portLetter, { params: { companyId: person.companyId, id } });
  return app.as(person).request(contract.signPortLetter, {
    params: { companyId: person.companyId, id },
    body: { name: 'Olive Owner', hash: letter.body.data.hash, agree: true, ...more },
  });
};
/** A request with nothing missing. */
const complete = async (person: TestPerson, more: Record<string, unknown> = {}): Promise<Port> => {
  const port = await make(person, more);
  await app.as(person).request(contract.savePort, {
    params: { companyId: person.companyId, id: port.id },
    body: { requested_date: port.earliest_date },
  });
  await upload(person, port.id, { kind: 'bill', bill_date: dayAgo(10) });
  const signed = await sign(person, port.id);
  expect(signed.body.data?.needs, JSON.stringify(signed.body)).toEqual({});
  return signed.body.data;
};
const get = async (person: TestPerson, id: number): Promise<Port> =>
  (await app.as(person).request(contract.getPort, { params: { companyId: person.companyId, id } }))
    .body.data;
const submit = (person: TestPerson, id: number) =>
  app
    .as(person)
    .request(contract.submitPort, { params: { companyId: person.companyId, id }, body: {} });
/** The losing carrier takes its next step now instead of in a minute. */
const advance = async (person: TestPerson, id: number): Promise<Port> => {
  await app.drainJobs();
  await advancePort(app.services, (await get(person, id)).carrier_ref!, null);
  await app.drainJobs();
  return get(person, id);
};
const mails = (to: string) => app.mails(to);
afterAll(() => void setFaults(noFaults));
/** The words of a letter: each line is one hexadecimal string of the page's stream. */
const textIn = (pdf: PDFDocument): string =>
  pdf.context
    .enumerateIndirectObjects()
    .flatMap(([, object]) =>
      object instanceof PDFRawStream ? [inflated(object.getContents())] : [],
    )
    .join('')
    .replace(/<([0-9A-Fa-f]+)>/g, (_, hex: string) => Buffer.from(hex, 'hex').toString('latin1'));
const inflated = (bytes: Uint8Array): string => {
  try {
    return inflateSync(bytes).toString('latin1');
  } catch {
    return '';
  }
};

describe('drafts', () => {
  test('a draft keeps what it is given, says what is missing, and is found in the list and the figures', async () => {
    const { company, owner } = await app.createCompany();
    const made = await app.as(owner).request(contract.createPort, {
      params: { companyId: owner.companyId },
      body: { numbers: ['(212) 555-8801', '+12125558801'] },
    });
    expect(made.body.data).toMatchObject({
      status: 'pending',
      numbers: [{ number: '+12125558801', type: 1, portable: true }],
    });
    expect(Object.keys(made.body.data.needs)).toEqual(
      expect.arrayContaining([
        'account_number',
        'entity_name',
        'requested_date',
        'documents',
        'loa',
      ]),
    );
    const saved = await app.as(owner).request(contract.savePort, {
      params: { companyId: owner.companyId, id: made.body.data.id },
      body: { account_number: '4711', service_address: { city: 'Albany' } },
    });
    expect(saved.body.data).toMatchObject({
      account_number: '4711',
      service_address: { city: 'Albany', country: 'US' },
    });
    const list = await app.as(owner).request(contract.listPorts, {
      params: { companyId: owner.companyId },
      query: { search: '8801', status: ['pending'] },
    });
    expect(list.body).toMatchObject({
      data: [{ id: made.body.data.id, numbers_count: 1 }],
      meta: { total: 1 },
    });
    expect(
      (await app.as(owner).request(contract.portStats, { params: { companyId: owner.companyId } }))
        .body.data,
    ).toEqual({ pending: 1, documentsRequested: 0, inProgress: 0, completed30d: 0, rejected: 0 });
    expect((await submit(owner, made.body.data.id)).status).toBe(422);
    expect(company.id).toBe(owner.companyId);
  });
  test('types are not mixed, a number is in one open request only, and one that cannot be moved says why', async () => {
    const { owner } = await app.createCompany();
    const mixed = await app.as(owner).request(contract.createPort, {
      params: { companyId: owner.companyId },
      body: { numbers: ['+12125558810', '+18005558810'] },
    });
    expect(mixed.body).toMatchObject({ status: 422, code: 'port.mixed_types' });
    const canadian = await make(owner, { numbers: ['+14165558811'] });
    expect(canadian.numbers[0]).toMatchObject({ type: 3 });
    const twice = await app.as(owner).request(contract.createPort, {
      params: { companyId: owner.companyId },
      body: { numbers: ['+14165558811'] },
    });
    expect(twice.body).toMatchObject({
      status: 409,
      message: '(416) 555-8811 is in another port request. Continue that request.',
    });
    const checked = await app.as(owner).request(contract.checkPortability, {
      params: { companyId: owner.companyId },
      body: { numbers: ['+12125558899', '+12125558812'] },
    });
    expect(checked.body.data.numbers.map((n) => [n.portable, n.sentence])).toEqual([
      [false, '(212) 555-8899 cannot be moved: its current carrier doesn’t release it.'],
      [true, null],
    ]);
    const stuck = await make(owner, { numbers: ['+12125558899'] });
    expect(stuck.needs['numbers']).toMatch(/cannot be moved/);
    const several = await app.as(owner).request(contract.createPort, {
      params: { companyId: owner.companyId },
      body: { numbers: ['+12125557799', '+12125558813', '+12125556699'] },
    });
    expect([several.status, several.body.data.needs['numbers']]).toEqual([
      201,
      '(212) 555-7799 cannot be moved: its current carrier doesn’t release it. (212) 555-6699 cannot be moved: its current carrier doesn’t release it.',
    ]);
    expect(several.body.data.numbers.map((n) => [n.portable, n.reason])).toEqual([
      [false, 'its current carrier doesn’t release it'],
      [true, null],
      [false, 'its current carrier doesn’t release it'],
    ]);
    expect((await submit(owner, stuck.id)).body).toMatchObject({
      code: 'port.not_portable',
      message: '(212) 555-8899 cannot be moved: its current carrier doesn’t release it.',
    });
  });
  test('a number that its carrier releases after all is looked at again when the draft is saved, and when it is submitted', async () => {
    const { owner } = await app.createCompany();
    const port = await complete(owner);
    const said = async (portable: boolean) => {
      await sql`update port_number set portable = ${portable}, reason = ${portable ? null : 'it is frozen'} where port_id = ${port.id}`.execute(
        app.services.db.unscoped,
      );
    };
    const save = async () =>
      (
        await app.as(owner).request(contract.savePort, {
          params: { companyId: owner.companyId, id: port.id },
          body: { numbers: [port.numbers[0]!.number] },
        })
      ).body.data;
    await said(false);
    expect((await get(owner, port.id)).needs).toEqual({
      numbers: `${port.numbers[0]!.formatted} cannot be moved: it is frozen.`,
    });
    expect(await save()).toMatchObject({
      needs: {},
      numbers: [{ portable: true, reason: null }],
      loa: { state: 'signed' },
    });
    await said(false);
    expect((await submit(owner, port.id)).body.data).toMatchObject({
      status: 'submitted',
      numbers: [{ portable: true, reason: null }],
    });
    await app.drainJobs();
  });
  test('account number and PIN are told to those who may edit, and the PIN is sealed where it lies', async () => {
    const { company, owner } = await app.createCompany();
    const user = await app.createPerson(company.id, 'user');
    const port = await make(owner);
    expect(port).toMatchObject({ account_number: '884217', pin: '4321' });
    expect(await get(user, port.id)).toMatchObject({ account_number: '••••4217', pin: '••••' });
    const { rows } = await sql<{
      pin_sealed: string;
    }>`select pin_sealed from port_request where id = ${port.id}`.execute(app.services.db.unscoped);
    expect(rows[0]!.pin_sealed).not.toContain('4321');
    expect(
      (
        await app.as(user).request(contract.savePort, {
          params: { companyId: user.companyId, id: port.id },
          body: { pin: '1' },
        })
      ).status,
    ).toBe(403);
  });
});

describe('documents', () => {
  test('only PDF, JPEG and PNG by their bytes, at most 3 MB, and a bill of the last 30 days', async () => {
    const { owner } = await app.createCompany();
    const { id } = await make(owner);
    expect(
      (
        await upload(
          owner,
          id,
          { kind: 'bill', bill_date: dayAgo(1) },
          Buffer.from('MZ this is a program'),
          'bill.pdf',
        )
      ).body.errors,
    ).toEqual({ file: ['Use a PDF, JPEG or PNG file.'] });
    expect(
      (
        await upload(
          owner,
          id,
          { kind: 'bill', bill_date: dayAgo(1) },
          Buffer.concat([pdf, Buffer.alloc(3 * 1024 * 1024)]),
        )
      ).body.errors,
    ).toEqual({ file: ['A document can have up to 3 MB.'] });
    expect((await upload(owner, id, { kind: 'bill', bill_date: dayAgo(31) })).body.errors).toEqual({
      bill_date: ['The bill is more than 30 days old. Add a newer one.'],
    });
    expect((await upload(owner, id, { kind: 'bill' })).body.errors).toEqual({
      bill_date: ['Enter the date of the bill.'],
    });
    const added = await upload(owner, id, { kind: 'bill', bill_date: dayAgo(30) });
    expect(added).toMatchObject({
      status: 201,
      body: {
        data: { documents: [{ kind: 'bill', mime: 'application/pdf', bill_date: dayAgo(30) }] },
      },
    });
    const fetched = await app
      .as(null)
      .inject({ method: 'GET', url: added.body.data.documents[0].url });
    expect(fetched.status).toBe(200);
    const removed = await app.as(owner).request(contract.removePortDocument, {
      params: { companyId: owner.companyId, id, documentId: added.body.data.documents[0].id },
    });
    expect(removed.body.data.documents).toEqual([]);
  });
});

describe('the letter of authorization', () => {
  test('what was read is what is signed: a PDF of the request, kept with name, time, address and the hash of its text', async () => {
    const { owner } = await app.createCompany();
    const port = await complete(owner, { entity_name: 'Žofie & Søn – Büro' });
    expect(port.loa).toMatchObject({
      state: 'signed',
      signed_by: 'Olive Owner',
      file: expect.stringContaining('/api/files/'),
    });
    const file = await app.server.inject({ method: 'GET', url: port.loa.file! });
    expect(file.headers['content-type']).toBe('application/pdf');
    expect((await PDFDocument.load(file.rawPayload)).getTitle()).toBe('Letter of authorization');
    const { rows } = await sql<{
      loa_signature: { ip: string; how: string; hash: string };
      loa_text: string;
      loa_hash: string;
    }>`select loa_signature, loa_text, loa_hash from port_request where id = ${port.id}`.execute(
      app.services.db.unscoped,
    );
    expect(rows[0]).toMatchObject({
      loa_signature: { how: 'typed', ip: '127.0.0.1', hash: rows[0]!.loa_hash },
    });
    for (const fact of [
      port.numbers[0]!.formatted,
      'Old Bell',
      '884217',
      '1 Water Street',
      'Žofie & Søn',
    ])
      expect(rows[0]!.loa_text).toContain(fact);
  });
  test('a change to what it says makes the signature void; a change to anything else does not', async () => {
    const { owner } = await app.createCompany();
    const port = await complete(owner);
    expect(
      (
        await app.as(owner).request(contract.savePort, {
          params: { companyId: owner.companyId, id: port.id },
          body: { pin: '9999' },
        })
      ).body.data.loa.state,
    ).toBe('signed');
    const changed = await app.as(owner).request(contract.savePort, {
      params: { companyId: owner.companyId, id: port.id },
      body: { account_number: '5' },
    });
    expect(changed.body.data).toMatchObject({
      loa: { state: 'unsigned', file: null },
      needs: { loa: 'Sign the letter of authorization.' },
    });
    const stale = await sign(owner, port.id, { hash: '0'.repeat(64) });
    expect(stale.body).toMatchObject({ status: 409, code: 'port.letter_changed' });
  });
  test('a drawn signature must be a picture, and a letter with holes is not signed', async () => {
    const { owner } = await app.createCompany();
    const port = await make(owner);
    expect((await sign(owner, port.id)).body).toMatchObject({
      errors: { requested_date: ['Choose a day.'] },
    });
    await app.as(owner).request(contract.savePort, {
      params: { companyId: owner.companyId, id: port.id },
      body: { requested_date: port.earliest_date },
    });
    expect(
      (
        await sign(owner, port.id, {
          drawing: `data:image/png;base64,${Buffer.from('no picture').toString('base64')}`,
        })
      ).body,
    ).toMatchObject({ errors: { drawing: ['Draw again.'] } });
    const dot =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
    expect(
      (await sign(owner, port.id, { drawing: `data:image/png;base64,${dot}` })).body.data.loa.state,
    ).toBe('signed');
  });
  test('signed on paper: sent by mail, back as a document', async () => {
    const { owner } = await app.createCompany();
    const port = await make(owner, { authorized_email: 'paper@harbor.test' });
    await app.as(owner).request(contract.savePort, {
      params: { companyId: owner.companyId, id: port.id },
      body: { requested_date: port.earliest_date },
    });
    expect((await upload(owner, port.id, { kind: 'loa' })).status).toBe(422);
    expect(
      (
        await app.as(owner).request(contract.sendPortLetter, {
          params: { companyId: owner.companyId, id: port.id },
          body: {},
        })
      ).body.data.loa.state,
    ).toBe('sent');
    await app.drainJobs();
    expect(await mails('paper@harbor.test')).toMatchObject([
      { subject: 'Please sign: letter of authorization' },
    ]);
    expect(
      (await upload(owner, port.id, { kind: 'loa' }, pdf, 'signed.pdf')).body.data.loa,
    ).toMatchObject({ state: 'signed', signed_by: 'Olive Owner' });
  });
});

describe('from submission to completion', () => {
  test('state by state, each told by mail; at the end the numbers are the company’s and answer', async () => {
    const { company, owner } = await app.createCompany();
    const port = await complete(owner, { authorized_email: 'states@harbor.test' });
    expect((await submit(owner, port.id)).body.data).toMatchObject({
      status: 'submitted',
      numbers: [{ status: 'moving' }],
    });
    expect(
      (
        await app.as(owner).request(contract.savePort, {
          params: { companyId: owner.companyId, id: port.id },
          body: { pin: '1' },
        })
      ).body,
    ).toMatchObject({
      code: 'port.not_now',
      message: 'You can’t do this while the request is at the carrier.',
    });
    expect((await submit(owner, port.id)).status).toBe(409);
    expect((await advance(owner, port.id)).status).toBe('inProgress');
    expect(await advance(owner, port.id)).toMatchObject({
      status: 'firmOrderScheduled',
      foc_date: port.earliest_date,
    });
    const done = await advance(owner, port.id);
    expect(done).toMatchObject({
      status: 'completed',
      numbers: [{ status: 'completed', number_id: expect.any(Number) }],
    });
    const mine = await app.as(owner).request(numbers.listNumbers, { query: {} });
    expect(mine.body.data).toMatchObject([{ number: port.numbers[0]!.number, status: 'active' }]);
    const routes = await sql<{
      n: number;
    }>`select count(*)::int n from route where company_id = ${company.id} and number_id = ${done.numbers[0]!.number_id}`.execute(
      app.services.db.unscoped,
    );
    expect(routes.rows[0]!.n).toBe(1);
    expect((await mails('states@harbor.test')).map((m) => m.subject)).toEqual([
      'Your port request was submitted',
      'Your port request is in progress',
      'Your port is scheduled',
      'Your numbers have been ported',
    ]);
    expect(done.events.filter((e) => e.kind === 'status').map((e) => e.status)).toEqual([
      'submitted',
      'inProgress',
      'firmOrderScheduled',
      'completed',
    ]);
    // Nobody else can buy it now, and it cannot be called off.
    expect(
      (
        await app.as(owner).request(contract.cancelPort, {
          params: { companyId: owner.companyId, id: port.id },
          body: {},
        })
      ).body,
    ).toMatchObject({ code: 'port.not_now' });
    const { owner: other } = await app.createCompany();
    expect(
      (
        await app
          .as(other)
          .request(numbers.buyNumbers, { body: { numbers: [port.numbers[0]!.number] } })
      ).body,
    ).toMatchObject({ code: 'numbers.taken' });
  });
  test('an account that ends in 13 is asked for a customer service record; added, it goes on', async () => {
    const { owner } = await app.createCompany();
    const port = await complete(owner, { account_number: '884213' });
    await submit(owner, port.id);
    expect(await advance(owner, port.id)).toMatchObject({
      status: 'documentsRequested',
      status_before: 'submitted',
      documents_wanted: ['csr'],
    });
    expect((await submit(owner, port.id)).body).toMatchObject({
      errors: { documents: ['Add every requested document.'] },
    });
    await upload(owner, port.id, { kind: 'csr' }, pdf, 'record.pdf');
    expect((await submit(owner, port.id)).body.data).toMatchObject({
      status: 'submitted',
      documents_wanted: [],
    });
    expect((await advance(owner, port.id)).status).toBe('inProgress');
  });
  test('a wrong PIN is rejected with what to do; fixed, it is submitted again', async () => {
    const { owner } = await app.createCompany();
    const port = await complete(owner, { pin: '0000' });
    await submit(owner, port.id);
    expect(await advance(owner, port.id)).toMatchObject({
      status: 'rejected',
      rejection: {
        code: 'pin_mismatch',
        fix: 'Ask your carrier for the transfer PIN, enter it and submit again.',
      },
    });
    await app.as(owner).request(contract.savePort, {
      params: { companyId: owner.companyId, id: port.id },
      body: { pin: '5517' },
    });
    expect((await submit(owner, port.id)).body.data).toMatchObject({
      status: 'submitted',
      rejection: null,
    });
    expect((await advance(owner, port.id)).status).toBe('inProgress');
  });
  test('called off, the carrier stops and the number may be asked for anew', async () => {
    const { owner } = await app.createCompany();
    const port = await complete(owner);
    await submit(owner, port.id);
    await app.drainJobs();
    const canceled = await app.as(owner).request(contract.cancelPort, {
      params: { companyId: owner.companyId, id: port.id },
      body: { reason: 'We stay' },
    });
    expect(canceled.body.data).toMatchObject({
      status: 'canceled',
      cancel_reason: 'We stay',
      numbers: [{ status: 'canceled' }],
    });
    expect(await advancePort(app.services, canceled.body.data.carrier_ref!, null)).toBe(false);
    await make(owner, { numbers: [port.numbers[0]!.number] });
  });
  test('reports that come twice, late, or with some missing end where the carrier is', async () => {
    const { owner } = await app.createCompany();
    const port = await complete(owner);
    await submit(owner, port.id);
    await app.drainJobs();
    const report = {
      ref: 'x',
      key: `port-${owner.companyId}-${port.id}`,
      focDate: port.earliest_date,
      wanted: [],
      rejection: null,
    };
    const say = (
      state: 'inProgress' | 'firmOrderScheduled' | 'completed' | 'rejected',
      seq: number,
    ) => receivePorts(app.services, app.notifier, 'sandbox', [{ ...report, state, seq }]);
    await say('firmOrderScheduled', 3);
    await say('inProgress', 2);
    await Promise.all([say('completed', 4), say('completed', 4)]);
    await say('rejected', 5);
    const done = await get(owner, port.id);
    expect(done.events.filter((e) => e.kind === 'status').map((e) => e.status)).toEqual([
      'submitted',
      'inProgress',
      'firmOrderScheduled',
      'completed',
    ]);
    expect(done).toMatchObject({ status: 'completed', numbers: [{ status: 'completed' }] });
    await app.drainJobs();
  });
  test('a number somebody else got meanwhile raises an alarm, the rest arrives; completed is said when every number is here', async () => {
    const { owner } = await app.createCompany();
    const { owner: quicker } = await app.createCompany();
    const [a, b] = [aNumber(), aNumber()];
    const port = await complete(owner, { numbers: [a, b] });
    await submit(owner, port.id);
    expect(
      (await app.as(quicker).request(numbers.buyNumbers, { body: { numbers: [a] } })).status,
    ).toBe(201);
    for (let i = 0; i < 3; i++) await advance(owner, port.id);
    expect((await get(owner, port.id)).numbers.map((n) => [n.number, n.status])).toEqual([
      [a, 'failed'],
      [b, 'completed'],
    ]);
    const waiting = await get(owner, port.id);
    expect(waiting).toMatchObject({
      status: 'firmOrderScheduled',
      completed_at: null,
      alarm: { code: 'not_installed' },
    });
    expect(
      (await mails('olive@harbor.test'))
        .map((m) => m.text)
        .filter((text) => text.includes(waiting.alarm!.text)),
    ).toHaveLength(1);
    const stats = () =>
      app.as(owner).request(contract.portStats, { params: { companyId: owner.companyId } });
    expect((await stats()).body.data).toMatchObject({ completed30d: 0, inProgress: 1 });
    // The other account lets it go: the next question to the carrier adds it, and only now it is said to be complete.
    await sql`delete from number_directory where number = ${a}`.execute(app.services.db.unscoped);
    await checkPortStatus(systemCtx(app.services, owner.companyId, app.notifier, 'test'), {
      portId: port.id,
    });
    expect(await get(owner, port.id)).toMatchObject({
      status: 'completed',
      alarm: null,
      numbers: [{ status: 'completed', reason: null }, { status: 'completed' }],
    });
    expect((await stats()).body.data).toMatchObject({ completed30d: 1, inProgress: 0 });
  });
  test('the carrier refuses the order: the request says so in its words, and nothing is on its way', async () => {
    const { owner } = await app.createCompany();
    const port = await complete(owner, { account_number: '884266' });
    await submit(owner, port.id);
    await app.drainJobs();
    expect(await get(owner, port.id)).toMatchObject({
      status: 'rejected',
      carrier_ref: null,
      numbers: [{ status: 'pending' }],
      rejection: {
        code: 'account_mismatch',
        text: 'The carrier doesn’t recognize the account number.',
        fix: 'Enter the account number as shown on the bill and submit again.',
      },
    });
  });
  test('a webhook nobody signed changes nothing', async () => {
    const { owner } = await app.createCompany();
    const port = await complete(owner);
    await submit(owner, port.id);
    const forged = await app.server.inject({
      method: 'POST',
      url: '/carriers/sandbox/ports',
      payload: JSON.stringify({
        ports: [
          {
            ref: 'x',
            key: `port-${owner.companyId}-${port.id}`,
            state: 'completed',
            seq: 9,
            focDate: null,
            wanted: [],
            rejection: null,
          },
        ],
      }),
      headers: { 'content-type': 'application/json', 'x-sandbox-signature': 'f'.repeat(64) },
    });
    expect(forged.statusCode).toBe(403);
    expect((await get(owner, port.id)).status).toBe('submitted');
  });
});

describe('called off while it leaves', () => {
  const orderState = async (person: TestPerson, id: number) =>
    (
      await sql<{
        state: string;
      }>`select state from sandbox.port where key = ${`port-${person.companyId}-${id}`}`.execute(
        app.services.db.unscoped,
      )
    ).rows[0]?.state ?? null;
  const cancel = (person: TestPerson, id: number) =>
    app
      .as(person)
      .request(contract.cancelPort, { params: { companyId: person.companyId, id }, body: {} });
  const report = (person: TestPerson, id: number, state: PortReport['state'], seq: number) =>
    receivePorts(app.services, app.notifier, 'sandbox', [
      {
        ref: 'x',
        key: `port-${person.companyId}-${id}`,
        focDate: null,
        wanted: [],
        rejection: null,
        state,
        seq,
      },
    ]);

  test('canceled before the job began: no order is made', async () => {
    const { owner } = await app.createCompany();
    const port = await complete(owner);
    await app.stopJobs();
    await submit(owner, port.id);
    expect((await cancel(owner, port.id)).body.data.status).toBe('canceled');
    await app.drainJobs();
    expect(await orderState(owner, port.id)).toBeNull();
  });
  test('canceled while the carrier is taking the order: the order is canceled there', async () => {
    const { owner } = await app.createCompany();
    const port = await complete(owner);
    const porting = app.services.gateways.carriers.byName('sandbox')!.porting!;
    const { submit: reallySubmit } = porting;
    let canceled: Awaited<ReturnType<typeof cancel>> | undefined;
    // The company cancels before the order stands in the carrier's books; then it stands there.
    porting.submit = async (order) => {
      canceled = await cancel(owner, port.id);
      return reallySubmit(order);
    };
    await submit(owner, port.id);
    await app.drainJobs();
    porting.submit = reallySubmit;
    expect(canceled!.body.data.status).toBe('canceled');
    expect([await orderState(owner, port.id), (await get(owner, port.id)).status]).toEqual([
      'canceled',
      'canceled',
    ]);
  });
  test('canceled after the carrier’s answer was lost: the order is canceled there', async () => {
    const { owner } = await app.createCompany();
    const port = await complete(owner);
    await app.stopJobs();
    setFaults({ ...noFaults, dropAfterEffectRate: 1 });
    await submit(owner, port.id);
    const ctx = systemCtx(app.services, owner.companyId, app.notifier, 'test');
    await expect(submitToCarrier(ctx, { portId: port.id, attempt: 1 })).rejects.toThrow(
      'disconnected',
    );
    setFaults(noFaults);
    expect([await orderState(owner, port.id), (await get(owner, port.id)).carrier_ref]).toEqual([
      'submitted',
      null,
    ]);
    expect((await cancel(owner, port.id)).body.data.status).toBe('canceled');
    expect(await orderState(owner, port.id)).toBe('canceled');
    await app.drainJobs();
  });
  test('while the carrier is away nothing is said to be canceled', async () => {
    const { owner } = await app.createCompany();
    const port = await complete(owner);
    await submit(owner, port.id);
    await app.drainJobs();
    setFaults({ ...noFaults, outage: true });
    expect((await cancel(owner, port.id)).body).toMatchObject({ code: 'carrier.unreachable' });
    setFaults(noFaults);
    expect((await get(owner, port.id)).status).toBe('submitted');
  });
  test('a report that an order goes on after all cancels it at the carrier', async () => {
    const { owner } = await app.createCompany();
    const port = await complete(owner);
    await submit(owner, port.id);
    await app.drainJobs();
    await cancel(owner, port.id);
    // As if the carrier had not done what it answered.
    await sql`update sandbox.port set state = 'inProgress' where key = ${`port-${owner.companyId}-${port.id}`}`.execute(
      app.services.db.unscoped,
    );
    await report(owner, port.id, 'inProgress', 7);
    await app.drainJobs();
    expect([await orderState(owner, port.id), (await get(owner, port.id)).alarm]).toEqual([
      'canceled',
      null,
    ]);
  });
  test('the carrier cannot stop it any more: an alarm on the request, by mail and in the audit log; what moves is not left without an owner', async () => {
    const { owner } = await app.createCompany();
    const port = await complete(owner, { authorized_email: 'alarm@harbor.test' });
    await submit(owner, port.id);
    await app.drainJobs();
    await cancel(owner, port.id);
    await sql`update sandbox.port set state = 'completed' where key = ${`port-${owner.companyId}-${port.id}`}`.execute(
      app.services.db.unscoped,
    );
    await report(owner, port.id, 'firmOrderScheduled', 8);
    await app.drainJobs();
    const warned = await get(owner, port.id);
    expect(warned).toMatchObject({
      status: 'canceled',
      alarm: { code: 'still_moving', text: expect.stringContaining(port.numbers[0]!.formatted) },
    });
    await report(owner, port.id, 'completed', 9);
    await report(owner, port.id, 'completed', 9);
    await app.drainJobs();
    const moved = await get(owner, port.id);
    expect(moved).toMatchObject({
      status: 'canceled',
      alarm: { code: 'moved_anyway' },
      numbers: [{ status: 'completed', number_id: expect.any(Number) }],
    });
    expect(moved.events.filter((e) => e.kind === 'alarm').map((e) => e.text)).toEqual([
      warned.alarm!.text,
      moved.alarm!.text,
    ]);
    const attention = (await mails('alarm@harbor.test')).filter(
      (m) => m.subject === 'Your port request needs attention',
    );
    expect(attention.map((m) => m.text)).toEqual([
      expect.stringContaining(warned.alarm!.text),
      expect.stringContaining(moved.alarm!.text),
    ]);
    const { rows } = await sql<{
      code: string;
    }>`select after ->> 'code' code from audit_log where company_id = ${owner.companyId} and action = 'port.alarm' order by id`.execute(
      app.services.db.unscoped,
    );
    expect(rows.map((r) => r.code)).toEqual(['still_moving', 'moved_anyway']);
    const listed = await app
      .as(owner)
      .request(contract.listPorts, { params: { companyId: owner.companyId }, query: {} });
    expect(listed.body.data[0]).toMatchObject({ alarm: { code: 'moved_anyway' } });
  });
});

describe('what the check knows', () => {
  test('a number of another account here, one of no place here and a premium one cannot be moved', async () => {
    const [{ owner }, { owner: other }] = [await app.createCompany(), await app.createCompany()];
    expect(
      (await app.as(other).request(numbers.buyNumbers, { body: { numbers: ['+12125557798'] } }))
        .status,
    ).toBe(201);
    const checked = await app.as(owner).request(contract.checkPortability, {
      params: { companyId: owner.companyId },
      body: { numbers: ['+12125557798', '+18765550123', '+19005550123'] },
    });
    expect(checked.body.data.numbers.map((n) => [n.portable, n.reason])).toEqual([
      [false, 'it belongs to another account'],
      ...Array<unknown>(2).fill([
        false,
        'only local and toll-free numbers in the United States and Canada can be ported',
      ]),
    ]);
  });
  test('Canadian numbers move by Canada’s calendar, to an address in Canada', async () => {
    const { owner } = await app.createCompany();
    const port = await make(owner, {
      numbers: ['+14165558844'],
      requested_date: '2027-07-01',
      service_address: {
        line1: '1 King Street',
        city: 'Toronto',
        state: 'XX',
        zip: 'M5V 3L9',
        country: 'CA',
      },
    });
    expect(port.needs).toMatchObject({
      requested_date: 'Choose a business day that isn’t a weekend or Canadian holiday.',
      'service_address.state': 'Enter a Canadian province, such as ON.',
    });
  });
});

describe('who did what', () => {
  test('the letter is signed in the name it names; who was signed in is kept, told and printed', async () => {
    const { company, owner } = await app.createCompany();
    const adam = await app.createPerson(company.id, 'administrator');
    const port = await make(owner);
    await app.as(owner).request(contract.savePort, {
      params: { companyId: owner.companyId, id: port.id },
      body: { requested_date: port.earliest_date },
    });
    const wrong = await sign(adam, port.id, { name: 'Somebody Else' });
    expect(wrong.body).toMatchObject({
      status: 422,
      errors: { name: ['Sign as Olive Owner, the authorized person named in this letter.'] },
    });
    const signed = await sign(adam, port.id, { name: ' olive  OWNER ' });
    expect(signed.body.data.loa).toMatchObject({
      state: 'signed',
      signed_in_as: { email: adam.email },
    });
    expect(signed.body.data.events.at(-1)!.text).toContain('signed in as');
    const pdf = await PDFDocument.load(
      (await app.server.inject({ method: 'GET', url: signed.body.data.loa.file! })).rawPayload,
    );
    expect(textIn(pdf)).toContain(adam.email);
    const user = await app.createPerson(company.id, 'user');
    // The letter holds the whole account number: who sees it masked gets no letter.
    expect((await get(user, port.id)).loa).toMatchObject({ state: 'signed', file: null });
  });
  test('changes of PIN, account and documents stand in the audit log, without the PIN', async () => {
    const { owner } = await app.createCompany();
    const port = await make(owner);
    await app.as(owner).request(contract.savePort, {
      params: { companyId: owner.companyId, id: port.id },
      body: { pin: '7788', account_number: '551234', losing_carrier: 'Old Bell' },
    });
    const added = await upload(owner, port.id, { kind: 'bill', bill_date: dayAgo(3) });
    await app.as(owner).request(contract.removePortDocument, {
      params: {
        companyId: owner.companyId,
        id: port.id,
        documentId: added.body.data.documents[0].id,
      },
    });
    const { rows } = await sql<{
      action: string;
      before: unknown;
      after: unknown;
    }>`select action, before, after from audit_log where company_id = ${owner.companyId} and subject = ${`port:${port.id}`} order by id`.execute(
      app.services.db.unscoped,
    );
    expect(rows.map((r) => r.action)).toEqual([
      'port.created',
      'port.changed',
      'port.document_added',
      'port.document_removed',
    ]);
    expect(rows[1]).toMatchObject({
      before: { account_number: '••••4217' },
      after: { account_number: '••••1234', changed: ['account_number', 'pin'] },
    });
    expect(JSON.stringify(rows)).not.toContain('7788');
  });
  test('the timeline of a number says that it was ported in', async () => {
    const { owner } = await app.createCompany();
    const port = await complete(owner);
    await submit(owner, port.id);
    for (let i = 0; i < 3; i++) await advance(owner, port.id);
    const done = await get(owner, port.id);
    const { rows } = await sql<{
      type: string;
      summary: string;
    }>`select type, summary from number_event where company_id = ${owner.companyId} and number_id = ${done.numbers[0]!.number_id} order by id limit 1`.execute(
      app.services.db.unscoped,
    );
    expect(rows).toEqual([{ type: 'ported_in', summary: 'Ported in from another carrier' }]);
  });
});

test('the moved number answers as the temporary number did', async () => {
  const { owner } = await app.createCompany();
  const bought = await app
    .as(owner)
    .request(numbers.buyNumbers, { body: { numbers: ['+12125557701'] } });
  const temporary = (bought.body.data as { id: number }[])[0]!.id;
  await app.drainJobs();
  const { routing } = await import('#contract');
  await app.as(owner).request(routing.updateNumber, {
    params: { id: temporary },
    body: {
      routes: [
        {
          extension: 1,
          label: 'Desk',
          type: 'standard',
          forwards: [{ number: '+12125550147', weight: 100 }],
        },
      ],
    },
  });
  const port = await complete(owner, { temporary_forward_number_id: temporary });
  await submit(owner, port.id);
  for (let i = 0; i < 3; i++) await advance(owner, port.id);
  const done = await get(owner, port.id);
  const moved = await app
    .as(owner)
    .request(routing.getNumber, { params: { id: done.numbers[0]!.number_id! } });
  expect(moved.body.data).toMatchObject({
    routes: [{ label: 'Desk', type: 'standard', forwards: [{ number: '+12125550147' }] }],
  });
  expect(normalizePhone('212 555 0147')).toBe('+12125550147');
});
