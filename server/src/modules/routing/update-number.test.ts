import { describe, expect, it } from 'vitest';
import { numbers, routing } from '#contract';
import { createTestApp, type TestPerson } from '../../../test/support/test-app.ts';
import { systemCtx, type TxCtx } from '../../platform/context.ts';
import { insertTestNumber } from '../../../test/support/test-number.ts';
import { flowFor } from './index.ts';

const app = await createTestApp();

let numbersGiven = 2300;
const aNumber = async () => {
  const { company, owner } = await app.createCompany();
  const number = `+1415555${(numbersGiven += 1)}`;
  const id = await insertTestNumber(app, company.id, number);
  return { company, owner, id, number, me: app.as(owner) };
};
const inCompany = <T>(companyId: number, work: (ctx: TxCtx) => Promise<T>) =>
  systemCtx(app.services, companyId, app.notifier).transaction(work);
const put = (who: TestPerson, id: number, body: Record<string, unknown>) =>
  app.as(who).inject({ method: 'PUT', url: `/api/numbers/${id}`, payload: body });

describe('PUT /numbers/{id}', () => {
  it('names people whom its routes ring although they can’t see the number, until they can', async () => {
    const { company, owner, id, me } = await aNumber();
    const elsewhere = await insertTestNumber(app, company.id, `+1415555${(numbersGiven += 1)}`);
    const limited = await app.createPerson(company.id, 'user', [elsewhere]);
    const free = await app.createPerson(company.id, 'user');
    const routes = [{ forwards: [{ user_id: limited.id }, { user_id: free.id }] }];
    const { body } = await put(owner, id, { routes });
    expect(body.data.excluded_users).toEqual([{ id: limited.id, name: expect.any(String) }]);
    const reasons = async () => {
      const { body: simulated } = await me.request(routing.simulateNumber, {
        params: { id },
        body: { from: '+12125550147' },
      });
      return JSON.stringify(simulated.data);
    };
    expect(await reasons()).toContain('can’t see this number, so it doesn’t ring them.');
    const given = await put(owner, id, { user_ids: [limited.id] });
    expect(given.body.data.excluded_users).toEqual([]);
    expect(await reasons()).not.toContain('can’t see this number');
    const { body: other } = await me.request(routing.getNumber, { params: { id: elsewhere } });
    expect(other.data.excluded_users).toEqual([]);
  });

  it('fills in the specified defaults', async () => {
    const { owner, id } = await aNumber();
    const { status, body } = await put(owner, id, {
      routes: [{ forwards: [{ number: '(212) 555-0147' }] }],
    });
    expect(status).toBe(200);
    expect(body.data.routes).toMatchObject([
      {
        extension: 1,
        label: '',
        type: 'standard',
        business_hours: null,
        stagger: false,
        caller_id_pass_thru: true,
        confirm_key: false,
        confirm_key_wait: 10,
        timeout: 20,
        onhold_music_id: null,
        geo_by_state_enabled: false,
        geo_by_state_static_fallback: true,
        confirm_whisper: '',
        email_alert_address: [],
        voicemail_enabled: false,
        round_robin: 'none',
        max_attempts: 1,
        forwards: [{ number: '+12125550147', order: 0, weight: null, timeout: null }],
      },
    ]);
    expect(body.data).toMatchObject({ routingType: 'standard', forwardNumber: '+12125550147' });
  });

  it('normalizes entries: null extension, empty numbers, screen flags, vanity letters', async () => {
    const { owner, id } = await aNumber();
    const { body } = await put(owner, id, {
      routes: [
        {
          extension: null,
          isValid: true,
          forwards: [{ number: '' }, { number: '1-800-FLOWERS', usingIntNumber: true }],
        },
      ],
    });
    expect(body.data.routes).toMatchObject([
      { extension: 1, forwards: [{ number: '+18003569377' }] },
    ]);
  });

  it('reports errors by field', async () => {
    const { owner, id, number } = await aNumber();
    const wrong = await put(owner, id, {
      routes: [{ forwards: [{ number: '+12125550147' }, { number: 'x12' }], timeout: 2 }],
    });
    expect([wrong.status, wrong.body.errors]).toEqual([
      422,
      {
        'routes.0.forwards.1.number': ['Enter a valid phone number.'],
        'routes.0.timeout': ['At least 5 seconds.'],
      },
    ]);
    const outsider = await app.createCompany();
    const unknown = await put(owner, id, {
      routes: [{ forwards: [{ user_id: outsider.owner.id }, { number }] }],
    });
    expect(unknown.body.errors).toEqual({
      'routes.0.forwards.0.user_id': ['This person isn’t in the company.'],
      'routes.0.forwards.1.number': ['A number can’t forward to itself.'],
    });
    const twice = await put(owner, id, { routes: [{ extension: 3 }, { extension: 3 }] });
    expect(twice.body.errors).toEqual({ 'routes.1.extension': ['Extension 3 is used twice.'] });
    const overlap = await put(owner, id, {
      routes: [
        {
          business_hours: {
            preset: 4,
            blocks: [
              {
                days: ['mon'],
                times: [
                  { start: '09:00', end: '12:00' },
                  { start: '11:00', end: '13:00' },
                ],
              },
            ],
          },
        },
      ],
    });
    expect(Object.keys(overlap.body.errors)).toEqual(['routes.0.business_hours.blocks.0.times.1']);
  });

  it('keeps route and destination ids, allows swapped extensions, deletes what is absent', async () => {
    const { owner, id } = await aNumber();
    const first = (
      await put(owner, id, {
        routes: [
          { extension: 1, label: 'Sales', forwards: [{ number: '+12125550147' }] },
          { extension: 2, label: 'Service' },
          { extension: 3, label: 'Gone' },
        ],
      })
    ).body.data.routes;
    const swapped = await put(owner, id, {
      routes: [
        { ...first[0], extension: 2 },
        { ...first[1], extension: 1 },
      ],
    });
    expect(swapped.status).toBe(200);
    expect(
      swapped.body.data.routes.map((r: routing.Route) => [r.id, r.extension, r.label]),
    ).toEqual([
      [first[1].id, 1, 'Service'],
      [first[0].id, 2, 'Sales'],
    ]);
    expect(swapped.body.data.routes[1].forwards[0].id).toBe(first[0].forwards[0].id);
  });

  it('serializes concurrent saves, also with the first routes of a new number', async () => {
    const { owner, id, me } = await aNumber();
    const answers = await Promise.all(
      [1, 2, 3, 4, 5].map((n) =>
        put(owner, id, {
          label: `Saver ${n}`,
          routes: [
            { extension: 1, label: `A${n}` },
            { extension: 2, label: `B${n}` },
          ],
        }),
      ),
    );
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200, 200]);
    await app.drainJobs();
    const labels = (await me.request(routing.getNumber, { params: { id } })).body.data.routes.map(
      (route) => route.label,
    );
    expect([labels.length, labels[0]?.slice(1)]).toEqual([2, labels[1]?.slice(1)]);
  });

  it('rejects a forward to our number that leads back, over any number of hops', async () => {
    const { owner, company, id, number } = await aNumber();
    const second = await insertTestNumber(app, company.id, '+14155552202');
    const third = await insertTestNumber(app, company.id, '+14155552203');
    expect((await put(owner, second, { routes: [{ forwards: [{ number }] }] })).status).toBe(200);
    expect(
      (await put(owner, third, { routes: [{ forwards: [{ number: '+14155552202' }] }] })).status,
    ).toBe(200);
    const circle = await put(owner, id, { routes: [{ forwards: [{ number: '+14155552203' }] }] });
    expect(circle.body.errors).toEqual({
      'routes.0.forwards.0.number': ['This number leads back to the one you’re changing.'],
    });
  });

  it('accepts routingType and forwardNumber as shorthand for the first route', async () => {
    const { owner, id } = await aNumber();
    const { body } = await put(owner, id, {
      forwardNumber: '212-555-0190',
      routingType: 'simultaneous',
    });
    expect(body.data).toMatchObject({
      routingType: 'simultaneous',
      forwardNumber: '+12125550190',
      routes: [{ extension: 1, type: 'simultaneous' }],
    });
    const kept = await put(owner, id, { routingType: 'sequential' });
    expect(kept.body.data).toMatchObject({
      routingType: 'sequential',
      forwardNumber: '+12125550190',
    });
  });

  it('lets users change routes of assigned numbers unless the company disallows it (A4)', async () => {
    const { company, id } = await aNumber();
    const user = await app.createPerson(company.id, 'user', [id]);
    const routes = [{ extension: 1, label: 'Sales' }];
    expect((await put(user, id, { routes })).status).toBe(200);
    await app.services.db.systemTransaction((tx) =>
      tx
        .updateTable('company')
        .set({ settings: JSON.stringify({ users_can_configure_numbers: false }) })
        .where('id', '=', company.id)
        .execute(),
    );
    expect((await put(user, id, { routes: [] })).status).toBe(403);
    const mine = await aNumber();
    const theirs = await insertTestNumber(app, mine.company.id, `+1415555${(numbersGiven += 1)}`);
    const limited = await app.createPerson(mine.company.id, 'user', [mine.id]);
    expect((await put(limited, mine.id, { routes })).status).toBe(200);
    expect((await put(limited, theirs, { routes })).status).toBe(404);
    const other = await app.createCompany();
    expect((await put(other.owner, id, { routes: [] })).status).toBe(404);
  });
});

describe('a new number', () => {
  it('rings all app users and takes voicemails, once', async () => {
    const { company, id, number, me } = await aNumber();
    const bought = {
      companyId: company.id,
      numberId: id,
      number,
      label: '',
      templateId: null,
      by: null,
    };
    await inCompany(company.id, async (ctx) => {
      await ctx.publish(numbers.numberPurchased, bought);
      await ctx.publish(numbers.numberPurchased, bought);
    });
    await app.drainJobs();
    const { body } = await me.request(routing.getNumber, { params: { id } });
    expect(body.data.routes).toMatchObject([
      { extension: 1, type: 'in-app-calling', voicemail_enabled: true, timeout: 20 },
    ]);
  });
});

describe('the flow of a number', () => {
  it('is what the engine starts with', async () => {
    const { company, owner, id, number } = await aNumber();
    await put(owner, id, {
      routes: [
        { extension: 1, label: 'Sales', business_hours: 6, forwards: [{ user_id: owner.id }] },
        { extension: 2, after_hours: { action: 'route', target: 1 } },
      ],
      menu: { greeting: 'Welcome.', fallback: 2 },
    });
    const flow = await inCompany(company.id, (ctx) =>
      flowFor(ctx, id, { reachable: new Set([owner.id]) }),
    );
    expect(flow).toMatchObject({
      service: 'active',
      number: { number },
      menu: { greeting: [{ kind: 'say', text: 'Welcome.' }], maxDigits: 1 },
      people: [{ userId: owner.id, reachable: true }],
      routes: [
        {
          label: 'Sales',
          hours: { preset: 6, timezone: 'America/New_York' },
          forwards: [{ userId: owner.id }],
        },
        { extension: 2, afterHours: { action: 'route' } },
      ],
    });
    expect(flow.menu?.fallbackRouteId).toBe(flow.routes[1]?.id);
  });
});

describe('POST /numbers/{id}/simulate', () => {
  const at = '2026-11-18T17:00:00Z';

  it('explains the path of a call on saved and unsaved routes', async () => {
    const { owner, id, me } = await aNumber();
    await put(owner, id, {
      routes: [{ forwards: [{ number: '+12125550147' }], business_hours: 2 }],
    });
    const open = await me.inject({
      method: 'POST',
      url: `/api/numbers/${id}/simulate`,
      payload: { from: '+12125550100', at },
    });
    expect([open.status, open.body.data.outcome]).toEqual([200, 'connected']);
    expect(
      open.body.data.steps.map((step: { because: string }) => step.because).join(' '),
    ).toContain('Open at Wed 12:00 PM Eastern Time');
    expect(
      (
        await me.inject({
          method: 'POST',
          url: `/api/numbers/${id}/simulate`,
          payload: { from: 'xx', at },
        })
      ).body,
    ).toMatchObject({ status: 422, errors: { from: [expect.stringContaining('phone number')] } });
    const closed = await me.inject({
      method: 'POST',
      url: `/api/numbers/${id}/simulate`,
      payload: { from: '+12125550100', at: '2026-11-21T17:00:00Z' },
    });
    expect(closed.body.data.outcome).toBe('missed');
    const tried = await me.inject({
      method: 'POST',
      url: `/api/numbers/${id}/simulate`,
      payload: { from: '', at, routes: [{ type: 'voicemail' }] },
    });
    expect(tried.body.data.outcome).toBe('voicemail');
    expect(
      (await me.request(routing.getNumber, { params: { id } })).body.data.routes,
    ).toMatchObject([{ type: 'standard' }]);
  });

  it('follows the pressed keys', async () => {
    const { owner, id, me } = await aNumber();
    await put(owner, id, {
      routes: [
        { extension: 1, label: 'Sales', forwards: [{ number: '+12125550147' }] },
        { extension: 2, label: 'Parts', type: 'voicemail' },
      ],
    });
    const { body } = await me.inject({
      method: 'POST',
      url: `/api/numbers/${id}/simulate`,
      payload: { from: '+12125550100', at, pressed: ['9', '2'] },
    });
    expect(body.data.outcome).toBe('voicemail');
    expect(
      body.data.steps
        .filter((step: { node: string }) => step.node === 'menu')
        .map((step: { matched: boolean }) => step.matched),
    ).toEqual([true, false, true, true]);
  });

  it('is forbidden for roles that may not see routing', async () => {
    const { company, id } = await aNumber();
    const reporting = await app.createPerson(company.id, 'reporting');
    expect(
      (
        await app
          .as(reporting)
          .inject({ method: 'POST', url: `/api/numbers/${id}/simulate`, payload: {} })
      ).status,
    ).toBe(403);
  });
});
