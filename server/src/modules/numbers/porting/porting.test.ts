import { PDFDocument } from 'pdf-lib';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { normalizePhone, numbers, porting as contract, type Answer } from '#contract';
import { aWorld, type TestPerson } from '../../../../test/world.ts';
import { movePort } from '../../../adapters/sandbox/porting-jobs.ts';
import { receivePorts } from './inbound.ts';

const world = await aWorld();
let next = 100;
const aNumber = () => `+1212555${String(++next).padStart(4, '0')}`;
type Port = Answer<typeof contract.getPort>['data'];

const details = {
  losing_carrier: 'Old Bell', account_number: '884217', pin: '4321', billing_telephone_number: '(212) 555-2368', customer_type: 'business' as const, entity_name: 'Harbor Dental LLC', authorized_first_name: 'Olive', authorized_last_name: 'Owner',
  authorized_email: 'olive@harbor.test', authorized_phone: '212 555 0147', service_address: { line1: '1 Water Street', city: 'New York', state: 'NY', zip: '10004', country: 'US' as const },
};
const pdf = Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF');
const today = () => new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(world.now.value);
const dayAgo = (n: number) => new Date(Date.parse(`${today()}T00:00:00Z`) - n * 86_400_000).toISOString().slice(0, 10);

const upload = async (person: TestPerson, id: number, fields: Record<string, string>, bytes: Buffer = pdf, name = 'bill.pdf') => {
  const boundary = 'a-boundary-of-this-test';
  const parts = [...Object.entries(fields).map(([key, value]) => Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`)), Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: application/pdf\r\n\r\n`), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)];
  return world.as(person).raw({ method: 'POST', url: `/api/company/${person.companyId}/ports/${id}/documents`, payload: Buffer.concat(parts), headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } });
};
const make = async (person: TestPerson, more: Record<string, unknown> = {}): Promise<Port> => {
  const made = await world.as(person).ask(contract.createPort, { params: { companyId: person.companyId }, body: { numbers: [aNumber()], ...details, ...more } as never });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.data;
};
const sign = async (person: TestPerson, id: number, more: Record<string, unknown> = {}) => {
  const letter = await world.as(person).ask(contract.portLetter, { params: { companyId: person.companyId, id } });
  return world.as(person).ask(contract.signPortLetter, { params: { companyId: person.companyId, id }, body: { name: 'Olive Owner', hash: letter.body.data.hash, agree: true, ...more } as never });
};
/** A request with nothing missing. */
const complete = async (person: TestPerson, more: Record<string, unknown> = {}): Promise<Port> => {
  const port = await make(person, more);
  await world.as(person).ask(contract.savePort, { params: { companyId: person.companyId, id: port.id }, body: { requested_date: port.earliest_date } });
  await upload(person, port.id, { kind: 'bill', bill_date: dayAgo(10) });
  const signed = await sign(person, port.id);
  expect(signed.body.data?.needs, JSON.stringify(signed.body)).toEqual({});
  return signed.body.data;
};
const get = async (person: TestPerson, id: number): Promise<Port> => (await world.as(person).ask(contract.getPort, { params: { companyId: person.companyId, id } })).body.data;
const submit = (person: TestPerson, id: number) => world.as(person).ask(contract.submitPort, { params: { companyId: person.companyId, id }, body: {} });
/** The losing carrier takes its next step now instead of in a minute. */
const advance = async (person: TestPerson, id: number): Promise<Port> => {
  await world.settle();
  await movePort(world.house, (await get(person, id)).carrier_ref!, null);
  await world.settle();
  return get(person, id);
};
const mails = (to: string) => world.mails(to);

describe('drafts', () => {
  test('a draft keeps what it is given, says what is missing, and is found in the list and the figures', async () => {
    const { company, owner } = await world.company();
    const made = await world.as(owner).ask(contract.createPort, { params: { companyId: owner.companyId }, body: { numbers: ['(212) 555-8801', '+12125558801'] } });
    expect(made.body.data).toMatchObject({ status: 'pending', numbers: [{ number: '+12125558801', type: 1, portable: true }] });
    expect(Object.keys(made.body.data.needs)).toEqual(expect.arrayContaining(['account_number', 'entity_name', 'requested_date', 'documents', 'loa']));
    const saved = await world.as(owner).ask(contract.savePort, { params: { companyId: owner.companyId, id: made.body.data.id }, body: { account_number: '4711', service_address: { city: 'Albany' } } });
    expect(saved.body.data).toMatchObject({ account_number: '4711', service_address: { city: 'Albany', country: 'US' } });
    const list = await world.as(owner).ask(contract.listPorts, { params: { companyId: owner.companyId }, query: { search: '8801', status: ['pending'] as never } });
    expect(list.body).toMatchObject({ data: [{ id: made.body.data.id, numbers_count: 1 }], meta: { total: 1 } });
    expect((await world.as(owner).ask(contract.portStats, { params: { companyId: owner.companyId } })).body.data).toEqual({ pending: 1, documentsRequested: 0, inProgress: 0, completed30d: 0, rejected: 0 });
    expect((await submit(owner, made.body.data.id)).status).toBe(422);
    expect(company.id).toBe(owner.companyId);
  });
  test('types are not mixed, a number is in one open request only, and one that cannot be moved says why', async () => {
    const { owner } = await world.company();
    const mixed = await world.as(owner).ask(contract.createPort, { params: { companyId: owner.companyId }, body: { numbers: ['+12125558810', '+18005558810'] } });
    expect(mixed.body).toMatchObject({ status: 422, code: 'port.mixed_types' });
    const canadian = await make(owner, { numbers: ['+14165558811'] });
    expect(canadian.numbers[0]).toMatchObject({ type: 3 });
    const twice = await world.as(owner).ask(contract.createPort, { params: { companyId: owner.companyId }, body: { numbers: ['+14165558811'] } });
    expect(twice.body).toMatchObject({ status: 409, message: '(416) 555-8811 is in another port request already. Continue that one.' });
    const checked = await world.as(owner).ask(contract.checkPortability, { params: { companyId: owner.companyId }, body: { numbers: ['+12125558899', '+12125558812'] } });
    expect(checked.body.data.numbers.map((n) => [n.portable, n.sentence])).toEqual([[false, '(212) 555-8899 cannot be moved: the carrier that has it does not release it.'], [true, null]]);
    const stuck = await make(owner, { numbers: ['+12125558899'] });
    expect(stuck.needs['numbers']).toMatch(/cannot be moved/);
    expect((await submit(owner, stuck.id)).body).toMatchObject({ code: 'port.not_portable', message: '(212) 555-8899 cannot be moved: the carrier that has it does not release it.' });
  });
  test('account number and PIN are told to those who may edit, and the PIN is sealed where it lies', async () => {
    const { company, owner } = await world.company();
    const user = await world.person(company.id, 'user');
    const port = await make(owner);
    expect(port).toMatchObject({ account_number: '884217', pin: '4321' });
    expect(await get(user, port.id)).toMatchObject({ account_number: '••••4217', pin: '••••' });
    const { rows } = await sql<{ pin_sealed: string }>`select pin_sealed from port_request where id = ${port.id}`.execute(world.house.db.directory);
    expect(rows[0]!.pin_sealed).not.toContain('4321');
    expect((await world.as(user).ask(contract.savePort, { params: { companyId: user.companyId, id: port.id }, body: { pin: '1' } })).status).toBe(403);
  });
});

describe('documents', () => {
  test('only PDF, JPEG and PNG by their bytes, at most 3 MB, and a bill of the last 30 days', async () => {
    const { owner } = await world.company();
    const { id } = await make(owner);
    expect((await upload(owner, id, { kind: 'bill', bill_date: dayAgo(1) }, Buffer.from('MZ this is a program'), 'bill.pdf')).body.errors).toEqual({ file: ['Use a PDF, JPEG or PNG file.'] });
    expect((await upload(owner, id, { kind: 'bill', bill_date: dayAgo(1) }, Buffer.concat([pdf, Buffer.alloc(3 * 1024 * 1024)]))).body.errors).toEqual({ file: ['A document may have up to 3 MB.'] });
    expect((await upload(owner, id, { kind: 'bill', bill_date: dayAgo(31) })).body.errors).toEqual({ bill_date: ['The bill is more than 30 days old. Add a newer one.'] });
    expect((await upload(owner, id, { kind: 'bill' })).body.errors).toEqual({ bill_date: ['Enter the date of the bill.'] });
    const added = await upload(owner, id, { kind: 'bill', bill_date: dayAgo(30) });
    expect(added).toMatchObject({ status: 201, body: { data: { documents: [{ kind: 'bill', mime: 'application/pdf', bill_date: dayAgo(30) }] } } });
    const fetched = await world.as(null).raw({ method: 'GET', url: added.body.data.documents[0].url });
    expect(fetched.status).toBe(200);
    const removed = await world.as(owner).ask(contract.removePortDocument, { params: { companyId: owner.companyId, id, documentId: added.body.data.documents[0].id } });
    expect(removed.body.data.documents).toEqual([]);
  });
});

describe('the letter of authorization', () => {
  test('what was read is what is signed: a PDF of the request, kept with name, time, address and the hash of its text', async () => {
    const { owner } = await world.company();
    const port = await complete(owner, { entity_name: 'Žofie & Søn – Büro' });
    expect(port.loa).toMatchObject({ state: 'signed', signed_by: 'Olive Owner', file: expect.stringContaining('/api/files/') });
    const file = await world.app.inject({ method: 'GET', url: port.loa.file! });
    expect(file.headers['content-type']).toBe('application/pdf');
    expect((await PDFDocument.load(file.rawPayload)).getTitle()).toBe('Letter of authorization');
    const { rows } = await sql<{ loa_signature: { ip: string; how: string; hash: string }; loa_text: string; loa_hash: string }>`select loa_signature, loa_text, loa_hash from port_request where id = ${port.id}`.execute(world.house.db.directory);
    expect(rows[0]).toMatchObject({ loa_signature: { how: 'typed', ip: '127.0.0.1', hash: rows[0]!.loa_hash } });
    for (const fact of [port.numbers[0]!.formatted, 'Old Bell', '884217', '1 Water Street', 'Žofie & Søn']) expect(rows[0]!.loa_text).toContain(fact);
  });
  test('a change to what it says makes the signature void; a change to anything else does not', async () => {
    const { owner } = await world.company();
    const port = await complete(owner);
    expect((await world.as(owner).ask(contract.savePort, { params: { companyId: owner.companyId, id: port.id }, body: { pin: '9999' } })).body.data.loa.state).toBe('signed');
    const changed = await world.as(owner).ask(contract.savePort, { params: { companyId: owner.companyId, id: port.id }, body: { account_number: '5' } });
    expect(changed.body.data).toMatchObject({ loa: { state: 'unsigned', file: null }, needs: { loa: 'Sign the letter of authorization.' } });
    const stale = await sign(owner, port.id, { hash: '0'.repeat(64) });
    expect(stale.body).toMatchObject({ status: 409, code: 'port.letter_changed' });
  });
  test('a drawn signature must be a picture, and a letter with holes is not signed', async () => {
    const { owner } = await world.company();
    const port = await make(owner);
    expect((await sign(owner, port.id)).body).toMatchObject({ errors: { requested_date: ['Choose the day.'] } });
    await world.as(owner).ask(contract.savePort, { params: { companyId: owner.companyId, id: port.id }, body: { requested_date: port.earliest_date } });
    expect((await sign(owner, port.id, { drawing: `data:image/png;base64,${Buffer.from('no picture').toString('base64')}` })).body).toMatchObject({ errors: { drawing: ['Draw again.'] } });
    const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
    expect((await sign(owner, port.id, { drawing: `data:image/png;base64,${dot}` })).body.data.loa.state).toBe('signed');
  });
  test('signed on paper: sent by mail, back as a document', async () => {
    const { owner } = await world.company();
    const port = await make(owner, { authorized_email: 'paper@harbor.test' });
    await world.as(owner).ask(contract.savePort, { params: { companyId: owner.companyId, id: port.id }, body: { requested_date: port.earliest_date } });
    expect((await upload(owner, port.id, { kind: 'loa' })).status).toBe(422);
    expect((await world.as(owner).ask(contract.sendPortLetter, { params: { companyId: owner.companyId, id: port.id }, body: {} })).body.data.loa.state).toBe('sent');
    await world.settle();
    expect(await mails('paper@harbor.test')).toMatchObject([{ subject: 'Please sign: letter of authorization' }]);
    expect((await upload(owner, port.id, { kind: 'loa' }, pdf, 'signed.pdf')).body.data.loa).toMatchObject({ state: 'signed', signed_by: 'Olive Owner' });
  });
});

describe('from submission to completion', () => {
  test('state by state, each told by mail; at the end the numbers are the company’s and answer', async () => {
    const { company, owner } = await world.company();
    const port = await complete(owner, { authorized_email: 'states@harbor.test' });
    expect((await submit(owner, port.id)).body.data).toMatchObject({ status: 'submitted', numbers: [{ status: 'moving' }] });
    expect((await world.as(owner).ask(contract.savePort, { params: { companyId: owner.companyId, id: port.id }, body: { pin: '1' } })).body).toMatchObject({ code: 'port.not_now', message: 'This cannot be done while the request is with the carrier.' });
    expect((await submit(owner, port.id)).status).toBe(409);
    expect((await advance(owner, port.id)).status).toBe('inProgress');
    expect(await advance(owner, port.id)).toMatchObject({ status: 'firmOrderScheduled', foc_date: port.earliest_date });
    const done = await advance(owner, port.id);
    expect(done).toMatchObject({ status: 'completed', numbers: [{ status: 'completed', number_id: expect.any(Number) }] });
    const mine = await world.as(owner).ask(numbers.listNumbers, { query: {} });
    expect(mine.body.data).toMatchObject([{ number: port.numbers[0]!.number, status: 'active' }]);
    const routes = await sql<{ n: number }>`select count(*)::int n from route where company_id = ${company.id} and number_id = ${done.numbers[0]!.number_id}`.execute(world.house.db.directory);
    expect(routes.rows[0]!.n).toBe(1);
    expect((await mails('states@harbor.test')).map((m) => m.subject)).toEqual(['Your number move was handed in', 'Your number move is under way', 'Your number move has a date', 'Your numbers have moved']);
    expect(done.events.filter((e) => e.kind === 'status').map((e) => e.status)).toEqual(['submitted', 'inProgress', 'firmOrderScheduled', 'completed']);
    // Nobody else can buy it now, and it cannot be called off.
    expect((await world.as(owner).ask(contract.cancelPort, { params: { companyId: owner.companyId, id: port.id }, body: {} })).body).toMatchObject({ code: 'port.not_now' });
    const { owner: other } = await world.company();
    expect((await world.as(other).ask(numbers.buyNumbers, { body: { numbers: [port.numbers[0]!.number] } as never })).body).toMatchObject({ code: 'numbers.taken' });
  });
  test('an account that ends in 13 is asked for a customer service record; added, it goes on', async () => {
    const { owner } = await world.company();
    const port = await complete(owner, { account_number: '884213' });
    await submit(owner, port.id);
    expect(await advance(owner, port.id)).toMatchObject({ status: 'documentsRequested', status_before: 'submitted', documents_wanted: ['csr'] });
    expect((await submit(owner, port.id)).body).toMatchObject({ errors: { documents: ['Add every document that was asked for.'] } });
    await upload(owner, port.id, { kind: 'csr' }, pdf, 'record.pdf');
    expect((await submit(owner, port.id)).body.data).toMatchObject({ status: 'submitted', documents_wanted: [] });
    expect((await advance(owner, port.id)).status).toBe('inProgress');
  });
  test('a wrong PIN is rejected with what to do; fixed, it is submitted again', async () => {
    const { owner } = await world.company();
    const port = await complete(owner, { pin: '0000' });
    await submit(owner, port.id);
    expect(await advance(owner, port.id)).toMatchObject({ status: 'rejected', rejection: { code: 'pin_mismatch', fix: 'Ask your carrier for the transfer PIN, enter it and submit again.' } });
    await world.as(owner).ask(contract.savePort, { params: { companyId: owner.companyId, id: port.id }, body: { pin: '5517' } });
    expect((await submit(owner, port.id)).body.data).toMatchObject({ status: 'submitted', rejection: null });
    expect((await advance(owner, port.id)).status).toBe('inProgress');
  });
  test('called off, the carrier stops and the number may be asked for anew', async () => {
    const { owner } = await world.company();
    const port = await complete(owner);
    await submit(owner, port.id);
    await world.settle();
    const canceled = await world.as(owner).ask(contract.cancelPort, { params: { companyId: owner.companyId, id: port.id }, body: { reason: 'We stay' } });
    expect(canceled.body.data).toMatchObject({ status: 'canceled', cancel_reason: 'We stay', numbers: [{ status: 'canceled' }] });
    expect(await movePort(world.house, canceled.body.data.carrier_ref!, null)).toBe(false);
    await make(owner, { numbers: [port.numbers[0]!.number] });
  });
  test('reports that come twice, late, or with some missing end where the carrier is', async () => {
    const { owner } = await world.company();
    const port = await complete(owner);
    await submit(owner, port.id);
    await world.settle();
    const report = { ref: 'x', key: `port-${owner.companyId}-${port.id}`, focDate: port.earliest_date, wanted: [], rejection: null };
    const say = (state: 'inProgress' | 'firmOrderScheduled' | 'completed' | 'rejected', seq: number) => receivePorts(world.house, world.said, 'sandbox', [{ ...report, state, seq }]);
    await say('firmOrderScheduled', 3);
    await say('inProgress', 2);
    await Promise.all([say('completed', 4), say('completed', 4)]);
    await say('rejected', 5);
    const done = await get(owner, port.id);
    expect(done.events.filter((e) => e.kind === 'status').map((e) => e.status)).toEqual(['submitted', 'inProgress', 'firmOrderScheduled', 'completed']);
    expect(done).toMatchObject({ status: 'completed', numbers: [{ status: 'completed' }] });
    await world.settle();
  });
  test('a number somebody else got meanwhile fails by itself; the rest of the request completes', async () => {
    const { owner } = await world.company();
    const { owner: quicker } = await world.company();
    const [a, b] = [aNumber(), aNumber()];
    const port = await complete(owner, { numbers: [a, b] });
    await submit(owner, port.id);
    expect((await world.as(quicker).ask(numbers.buyNumbers, { body: { numbers: [a] } as never })).status).toBe(201);
    for (let i = 0; i < 3; i++) await advance(owner, port.id);
    expect((await get(owner, port.id)).numbers.map((n) => [n.number, n.status])).toEqual([[a, 'failed'], [b, 'completed']]);
  });
  test('a webhook nobody signed changes nothing', async () => {
    const { owner } = await world.company();
    const port = await complete(owner);
    await submit(owner, port.id);
    const forged = await world.app.inject({ method: 'POST', url: '/carriers/sandbox/ports', payload: JSON.stringify({ ports: [{ ref: 'x', key: `port-${owner.companyId}-${port.id}`, state: 'completed', seq: 9, focDate: null, wanted: [], rejection: null }] }), headers: { 'content-type': 'application/json', 'x-sandbox-signature': 'f'.repeat(64) } });
    expect(forged.statusCode).toBe(403);
    expect((await get(owner, port.id)).status).toBe('submitted');
  });
});

test('the moved number answers as the temporary number did', async () => {
  const { owner } = await world.company();
  const bought = await world.as(owner).ask(numbers.buyNumbers, { body: { numbers: ['+12125557701'] } as never });
  const temporary = (bought.body.data as { id: number }[])[0]!.id;
  await world.settle();
  const { routing } = await import('#contract');
  await world.as(owner).ask(routing.updateNumber, { params: { id: temporary }, body: { routes: [{ extension: 1, label: 'Desk', type: 'standard', forwards: [{ number: '+12125550147', weight: 100 }] }] } as never });
  const port = await complete(owner, { temporary_forward_number_id: temporary });
  await submit(owner, port.id);
  for (let i = 0; i < 3; i++) await advance(owner, port.id);
  const done = await get(owner, port.id);
  const moved = await world.as(owner).ask(routing.getNumber, { params: { id: done.numbers[0]!.number_id! } });
  expect(moved.body.data).toMatchObject({ routes: [{ label: 'Desk', type: 'standard', forwards: [{ number: '+12125550147' }] }] });
  expect(normalizePhone('212 555 0147')).toBe('+12125550147');
});
