import { describe, expect, it } from 'vitest';
import { forwarding, numbers, routing, templates as contract } from '#contract';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { systemCtx } from '../../../platform/context.ts';
import { provisionNumber } from '../index.ts';

const app = await createTestApp();
let line = 200;
const aNumber = (companyId: number, about: object = {}) =>
  systemCtx(app.services, companyId, app.notifier).transaction((t) =>
    provisionNumber(t, { number: `+1628555${6000 + line++}`, ...about }),
  );
const make = (owner: TestPerson, body: object) =>
  app.as(owner).request(contract.createNumberTemplate, {
    params: { companyId: owner.companyId },
    body: { name: `T${line++}`, ...body },
  });
const change = (owner: TestPerson, id: number, body: object) =>
  app.as(owner).request(contract.updateNumberTemplate, {
    params: { companyId: owner.companyId, id },
    body: body,
  });
const detail = async (owner: TestPerson, id: number) =>
  (await app.as(owner).request(routing.getNumber, { params: { id } })).body.data;

describe('number templates', () => {
  it('stores settings and routes, shows routes by ID, and requires a unique name', async () => {
    const { owner } = await app.createCompany();
    const desk = (
      await app.as(owner).request(forwarding.createForwardContact, {
        body: { name: 'Desk', number: '+12125550191', type: 'phone' },
      })
    ).body.data;
    const { status, body } = await make(owner, {
      name: 'Branch',
      record: true,
      tags: ['Branch'],
      voicemail: { enabled: false },
      routes: [
        { extension: 2, type: 'voicemail' },
        {
          extension: 1,
          label: 'Sales',
          forwards: [{ contact_id: desk.id }, { number: '(212) 555-0192' }, { number: '' }],
        },
      ],
    });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      name: 'Branch',
      record: true,
      tags: [{ name: 'Branch' }],
      voicemail: { enabled: false, transcribe: true },
      usage_count: 0,
    });
    expect(
      Object.entries(body.data.routes).map(([key, route]) => [
        Number(key) === route.id,
        route.extension,
      ]),
    ).toEqual([
      [true, 1],
      [true, 2],
    ]);
    expect(Object.values(body.data.routes)[0]!.forwards).toMatchObject([
      { contact_id: desk.id, number: '+12125550191', label: 'Desk' },
      { number: '+12125550192' },
    ]);
    // As shown, so that it can be sent back.
    expect(
      (await change(owner, body.data.id, { routes: body.data.routes })).body.data.routes,
    ).toEqual(body.data.routes);
    expect((await make(owner, { name: 'branch' })).status).toBe(409);
    expect((await make(owner, { name: '' })).status).toBe(422);
    expect(
      (await make(owner, { routes: [{ forwards: [{ contact_id: 4242 }] }] })).body,
    ).toMatchObject({ errors: { 'routes.0.forwards.0.contact_id': [expect.any(String)] } });
  });

  it('AI fields turn on recording and transcription, whatever was sent', async () => {
    const { owner } = await app.createCompany();
    const made = (await make(owner, { ai_eav_enabled: true, record: false })).body.data;
    expect(made).toMatchObject({
      ai_eav_enabled: true,
      record: true,
      call_transcription_enabled: true,
    });
    expect(
      (await change(owner, made.id, { record: false, call_transcription_enabled: false })).body
        .data,
    ).toMatchObject({ record: true, call_transcription_enabled: true });
    expect(
      (await change(owner, made.id, { ai_eav_enabled: false, record: false })).body.data,
    ).toMatchObject({ ai_eav_enabled: false, record: false, call_transcription_enabled: true });
    expect(
      contract.templateInput({
        ai_eav_enabled: true,
        record: true,
        call_transcription_enabled: false,
        name: 'x',
      }),
    ).toEqual({ ai_eav_enabled: true, name: 'x' });
    expect(contract.templateInput({ ai_eav_enabled: false, record: true })).toEqual({
      ai_eav_enabled: false,
      record: true,
    });
  });

  it('is copied to numbers bought with it', async () => {
    const { owner } = await app.createCompany();
    const made = (
      await make(owner, {
        record: true,
        tags: ['New'],
        recording_announcement: 'none',
        routes: [{ extension: 1, type: 'voicemail', voicemail_enabled: true }],
      })
    ).body.data;
    const found = (
      await app.as(owner).request(numbers.locateNumbers, { body: { areaCode: '415', limit: 1 } })
    ).body.data;
    const bought = (
      await app.as(owner).request(numbers.buyNumbers, {
        body: { numbers: [found[0]!.number], template_id: made.id, tags: ['Mine'] },
      })
    ).body as { data: numbers.NumberDetail[] };
    await app.drainJobs();
    expect(await detail(owner, bought.data[0]!.id)).toMatchObject({
      template_id: made.id,
      record: true,
      recording_announcement: 'none',
      tags: [{ name: 'Mine' }, { name: 'New' }],
      routingType: 'voicemail',
      routes: [{ type: 'voicemail' }],
    });
    expect(
      (
        await app.as(owner).request(numbers.buyNumbers, {
          body: { numbers: [found[0]!.number], template_id: 999 },
        })
      ).body,
    ).toMatchObject({ errors: { template_id: ['This template doesn’t exist.'] } });
  });

  it('changes stay in the template unless propagated to the numbers that use it', async () => {
    const { company, owner } = await app.createCompany();
    const made = (await make(owner, { record: false })).body.data;
    const ids = [
      await aNumber(company.id),
      await aNumber(company.id),
      await aNumber(company.id, { category: 3 }),
    ];
    expect(
      (
        await app.as(owner).request(numbers.updateNumbersInBulk, {
          body: { ids, patch: { template_id: made.id } },
        })
      ).status,
    ).toBe(202);
    await app.drainJobs();
    expect(
      (
        await app
          .as(owner)
          .request(contract.getNumberTemplate, { params: { companyId: company.id, id: made.id } })
      ).body.data.usage_count,
    ).toBe(3);
    expect((await change(owner, made.id, { record: true })).body.data.batch).toBeNull();
    await app.drainJobs();
    expect((await detail(owner, ids[0]!)).record).toBe(false);
    const { batch } = (
      await change(owner, made.id, {
        routes: [{ extension: 1, type: 'voicemail' }],
        propagate: true,
      })
    ).body.data;
    expect(batch).toMatchObject({ total: 3, status: 'queued' });
    await app.drainJobs();
    expect(
      await Promise.all(
        ids.map(async (id) => {
          const n = await detail(owner, id);
          return [n.record, n.routes[0]!.type];
        }),
      ),
    ).toEqual([
      [true, 'voicemail'],
      [true, 'voicemail'],
      [true, 'voicemail'],
    ]);
    expect(
      (
        await app
          .as(owner)
          .request(numbers.bulkPurchaseProgress, { params: { batchId: batch!.batchId } })
      ).body.data,
    ).toMatchObject({ progress: 100, total: 3, failed: 0 });
  });

  it('can’t be deleted while numbers use it', async () => {
    const { company, owner } = await app.createCompany();
    const made = (await make(owner, {})).body.data;
    const id = await aNumber(company.id);
    await app.as(owner).request(numbers.updateNumbersInBulk, {
      body: { ids: [id], patch: { template_id: made.id } },
    });
    await app.drainJobs();
    const gone = () =>
      app
        .as(owner)
        .request(contract.deleteNumberTemplate, { params: { companyId: company.id, id: made.id } });
    expect((await gone()).body).toMatchObject({
      code: 'template.in_use',
      message: 'This template is used by 1 number. Choose another template for them first.',
    });
    await app.as(owner).request(numbers.removeNumber, { params: { id }, body: {} });
    expect((await gone()).status).toBe(204);
    expect(
      (
        await app
          .as(owner)
          .request(contract.listNumberTemplates, { params: { companyId: company.id } })
      ).body.meta.total,
    ).toBe(0);
  });

  it('at most one template is the default', async () => {
    const { owner } = await app.createCompany();
    const one = (await make(owner, { is_default: true })).body.data;
    const two = (await make(owner, { is_default: true })).body.data;
    const { data } = (
      await app
        .as(owner)
        .request(contract.listNumberTemplates, { params: { companyId: owner.companyId } })
    ).body;
    expect(data.filter((t) => t.is_default).map((t) => t.id)).toEqual([two.id]);
    expect(one.is_default).toBe(true);
  });
});
