import { describe, expect, it } from 'vitest';
import { numbers as contract, routing, templates } from '#contract';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { noFaults, setFaults } from '../../../adapters/sandbox/fault-injection.ts';
import { systemCtx } from '../../../platform/context.ts';
import { flowFor } from '../../routing/index.ts';
import { grantNumberLimit, provisionNumber } from '../index.ts';
import { updateMany } from './run.ts';
import { safeCell } from '#contract/csv';
import { releaseJob } from '../job-kinds.ts';

const app = await createTestApp();
let line = 300;
const inCompany = <T>(
  companyId: number,
  work: Parameters<ReturnType<typeof systemCtx>['transaction']>[0],
) => systemCtx(app.services, companyId, app.notifier).transaction(work) as Promise<T>;
const some = (companyId: number, count: number, about: object = {}) =>
  inCompany<number[]>(companyId, async (t) => {
    await grantNumberLimit(t, 500);
    const ids: number[] = [];
    for (let i = 0; i < count; i++)
      ids.push(await provisionNumber(t, { number: `+1628555${5000 + line++}`, ...about }));
    return ids;
  });
const update = (owner: TestPerson, body: object) =>
  app.as(owner).request(contract.updateNumbersInBulk, { body: body as never });
const events = async (companyId: number, like: string) =>
  (
    await app.services.db.pool.query(
      `select event, data from outbox where company_id = $1 and event like $2 order by id`,
      [companyId, like],
    )
  ).rows as { event: string; data: Record<string, number> }[];
const timeline = async (owner: TestPerson, number: string, query: object = {}) =>
  Object.values(
    (
      await app.as(owner).request(contract.numberTimelineEvents, {
        params: { companyId: owner.companyId, number },
        query: query,
      })
    ).body.data,
  )[0]!;

describe('bulk updates and releases', () => {
  it('a job updates the numbers, reports progress, and names its starter in the timelines', async () => {
    const { company, owner } = await app.createCompany();
    const ids = await some(company.id, 30);
    const { status, body } = await update(owner, {
      ids,
      patch: { label: 'Desk', add_tags: ['Sales'], record: true },
    });
    expect([status, body.data.total]).toEqual([202, 30]);
    await app.drainJobs();
    expect(
      (await events(company.id, 'update-numbers-%')).map((e) => [
        e.event,
        e.data['processed'],
        e.data['total'],
        e.data['progress'],
      ]),
    ).toEqual([
      ['update-numbers-progress', 25, 30, 83],
      ['update-numbers-completed', 30, 30, 100],
    ]);
    const { data, meta } = (
      await app
        .as(owner)
        .request(contract.listNumbersDatatable, { query: { tag: 'Sales', perPage: 50 } })
    ).body;
    expect([meta.total, data.every((n) => n.label === 'Desk' && n.record)]).toEqual([30, true]);
    expect(
      (await timeline(owner, data[0]!.number)).map((e) => [e.type, e.actor.type, e.actor.id]),
    ).toEqual(
      expect.arrayContaining([
        ['label_changed', 'user', owner.id],
        ['tag_added', 'user', owner.id],
        ['settings_changed', 'user', owner.id],
      ]),
    );
    await update(owner, {
      all: true,
      filters: { tag: 'Sales' },
      patch: { remove_tags: ['sales'], add_tags: ['Parts'] },
    });
    await app.drainJobs();
    expect(
      (await app.as(owner).request(contract.listNumbersDatatable, { query: { tag: 'Parts' } })).body
        .meta.total,
    ).toBe(30);
    expect(
      (await app.as(owner).request(contract.listNumbersDatatable, { query: { tag: 'Sales' } })).body
        .meta.total,
    ).toBe(0);
  }, 180_000);

  it('a number that can’t be changed is reported, and the others are changed', async () => {
    const { company, owner } = await app.createCompany();
    const [fax, voice] = [
      (await some(company.id, 1, { category: 3 }))[0]!,
      (await some(company.id, 1))[0]!,
    ];
    const { body } = await update(owner, {
      ids: [fax, voice],
      patch: { sms_enabled: true, label: 'Both' },
    });
    await app.drainJobs();
    const progress = (
      await app
        .as(owner)
        .request(contract.bulkPurchaseProgress, { params: { batchId: body.data.batchId } })
    ).body.data;
    expect(progress).toMatchObject({
      progress: 100,
      processed: 2,
      failed: 1,
      errors: [{ field: 'sms_enabled', message: 'A fax number can’t send texts.' }],
    });
    expect(
      (
        await app.as(owner).request(contract.listNumbersDatatable, { query: { search: 'Both' } })
      ).body.data.map((n) => n.id),
    ).toEqual([voice]);
  });

  it('bulk updates accept only known settings, the company’s own numbers, and at least one change', async () => {
    const { company, owner } = await app.createCompany();
    const [mine] = await some(company.id, 1);
    const foreign = await some((await app.createCompany()).company.id, 1);
    expect((await update(owner, { ids: [mine], patch: { number: '+1' } })).status).toBe(422);
    expect((await update(owner, { ids: [mine], patch: {} })).status).toBe(422);
    expect((await update(owner, { patch: { label: 'x' } })).status).toBe(422);
    expect((await update(owner, { ids: foreign, patch: { label: 'x' } })).status).toBe(422);
    expect(
      (
        await update(owner, {
          all: true,
          filters: { search: 'nothing fits this' },
          patch: { label: 'x' },
        })
      ).status,
    ).toBe(422);
  });

  it('released numbers are restored together', async () => {
    const { company, owner } = await app.createCompany();
    const ids = await some(company.id, 3);
    const remove = (body: object) =>
      app.as(owner).request(contract.removeNumbersInBulk, { body: { ids, ...body } });
    expect((await remove({})).body.data.total).toBe(3);
    await app.drainJobs();
    expect((await app.as(owner).request(contract.numberStats)).body.data.releasing).toBe(3);
    expect((await events(company.id, 'release-numbers-%')).map((e) => e.event)).toEqual([
      'release-numbers-completed',
    ]);
    expect((await remove({})).status).toBe(422);
    await remove({ undo: true });
    await app.drainJobs();
    expect((await app.as(owner).request(contract.numberStats)).body.data).toMatchObject({
      releasing: 0,
      total: 3,
    });
  });
});

describe('GET /numbers/datatable/export', () => {
  it('exports the filtered list in the requested columns, without formulas', async () => {
    const { company, owner } = await app.createCompany();
    const ids = await some(company.id, 3);
    await update(owner, { ids: [ids[0]], patch: { label: '=HYPERLINK("http://x","y")' } });
    await update(owner, { ids: [ids[1]], patch: { label: 'Desk, "front"\nétage' } });
    await app.drainJobs();
    const { status, body } = await app.as(owner).request(contract.exportNumbers, {
      query: { columns: ['number', 'label'], sort: 'number', dir: 'asc' },
    });
    expect([status, body.data.rows]).toEqual([200, 3]);
    const file = await app.as(owner).inject({ method: 'GET', url: body.data.url });
    expect(String(file.headers['content-disposition'])).toContain('attachment');
    const text = String(file.body).replace(/^\uFEFF/, '');
    expect(text.split('\r\n')[0]).toBe('Number,Label');
    expect(text).toContain(`"'=HYPERLINK(""http://x"",""y"")"`);
    expect(text).toContain('"Desk, ""front""\nétage"');
    expect(text).toMatch(/\r\n\+1628555\d{4},/);
    expect(
      (await app.as(owner).request(contract.exportNumbers, { query: { search: 'Desk' } })).body.data
        .rows,
    ).toBe(1);
    expect(
      (
        await app
          .as(owner)
          .request(contract.exportNumbers, { query: { columns: ['nonsense'] } as never })
      ).status,
    ).toBe(422);
  });
  it('cells that begin like a formula are exported as text', () => {
    for (const cell of ['=1', '+1+1', '-1', '@x', '\tx', '\rx', '+12'])
      expect(safeCell(cell)).toBe(`'${cell}`);
    for (const cell of ['+12125550147', 'a=1', '', '1']) expect(safeCell(cell)).toBe(cell);
  });
});

describe('rotating a number', () => {
  it('buys a similar number with the same settings and routes, and forwards callers until the old one returns', async () => {
    const { company, owner } = await app.createCompany();
    const [id] = await some(company.id, 1, { label: 'Desk' });
    const una = await app.createPerson(company.id, 'user', [id!]);
    await app.as(owner).request(routing.updateNumber, {
      params: { id: id! },
      body: {
        record: true,
        tags: ['Old'],
        routes: [{ extension: 1, forwards: [{ number: '+12125550177' }] }],
      },
    });
    await app.drainJobs();
    const before = (await app.as(owner).request(routing.getNumber, { params: { id: id! } })).body
      .data;
    const { status, body } = await app
      .as(owner)
      .request(contract.rotateNumber, { params: { id: id! }, body: {} });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      rotated_from: id,
      label: 'Desk',
      record: true,
      tags: [{ name: 'Old' }],
      user_ids: [una.id],
      status: 'active',
      area_code: before.area_code,
    });
    expect(body.data.number).not.toBe(before.number);
    await app.drainJobs();
    const fresh = (await app.as(owner).request(routing.getNumber, { params: { id: body.data.id } }))
      .body.data;
    expect(fresh.routes).toMatchObject([{ forwards: [{ number: '+12125550177' }] }]);
    const old = (await app.as(owner).request(routing.getNumber, { params: { id: id! } })).body.data;
    expect([
      old.status,
      Math.round((Date.parse(old.returns_at!) - app.clock.value.getTime()) / 86_400_000),
    ]).toEqual(['releasing', 30]);
    // Changes of the new number apply to callers of the old one.
    await app.as(owner).request(routing.updateNumber, {
      params: { id: fresh.id },
      body: { routes: [{ extension: 1, forwards: [{ number: '+12125550178' }] }] },
    });
    const flow = await inCompany<Awaited<ReturnType<typeof flowFor>>>(company.id, (t) =>
      flowFor(t, id!),
    );
    expect([flow.service, flow.number.number, flow.routes[0]!.forwards[0]!.number]).toEqual([
      'active',
      before.number,
      '+12125550178',
    ]);
    expect(
      (await timeline(owner, before.number, { types: ['rotated'] })).map((e) => e.summary)[0],
    ).toContain(fresh.number);
    expect((await timeline(owner, fresh.number)).map((e) => e.type)).toEqual(
      expect.arrayContaining(['rotated', 'purchased']),
    );
    app.clock.advance(31 * 86_400);
    await app.drainJobs();
    expect(
      (await inCompany<Awaited<ReturnType<typeof flowFor>>>(company.id, (t) => flowFor(t, id!)))
        .service,
    ).toBe('notInService');
    expect(
      (await app.as(owner).request(contract.rotateNumber, { params: { id: id! }, body: {} })).body,
    ).toMatchObject({ code: 'numbers.cannot_rotate' });
  });
});

describe('routes exist when the request is answered', () => {
  // The schema applies defaults that the type of the response requires.
  const route = (number: string) => [{ extension: 1, forwards: [{ number }] }];
  const flowOf = (companyId: number, id: number) =>
    inCompany<Awaited<ReturnType<typeof flowFor>>>(companyId, (t) => flowFor(t, id));
  const rotate = (owner: TestPerson, id: number) =>
    app.as(owner).request(contract.rotateNumber, { params: { id }, body: {} });

  it('the first call after a rotation is routed without waiting for the job queue', async () => {
    const { company, owner } = await app.createCompany();
    const [id] = await some(company.id, 1);
    await app.as(owner).request(routing.updateNumber, {
      params: { id: id! },
      body: { routes: route('+12125550171') },
    });
    await app.drainJobs();
    await app.stopJobs();
    const { status, body } = await rotate(owner, id!);
    expect([status, body.data.routingType]).toEqual([201, 'standard']);
    expect((await flowOf(company.id, body.data.id)).routes[0]!.forwards[0]!.number).toBe(
      '+12125550171',
    );
    expect((await flowOf(company.id, id!)).routes[0]!.forwards[0]!.number).toBe('+12125550171');
    expect(
      (await app.as(owner).request(routing.getNumber, { params: { id: body.data.id } })).body.data
        .routes,
    ).toMatchObject(route('+12125550171'));
    await app.drainJobs();
  });
  it('the first call to a number bought with a template uses its routes', async () => {
    const { owner, company } = await app.createCompany();
    await inCompany(company.id, (t) => grantNumberLimit(t, 500));
    const template = await app.as(owner).request(templates.createNumberTemplate, {
      params: { companyId: company.id },
      body: { name: 'Desk', routes: route('+12125550172') },
    });
    await app.drainJobs();
    await app.stopJobs();
    const bought = await app.as(owner).request(contract.buyNumbers, {
      body: { numbers: ['+16285554101'], template_id: template.body.data.id },
    });
    expect(bought.status, JSON.stringify(bought.body)).toBe(201);
    const [{ id }] = bought.body.data as { id: number }[] as [{ id: number }];
    expect((await flowOf(company.id, id)).routes[0]!.forwards[0]!.number).toBe('+12125550172');
    await app.drainJobs();
  });
  it('numbers that a bulk template job reports as done have its routes before any subscriber runs', async () => {
    const { owner, company } = await app.createCompany();
    const ids = await some(company.id, 2);
    const template = await app.as(owner).request(templates.createNumberTemplate, {
      params: { companyId: company.id },
      body: { name: 'Desk', record: true, routes: route('+12125550174') },
    });
    await app.drainJobs();
    await app.stopJobs();
    const { data } = (await update(owner, { ids, patch: { template_id: template.body.data.id } }))
      .body;
    await updateMany(systemCtx(app.services, company.id, app.notifier), { batchId: data.batchId });
    expect(
      (
        await app
          .as(owner)
          .request(contract.bulkPurchaseProgress, { params: { batchId: data.batchId } })
      ).body.data,
    ).toMatchObject({ progress: 100, processed: 2, failed: 0 });
    for (const id of ids)
      expect((await flowOf(company.id, id)).routes[0]!.forwards[0]!.number).toBe('+12125550174');
    await app.drainJobs();
    // Once for each number; the subscriber doesn't apply them again.
    const { rows } = await app.services.db.pool.query<{ n: number }>(
      `select count(*)::int n from flow_version where number_id = any($1)`,
      [ids],
    );
    expect(rows[0]!.n).toBe(4);
  });
  it('each number in a chain of rotations forwards to the live one for its thirty days', async () => {
    const { company, owner } = await app.createCompany();
    const [first] = await some(company.id, 1);
    await app.as(owner).request(routing.updateNumber, {
      params: { id: first! },
      body: { routes: route('+12125550173') },
    });
    const chain = [first!];
    for (let i = 0; i < 3; i++) chain.push((await rotate(owner, chain.at(-1)!)).body.data.id);
    for (const id of chain)
      expect([
        (await flowOf(company.id, id)).service,
        (await flowOf(company.id, id)).routes[0]!.forwards[0]!.number,
      ]).toEqual(['active', '+12125550173']);
    // Once the last number is released for good, nothing answers.
    await app.as(owner).request(contract.removeNumber, { params: { id: chain.at(-1)! }, body: {} });
    expect((await flowOf(company.id, first!)).service).toBe('notInService');
    app.clock.advance(31 * 86_400);
    expect((await flowOf(company.id, first!)).service).toBe('notInService');
    await app.drainJobs();
  });
  it('rotation skips offers that others reserved, and keeps no reservations', async () => {
    const { company, owner } = await app.createCompany();
    const { owner: other } = await app.createCompany();
    const [id] = await some(company.id, 1);
    const held = await app.as(other).request(contract.locateNumbers, {
      body: { country: 'US', category: 2, areaCode: '628', limit: 8 },
    });
    const { status, body } = await rotate(owner, id!);
    expect([held.body.data.length, status], JSON.stringify(body)).toEqual([8, 201]);
    expect(
      (
        await app.services.db.pool.query(
          'select count(*)::int n from number_reservation where company_id = $1',
          [company.id],
        )
      ).rows,
    ).toEqual([{ n: 0 }]);
    await app.drainJobs();
  });
  it('rotation reports an unreachable carrier', async () => {
    const { company, owner } = await app.createCompany();
    const [id] = await some(company.id, 1);
    setFaults({ ...noFaults, outage: true });
    const { status, body } = await rotate(owner, id!);
    setFaults(noFaults);
    expect([status, body]).toEqual([409, expect.objectContaining({ code: 'carrier.unreachable' })]);
    expect(
      (await app.as(owner).request(routing.getNumber, { params: { id: id! } })).body.data.status,
    ).toBe('active');
  });
});

describe('the timeline of a number', () => {
  it('the timeline lists events newest first, in pages, also for a released number', async () => {
    const { company, owner } = await app.createCompany();
    const [id] = await some(company.id, 1);
    await app.drainJobs();
    for (const label of ['One', 'Two', ''])
      await app.as(owner).request(routing.updateNumber, { params: { id: id! }, body: { label } });
    await app
      .as(owner)
      .request(contract.removeNumber, { params: { id: id! }, body: { reason: 'Moved' } });
    const { number } = (await app.as(owner).request(routing.getNumber, { params: { id: id! } }))
      .body.data;
    const lines = await timeline(owner, number);
    expect(lines.map((e) => e.summary)).toEqual([
      expect.stringMatching(/^Released: stops now.*\(Moved\)$/),
      'Label “Two” removed',
      'Label changed from “One” to “Two”',
      'Labeled “One”',
      expect.stringContaining('Calls:'),
      'Purchased',
    ]);
    const first = await app.as(owner).request(contract.numberTimelineEvents, {
      params: { companyId: company.id, number },
      query: { limit: 4 },
    });
    const rest = await app.as(owner).request(contract.numberTimelineEvents, {
      params: { companyId: company.id, number },
      query: { limit: 4, cursor: first.body.meta.next_cursor! },
    });
    expect([...first.body.data[number]!, ...rest.body.data[number]!].map((e) => e.id)).toEqual(
      lines.map((e) => e.id),
    );
    expect(rest.body.meta.next_cursor).toBeNull();
    expect(
      (
        await app
          .as(owner)
          .request(contract.numberTimelineMetaData, { params: { companyId: company.id, number } })
      ).body,
    ).toMatchObject({
      data: { number, event_count: 6 },
      meta: { lastActivity: { type: 'released' } },
    });
    expect(
      (
        await app.as(owner).request(contract.numberTimelineEvents, {
          params: { companyId: company.id, number: '+12125550100' },
        })
      ).status,
    ).toBe(404);
    app.clock.advance(73 * 3600);
    await inCompany(company.id, (t) => t.enqueue(releaseJob, { numberId: id! }));
    await app.drainJobs();
    expect((await timeline(owner, number))[0]!.summary).toBe('Returned to the carrier');
  });
});
