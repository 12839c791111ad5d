import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { normalizePhone, numbers, porting as contract } from '#contract';
import { emptyPdf, portingOf } from '../../../test/support/porting.ts';
import { createTestApp, type TestPerson } from '../../../test/support/test-app.ts';
import { advancePort } from '../../adapters/sandbox/porting-jobs.ts';
import { noFaults, setFaults } from '../../adapters/sandbox/fault-injection.ts';
import { systemCtx } from '../../platform/context.ts';
import type { PortReport } from '../../gateways/porting.ts';
import { checkPortStatus } from './apply-port-report.ts';
import { receivePorts } from './inbound.ts';
import { submitToCarrier } from './submit-port.ts';

const app = await createTestApp();
const { nextNumber, upload, make, complete, get, submit, advance } = portingOf(app);
afterAll(() => void setFaults(noFaults));

describe('from submission to completion', () => {
  test('each status is passed and mailed; at the end the numbers belong to the company and take calls', async () => {
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
    expect((await app.mails('states@harbor.test')).map((m) => m.subject)).toEqual([
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
    // The number can't be bought by others, and the request can't be canceled.
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
  test('an account number ending in 13 needs a customer service record; once added, the port goes on', async () => {
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
    await upload(owner, port.id, { kind: 'csr' }, emptyPdf, 'record.pdf');
    expect((await submit(owner, port.id)).body.data).toMatchObject({
      status: 'submitted',
      documents_wanted: [],
    });
    expect((await advance(owner, port.id)).status).toBe('inProgress');
  });
  test('a wrong PIN is rejected with a fix; corrected, the request is submitted again', async () => {
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
  test('canceling stops the order at the carrier, and the number may be requested again', async () => {
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
  test('duplicate, late and missing reports end in the carrier’s state', async () => {
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
  test('a number taken by another account raises an alarm and the rest is added; completed only once every number is here', async () => {
    const { owner } = await app.createCompany();
    const { owner: quicker } = await app.createCompany();
    const [a, b] = [nextNumber(), nextNumber()];
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
      (await app.mails('olive@harbor.test'))
        .map((m) => m.text)
        .filter((text) => text.includes(waiting.alarm!.text)),
    ).toHaveLength(1);
    const stats = () =>
      app.as(owner).request(contract.portStats, { params: { companyId: owner.companyId } });
    expect((await stats()).body.data).toMatchObject({ completed30d: 0, inProgress: 1 });
    // The other account releases it: the next poll adds it, and only then is the request completed.
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
  test('a rejected order shows the carrier’s reason, and nothing is under way', async () => {
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
  test('an unsigned webhook changes nothing', async () => {
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

describe('canceling while sending', () => {
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

  test('canceled before the job started: no order is created', async () => {
    const { owner } = await app.createCompany();
    const port = await complete(owner);
    await app.stopJobs();
    await submit(owner, port.id);
    expect((await cancel(owner, port.id)).body.data.status).toBe('canceled');
    await app.drainJobs();
    expect(await orderState(owner, port.id)).toBeNull();
  });
  test('canceled while the carrier is accepting the order: the order is canceled there', async () => {
    const { owner } = await app.createCompany();
    const port = await complete(owner);
    const porting = app.services.gateways.carriers.byName('sandbox')!.porting!;
    const { submit: reallySubmit } = porting;
    let canceled: Awaited<ReturnType<typeof cancel>> | undefined;
    // The company cancels before the carrier has stored the order, which is stored afterwards.
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
  test('canceled after the carrier’s response was lost: the order is canceled there', async () => {
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
  test('a request is never shown as canceled while the carrier is unavailable', async () => {
    const { owner } = await app.createCompany();
    const port = await complete(owner);
    await submit(owner, port.id);
    await app.drainJobs();
    setFaults({ ...noFaults, outage: true });
    expect((await cancel(owner, port.id)).body).toMatchObject({ code: 'carrier.unreachable' });
    setFaults(noFaults);
    expect((await get(owner, port.id)).status).toBe('submitted');
  });
  test('a report that a canceled order continues cancels it at the carrier again', async () => {
    const { owner } = await app.createCompany();
    const port = await complete(owner);
    await submit(owner, port.id);
    await app.drainJobs();
    await cancel(owner, port.id);
    // As if the carrier had not done what it confirmed.
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
  test('an order the carrier can’t stop raises an alarm on the request, by mail and in the audit log; moved numbers are kept', async () => {
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
    const attention = (await app.mails('alarm@harbor.test')).filter(
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

test('the ported number answers as the temporary number did', async () => {
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
