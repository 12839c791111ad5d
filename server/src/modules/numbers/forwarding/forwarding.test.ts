import { describe, expect, it } from 'vitest';
import { calls, forwarding as contract, routing } from '#contract';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { systemCtx } from '../../../platform/context.ts';
import { flowFor } from '../../routing/index.ts';
import { provisionNumber } from '../index.ts';

const app = await createTestApp();
let line = 100;
const inCompany = <T>(
  companyId: number,
  work: Parameters<ReturnType<typeof systemCtx>['transaction']>[0],
) => systemCtx(app.services, companyId, app.notifier).transaction(work) as Promise<T>;
const aNumber = (companyId: number) =>
  inCompany<number>(companyId, (t) => provisionNumber(t, { number: `+1628555${7000 + line++}` }));
const phone = () => `+1212555${String(line++).padStart(4, '0')}`;
const add = async (
  owner: TestPerson,
  body: Partial<contract.ForwardContactIn> & { name: string },
) =>
  (await app.as(owner).request(contract.createForwardContact, { body: { type: 'phone', ...body } }))
    .body.data;
const route = (owner: TestPerson, numberId: number, contactId: number, more: object = {}) =>
  app.as(owner).request(routing.updateNumber, {
    params: { id: numberId },
    body: { routes: [{ extension: 1, forwards: [{ contact_id: contactId }], ...more }] },
  });
const rung = (companyId: number, numberId: number) =>
  inCompany<string[]>(companyId, async (t) =>
    (await flowFor(t, numberId, { reachable: new Set() })).routes.flatMap((r) =>
      r.forwards.map((f) => f.number ?? `user:${f.userId}`),
    ),
  );
const errorsOf = (answer: { body: unknown }) =>
  (answer.body as { errors: Record<string, string[]> }).errors;

describe('forwarding contacts', () => {
  it('numbers are normalized, and each destination is stored once', async () => {
    const { owner } = await app.createCompany();
    const to = phone();
    const { status, body } = await app.as(owner).request(contract.createForwardContact, {
      body: {
        name: 'Desk',
        number: `(${to.slice(2, 5)}) ${to.slice(5, 8)}-${to.slice(8)}`,
        tags: ['Night'],
        confirm_key: '#',
      },
    });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      name: 'Desk',
      number: to,
      type: 'phone',
      extension: null,
      confirm_key: 65_534,
      caller_id_pass_thru: true,
      tags: [{ name: 'Night' }],
      used_by_count: 0,
      is_verified: false,
      answer_rate_30d: null,
      is_failing: false,
    });
    const twin = await app
      .as(owner)
      .request(contract.createForwardContact, { body: { name: 'Again', number: to } });
    expect([twin.status, (twin.body as unknown as { code: string }).code]).toEqual([
      409,
      'forwarding.exists',
    ]);
    expect(
      (
        await app.as(owner).request(contract.createForwardContact, {
          body: { name: 'Behind it', number: to, extension: '204' },
        })
      ).status,
    ).toBe(201);
  });

  it('invalid destinations fail with 422 on the field', async () => {
    const { company, owner } = await app.createCompany();
    const wrong = (body: object) =>
      app
        .as(owner)
        .request(contract.createForwardContact, { body: { name: 'X', ...body } })
        .then(errorsOf);
    expect(await wrong({ number: '12' })).toHaveProperty('number');
    expect(await wrong({ type: 'sip', number: phone() })).toHaveProperty('number');
    expect(await wrong({ type: 'user' })).toHaveProperty('user_id');
    expect(await wrong({ type: 'user', user_id: (await app.createCompany()).owner.id })).toEqual({
      user_id: ['This person isn’t in the company.'],
    });
    expect(await wrong({ number: phone(), schedule_id: 12 })).toHaveProperty('schedule_id');
    const una = await app.createPerson(company.id, 'user');
    expect(await add(owner, { name: 'Una', type: 'user', user_id: una.id })).toMatchObject({
      type: 'user',
      number: null,
      user: { id: una.id, name: expect.stringContaining('user') },
    });
    expect(
      await add(owner, { name: 'Desk', type: 'sip', number: 'sip:desk@example.com' }),
    ).toMatchObject({ number: 'sip:desk@example.com' });
    expect(
      (
        await app.as(una).request(contract.createForwardContact, {
          body: { name: 'No', number: phone() },
        })
      ).status,
    ).toBe(403);
  });

  it('after a change of number, every route that refers to the contact uses it at the next call', async () => {
    const { company, owner } = await app.createCompany();
    const [one, two] = [await aNumber(company.id), await aNumber(company.id)];
    const desk = await add(owner, {
      name: 'Desk',
      number: phone(),
      caller_id_pass_thru: false,
      extension: '204',
      confirm_key: '1',
    });
    expect((await route(owner, one, desk.id)).body.data.routes[0]!.forwards).toMatchObject([
      { contact_id: desk.id, number: desk.number, label: 'Desk' },
    ]);
    await route(owner, two, desk.id, { type: 'simultaneous' });
    const moved = phone();
    expect(
      (
        await app.as(owner).request(contract.updateForwardContact, {
          params: { id: desk.id },
          body: { number: moved },
        })
      ).body.data,
    ).toMatchObject({ number: moved, extension: '204', name: 'Desk', used_by_count: 2 });
    expect(await Promise.all([rung(company.id, one), rung(company.id, two)])).toEqual([
      [moved],
      [moved],
    ]);
    await app.drainJobs();
    expect(
      (await app.as(owner).request(routing.getNumber, { params: { id: one } })).body.data
        .forwardNumber,
    ).toBe(moved);
    const [forward] = (
      await inCompany<Awaited<ReturnType<typeof flowFor>>>(company.id, (t) => flowFor(t, one))
    ).routes[0]!.forwards;
    expect(forward).toMatchObject({
      callerId: 'tracking',
      digits: '204',
      confirmKey: '1',
      label: 'Desk',
    });
  });

  it('a saved route keeps its contact; loops and unknown contacts are rejected', async () => {
    const { company, owner } = await app.createCompany();
    const one = await aNumber(company.id);
    const desk = await add(owner, { name: 'Desk', number: phone() });
    const shown = (await route(owner, one, desk.id)).body.data.routes;
    expect(
      (
        await app
          .as(owner)
          .request(routing.updateNumber, { params: { id: one }, body: { routes: shown } })
      ).body.data.routes[0]!.forwards,
    ).toMatchObject([{ contact_id: desk.id }]);
    const own = (await app.as(owner).request(routing.getNumber, { params: { id: one } })).body.data
      .number;
    const circle = await add(owner, { name: 'Circle', number: own });
    expect(errorsOf(await route(owner, one, circle.id))).toHaveProperty([
      'routes.0.forwards.0.contact_id',
    ]);
    expect(errorsOf(await route(owner, one, 424_242))).toHaveProperty([
      'routes.0.forwards.0.contact_id',
    ]);
    const foreign = await add((await app.createCompany()).owner, {
      name: 'Theirs',
      number: phone(),
    });
    expect(errorsOf(await route(owner, one, foreign.id))).toHaveProperty([
      'routes.0.forwards.0.contact_id',
    ]);
  });

  it('a contact in use is deleted only with a replacement for all of its routes', async () => {
    const { company, owner } = await app.createCompany();
    const [one, two] = [await aNumber(company.id), await aNumber(company.id)];
    const old = await add(owner, { name: 'Old desk', number: phone() });
    const fresh = await add(owner, { name: 'New desk', number: phone() });
    await route(owner, one, old.id);
    await route(owner, two, old.id);
    const refused = await app
      .as(owner)
      .request(contract.deleteForwardContact, { params: { id: old.id } });
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({
      message: 'This forwarding number is used by 2 routes. Choose a replacement first.',
      errors: [{ routes: [{ number_id: one }, { number_id: two }] }],
    });
    expect(
      (
        await app.as(owner).request(contract.forwardContactUsage, { params: { id: old.id } })
      ).body.data.map((use) => use.number_id),
    ).toEqual([one, two]);
    expect(
      (
        await app.as(owner).request(contract.deleteForwardContact, {
          params: { id: old.id },
          query: { replace_with: old.id },
        })
      ).status,
    ).toBe(422);
    expect(
      (
        await app.as(owner).request(contract.deleteForwardContact, {
          params: { id: old.id },
          query: { replace_with: fresh.id },
        })
      ).status,
    ).toBe(204);
    // Applies at once, before any subscriber runs.
    expect(await Promise.all([rung(company.id, one), rung(company.id, two)])).toEqual([
      [fresh.number],
      [fresh.number],
    ]);
    expect(
      (await app.as(owner).request(contract.getForwardContact, { params: { id: fresh.id } })).body
        .data.used_by_count,
    ).toBe(2);
    await app.drainJobs();
    expect(
      (await app.as(owner).request(routing.getNumber, { params: { id: two } })).body.data,
    ).toMatchObject({
      forwardNumber: fresh.number,
      routes: [{ forwards: [{ contact_id: fresh.id }] }],
    });
    expect(
      (await app.as(owner).request(contract.forwardContactUsage, { params: { id: fresh.id } })).body
        .data,
    ).toHaveLength(2);
    expect(
      (await app.as(owner).request(contract.getForwardContact, { params: { id: old.id } })).status,
    ).toBe(404);
    expect(
      (await app.as(owner).request(contract.listForwardContacts)).body.data.map((c) => c.name),
    ).toEqual(['New desk']);
  });

  it('answered calls count once, and below 20 % of at least 20 the contact is failing', async () => {
    const { company, owner } = await app.createCompany();
    const one = await aNumber(company.id);
    const desk = await add(owner, { name: 'Desk', number: phone() });
    const forwardId = (await route(owner, one, desk.id)).body.data.routes[0]!.forwards[0]!.id;
    const say = (leg: string, answered: boolean) =>
      inCompany(company.id, (t) =>
        t.publish(
          calls.destinationsRung,
          {
            callId: 1,
            numberId: one,
            at: t.now.toISOString(),
            legs: [{ leg, forwardId, answered }],
          },
          { numberId: one },
        ),
      );
    for (let i = 0; i < 20; i++) await say(`leg-${i}`, i < 3);
    await say('leg-0', true);
    await app.drainJobs();
    const shown = (
      await app.as(owner).request(contract.getForwardContact, { params: { id: desk.id } })
    ).body.data;
    expect(shown).toMatchObject({
      attempts_30d: 20,
      answer_rate_30d: 0.15,
      is_failing: true,
      is_verified: true,
      last_answered_at: expect.any(String),
    });
    expect((await app.as(owner).request(contract.forwardContactStats)).body.data).toEqual({
      total: 1,
      unused: 0,
      failing: 1,
    });
    expect(
      (await app.as(owner).request(contract.listForwardContacts, { query: { state: 'failing' } }))
        .body.meta.total,
    ).toBe(1);
    await app.as(owner).request(contract.updateForwardContact, {
      params: { id: desk.id },
      body: { number: phone() },
    });
    expect(
      (await app.as(owner).request(contract.getForwardContact, { params: { id: desk.id } })).body
        .data.is_verified,
    ).toBe(false);
  });

  it('search by name and digits returns pages', async () => {
    const { owner } = await app.createCompany();
    for (let i = 0; i < 5; i++) await add(owner, { name: `Place ${i}`, number: phone() });
    const first = await app
      .as(owner)
      .request(contract.listForwardContacts, { query: { perPage: 2, page: 2 } });
    expect(first.body).toMatchObject({
      data: [{ name: 'Place 2' }, { name: 'Place 3' }],
      meta: { total: 5, last_page: 3 },
    });
    expect(
      (await app.as(owner).request(contract.listForwardContacts, { query: { search: 'place 4' } }))
        .body.data,
    ).toHaveLength(1);
    expect(
      (
        await app.as(owner).request(contract.listForwardContacts, {
          query: { search: first.body.data[0]!.number!.slice(-4) },
        })
      ).body.data,
    ).toHaveLength(1);
    expect(
      (
        await app.as(owner).inject({
          method: 'GET',
          url: `/api/forward-contacts?companyId=${owner.companyId}&sort=nonsense`,
        })
      ).status,
    ).toBe(422);
  });
});

describe('GET /extension-suggestions', () => {
  it('returns labels and extensions in use with the count of numbers, and the next free one in meta', async () => {
    const { company, owner } = await app.createCompany();
    const [one, two] = [await aNumber(company.id), await aNumber(company.id)];
    const ask = async (query: object) =>
      (await app.as(owner).request(contract.extensionSuggestions, { query })).body;
    // A new number's default route.
    expect(await ask({ number_ids: [one] })).toMatchObject({
      data: [{ label: '', extension: 1, count: 1 }],
      meta: { next: 2 },
    });
    const routes = (...all: [number, string][]) => ({
      routes: all.map(([extension, label]) => ({ extension, label })),
    });
    await app.as(owner).request(routing.updateNumber, {
      params: { id: one },
      body: routes([1, 'Sales'], [24, 'Service']),
    });
    await app
      .as(owner)
      .request(routing.updateNumber, { params: { id: two }, body: routes([1, 'Sales']) });
    expect(await ask({})).toMatchObject({
      data: [
        { label: 'Sales', extension: 1, count: 2 },
        { label: 'Service', extension: 24, count: 1 },
      ],
      meta: { next: 25 },
    });
    expect((await ask({ search: 'sal' })).data).toEqual([
      { label: 'Sales', extension: 1, count: 2 },
    ]);
    expect((await ask({ search: '24' })).data.map((row) => row.label)).toEqual(['Service']);
    expect(await ask({ number_ids: two })).toMatchObject({
      data: [{ label: 'Sales', extension: 1, count: 1 }],
      meta: { next: 2 },
    });
    expect((await ask({ perPage: 1 })).data).toHaveLength(1);
    expect(
      (
        await app
          .as(owner)
          .request(contract.extensionSuggestions, { query: { number_ids: [999_999] } })
      ).status,
    ).toBe(404);
    const other = await app.createCompany();
    expect(
      (await app.as(other.owner).request(contract.extensionSuggestions, { query: {} })).body.data,
    ).toEqual([]);
  });
});
