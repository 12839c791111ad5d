import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { numbers, porting as contract } from '#contract';
import { emptyPdf, portingOf } from '../../../test/support/porting.ts';
import { readAloud, textOfPdf } from '../../../test/support/read-pdf.ts';
import { createTestApp } from '../../../test/support/test-app.ts';
import { noFaults, setFaults } from '../../adapters/sandbox/fault-injection.ts';

const app = await createTestApp();
const { dayAgo, upload, make, sign, complete, get, submit, advance } = portingOf(app);
afterAll(() => void setFaults(noFaults));

describe('drafts', () => {
  test('a draft stores what it is given, lists what is missing, and appears in the list and the counts', async () => {
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
  test('types are not mixed, a number is in one open request only, and an unportable number gives its reason', async () => {
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
  test('a number its carrier releases later is checked again when the draft is saved and when it is submitted', async () => {
    const { owner } = await app.createCompany();
    const port = await complete(owner);
    const setPortable = async (portable: boolean) => {
      await sql`update port_number set portable = ${portable},
        reason = ${portable ? null : 'it is frozen'} where port_id = ${port.id}`.execute(
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
    await setPortable(false);
    expect((await get(owner, port.id)).needs).toEqual({
      numbers: `${port.numbers[0]!.formatted} cannot be moved: it is frozen.`,
    });
    expect(await save()).toMatchObject({
      needs: {},
      numbers: [{ portable: true, reason: null }],
      loa: { state: 'signed' },
    });
    await setPortable(false);
    expect((await submit(owner, port.id)).body.data).toMatchObject({
      status: 'submitted',
      numbers: [{ portable: true, reason: null }],
    });
    await app.drainJobs();
  });
  test('account number and PIN are shown to editors only, and the PIN is encrypted at rest', async () => {
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
  test('only PDF, JPEG and PNG by their bytes, at most 3 MB, and a bill of the last 30 days are accepted', async () => {
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
          Buffer.concat([emptyPdf, Buffer.alloc(3 * 1024 * 1024)]),
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
        data: {
          documents: [{ kind: 'bill', mime: 'application/pdf', bill_date: dayAgo(30) }],
        },
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
  test('the text read is the text signed: a PDF of the request, stored with name, time, IP address and text hash', async () => {
    const { owner } = await app.createCompany();
    const port = await complete(owner, { entity_name: 'Žofie & Søn – Büro, Łódź' });
    expect(port.loa).toMatchObject({
      state: 'signed',
      signed_by: 'Olive Owner',
      file: expect.stringContaining('/api/files/'),
    });
    const file = await app.server.inject({ method: 'GET', url: port.loa.file! });
    expect(file.headers['content-type']).toBe('application/pdf');
    expect(await readAloud(file.rawPayload)).toMatchObject({
      title: 'Letter of authorization',
      language: 'en-US',
      untagged: 0,
    });
    expect(await textOfPdf(file.rawPayload)).toContain('Žofie & Søn – Büro, Łódź');
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
  test('changing the letter’s content voids the signature; other changes do not', async () => {
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
  test('a drawn signature must be a picture, and an incomplete letter can’t be signed', async () => {
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
  test('a letter signed on paper is sent by mail and comes back as a document', async () => {
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
    expect(await app.mails('paper@harbor.test')).toMatchObject([
      { subject: 'Please sign: letter of authorization' },
    ]);
    expect(
      (await upload(owner, port.id, { kind: 'loa' }, emptyPdf, 'signed.pdf')).body.data.loa,
    ).toMatchObject({ state: 'signed', signed_by: 'Olive Owner' });
  });
});

describe('portability check', () => {
  test('numbers of another account here, without a known place, and premium numbers can’t be ported', async () => {
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
  test('Canadian numbers are ported by Canada’s calendar, to an address in Canada', async () => {
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

describe('audit', () => {
  test('the letter is signed in the name of the authorized person; the signed-in user is stored, shown and printed', async () => {
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
    const file = await app.server.inject({ method: 'GET', url: signed.body.data.loa.file! });
    expect(await textOfPdf(file.rawPayload)).toContain(adam.email);
    const user = await app.createPerson(company.id, 'user');
    // The letter contains the whole account number: users who see it masked don't get the file.
    expect((await get(user, port.id)).loa).toMatchObject({ state: 'signed', file: null });
  });
  test('changes of PIN, account and documents are in the audit log, without the PIN', async () => {
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
    }>`select action, before, after from audit_log where company_id = ${owner.companyId}
      and subject = ${`port:${port.id}`} order by id`.execute(app.services.db.unscoped);
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
  test('a number’s timeline says that it was ported in', async () => {
    const { owner } = await app.createCompany();
    const port = await complete(owner);
    await submit(owner, port.id);
    for (let i = 0; i < 3; i++) await advance(owner, port.id);
    const done = await get(owner, port.id);
    const { rows } = await sql<{
      type: string;
      summary: string;
    }>`select type, summary from number_event where company_id = ${owner.companyId}
      and number_id = ${done.numbers[0]!.number_id} order by id limit 1`.execute(
      app.services.db.unscoped,
    );
    expect(rows).toEqual([{ type: 'ported_in', summary: 'Ported in from another carrier' }]);
  });
});
