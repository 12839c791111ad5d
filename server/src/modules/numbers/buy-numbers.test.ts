import { describe, expect, it } from 'vitest';
import { numbers as contract, routing } from '#contract';
import { createTestApp, type TestApp } from '../../../test/support/test-app.ts';
import { systemCtx } from '../../platform/context.ts';
import { setFaults } from '../../adapters/sandbox/fault-injection.ts';
import { jobs } from './jobs.ts';

const app = await createTestApp();

const locate = async (person: Parameters<TestApp['as']>[0], body: object) => {
  const answer = await app
    .as(person)
    .request(contract.locateNumbers, { body: { limit: 3, ...body } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.data;
};
const buy = (person: Parameters<TestApp['as']>[0], body: object) =>
  app.as(person).request(contract.buyNumbers, { body: body });

describe('searching the inventory', () => {
  it('finds one number unless more are requested, with place and price, reserved for ten minutes', async () => {
    const { owner } = await app.createCompany();
    const asked = app.clock.value.getTime();
    const { body } = await app
      .as(owner)
      .request(contract.locateNumbers, { body: { areaCode: '415' } });
    expect(body.data).toHaveLength(1);
    expect(body.data[0]).toMatchObject({
      area_code: '415',
      region: 'CA',
      city: 'San Francisco',
      timezone: 'America/Los_Angeles',
      monthly_cents: 300,
      category: 2,
      features: ['voice', 'sms', 'mms'],
    });
    const until = new Date(body.data[0]!.expires_at).getTime();
    expect(until).toBeGreaterThanOrEqual(asked + 600_000);
    expect(until).toBeLessThanOrEqual(app.clock.value.getTime() + 600_000);
  });
  it('numbers one person found are hidden from others until the reservation expires', async () => {
    const { owner: anna } = await app.createCompany();
    const { owner: ben } = await app.createCompany();
    const first = (await locate(anna, { areaCode: '907' })).map((n) => n.number);
    expect((await locate(anna, { areaCode: '907' })).map((n) => n.number).sort()).toEqual(
      [...first].sort(),
    );
    const others = (await locate(ben, { areaCode: '907' })).map((n) => n.number);
    expect(others).toHaveLength(3);
    expect(others.some((n) => first.includes(n))).toBe(false);
    expect((await buy(ben, { numbers: [first[0]] })).status).toBe(409);
    app.clock.advance(601);
    expect(
      (await locate(ben, { areaCode: '907', exclude: others })).map((n) => n.number).sort(),
    ).toEqual([...first].sort());
  });
  it('searches by vanity word, pattern, match mode and toll-free prefix', async () => {
    const { owner } = await app.createCompany();
    expect(
      await locate(owner, {
        category: 1,
        areaCode: '833',
        words: ['HOME'],
        match: 'Ends with',
        limit: 1,
      }),
    ).toMatchObject([
      { number: '+18335554663', vanity_text: '833-555-HOME', provider_id: 2, category: 1 },
    ]);
    for (const n of await locate(owner, {
      areaCode: '512',
      pattern: 'AABB',
      match: 'Ends with',
      limit: 5,
    }))
      expect(n.number).toMatch(/(\d)\1(?!\1)(\d)\2$/);
    for (const n of await locate(owner, {
      areaCode: '512',
      pattern: '2368',
      match: 'Ends with',
      limit: 5,
    }))
      expect(n.number).toMatch(/2368$/);
  });
  it('invalid searches fail with 422 on the field', async () => {
    const { owner } = await app.createCompany();
    const { status, body } = await app.as(owner).request(contract.locateNumbers, {
      body: { areaCode: '41', pattern: '!!', country: 'GB', limit: 51 } as never,
    });
    expect(status).toBe(422);
    expect(Object.keys((body as unknown as { errors: object }).errors).sort()).toEqual([
      'areaCode',
      'country',
      'limit',
      'pattern',
    ]);
  });
  it('bulk search returns numbers per area code and how many are missing', async () => {
    const { owner } = await app.createCompany();
    const { body } = await app.as(owner).request(contract.locateNumbersInBulk, {
      body: {
        items: [
          { areaCode: '206', count: 30 },
          { areaCode: '206', count: 5 },
          { areaCode: '911', count: 2 },
        ],
      },
    });
    expect(body.data.map((i) => [i.found.length, i.missing])).toEqual([
      [30, 0],
      [5, 0],
      [0, 2],
    ]);
    expect(new Set(body.data.flatMap((i) => i.found.map((f) => f.number))).size).toBe(35);
  });
  it('an unreachable carrier fails the search with its error', async () => {
    const { owner } = await app.createCompany();
    setFaults({ outage: true });
    try {
      const { status, body } = await app
        .as(owner)
        .request(contract.locateNumbers, { body: { areaCode: '303', pattern: '7*7' } });
      expect([status, (body as unknown as { code: string }).code]).toEqual([
        409,
        'carrier.unreachable',
      ]);
    } finally {
      setFaults({});
    }
  });
});

describe('buying numbers', () => {
  it('a bought number has its place, price and first route', async () => {
    const { owner } = await app.createCompany();
    const [found] = await locate(owner, { areaCode: '617', limit: 1 });
    const { status, body } = await buy(owner, {
      reservationIds: [found!.reservation_id],
      label: 'Front desk',
      tags: ['Boston'],
    });
    expect(status).toBe(201);
    const [number] = (body as { data: contract.NumberDetail[] }).data;
    expect(number).toMatchObject({
      number: found!.number,
      label: 'Front desk',
      status: 'active',
      kind: 1,
      category: 2,
      region: 'MA',
      monthly_price_cents: 300,
      sms_enabled: true,
      sms_verification: { status: null, needed: false, type: 'local' },
      tags: [{ name: 'Boston' }],
    });
    await app.drainJobs();
    const { body: detail } = await app
      .as(owner)
      .request(routing.getNumber, { params: { id: number!.id } });
    expect(detail.data.routes).toHaveLength(1);
  });
  it('buying under a category that doesn’t fit fails', async () => {
    const { owner } = await app.createCompany();
    const [found] = await locate(owner, { areaCode: '617', limit: 1 });
    const rejection = {
      status: 422,
      errors: { category: [expect.stringContaining('belongs to “Local Voice & SMS”')] },
    };
    for (const wanted of [
      { reservationIds: [found!.reservation_id] },
      { numbers: [found!.number] },
      { numbers: ['+16175550199'] },
    ])
      expect((await buy(owner, { ...wanted, category: 1 })).body).toMatchObject(rejection);
    expect((await buy(owner, { numbers: ['+18005550199'], category: 2 })).body).toMatchObject({
      errors: { category: [expect.stringContaining('Toll-Free Voice & SMS')] },
    });
    expect((await buy(owner, { numbers: [found!.number], category: 2 })).status).toBe(201);
  });
  it('of two concurrent buyers of a number exactly one gets it', async () => {
    const { owner: anna, company: a } = await app.createCompany();
    const { owner: ben, company: b } = await app.createCompany();
    for (let round = 0; round < 5; round++) {
      const numbers = [`+1718555${4000 + round * 2}`, `+1718555${4001 + round * 2}`];
      const answers = await Promise.all([
        buy(anna, { numbers }),
        buy(ben, { numbers: [...numbers].reverse() }),
      ]);
      expect(answers.map((x) => x.status).sort()).toEqual([201, 409]);
      const { rows } = await app.services.db.pool.query(
        'select distinct company_id from number_directory where number = any($1)',
        [numbers],
      );
      expect(rows).toHaveLength(1);
      expect([a.id, b.id]).toContain(Number(rows[0].company_id));
    }
  });
  it('if one number is taken none is bought, and the free ones are named', async () => {
    const { owner: anna } = await app.createCompany();
    const { owner: ben, company } = await app.createCompany();
    await buy(anna, { numbers: ['+17185552001'] });
    const { status, body } = await buy(ben, {
      numbers: ['+17185552000', '+17185552001', '+17185552002'],
    });
    expect(status).toBe(409);
    expect((body as unknown as { errors: object[] }).errors[0]).toMatchObject({
      code: 'numbers.taken',
      title: 'That number was just taken. Please choose another.',
      taken: ['+17185552001'],
      free: ['+17185552000', '+17185552002'],
    });
    expect(
      (await app.services.db.pool.query('select 1 from number where company_id = $1', [company.id]))
        .rows,
    ).toEqual([]);
  });
  it('if the carrier no longer has a number, those it delivered are returned', async () => {
    const { owner, company } = await app.createCompany();
    await app.services.gateways.numbers.order('+17185552101', 'somebody else');
    const { status, body } = await buy(owner, { numbers: ['+17185552100', '+17185552101'] });
    expect([status, (body as unknown as { errors: { free: string[] }[] }).errors[0]!.free]).toEqual(
      [409, ['+17185552100']],
    );
    expect(
      (
        await app.services.db.pool.query(
          `select number from sandbox_order where number like '+171855521%'`,
        )
      ).rows,
    ).toEqual([{ number: '+17185552101' }]);
    expect(
      (
        await app.services.db.pool.query('select 1 from number_directory where company_id = $1', [
          company.id,
        ])
      ).rows,
    ).toEqual([]);
    expect((await buy(owner, { numbers: ['+17185552100'] })).status).toBe(201);
  });
  it('a lost carrier response is retried with the same key and buys once', async () => {
    const { owner } = await app.createCompany();
    setFaults({ dropAfterEffectRate: 0.5 });
    try {
      expect([201, 409]).toContain((await buy(owner, { numbers: ['+17185552200'] })).status);
    } finally {
      setFaults({});
    }
    const { rows } = await app.services.db.pool.query(
      `select (select count(*)::int
          from sandbox_order where number = '+17185552200') ordered, (select count(*)::int
          from number where number = '+17185552200' and status = 'active') ours`,
    );
    expect(rows[0].ordered).toBe(rows[0].ours);
  });
  it('the cleanup job reverts a purchase whose process died', async () => {
    const { owner, company } = await app.createCompany();
    await buy(owner, { numbers: ['+17185552300'] });
    await app.services.db.pool.query(`update number set status = 'pending' where company_id = $1`, [
      company.id,
    ]);
    const key = (
      await app.services.db.pool.query('select purchase_key from number where company_id = $1', [
        company.id,
      ])
    ).rows[0].purchase_key as string;
    const tidy = jobs.find((j) => j.name === 'numbers.cleanUpPurchase')!;
    for (let twice = 0; twice < 2; twice++)
      await tidy.handler(
        systemCtx(app.services, company.id, app.notifier),
        { companyId: company.id, key } as never,
        { number: 1, last: false },
      );
    expect(
      (
        await app.services.db.pool.query(
          `select 1 from number_directory where number = '+17185552300' union select 1 from sandbox_order where number = '+17185552300'`,
        )
      ).rows,
    ).toEqual([]);
  });
  it('buying stops at the company’s limit, and one request to raise it may be open', async () => {
    const { owner, company } = await app.createCompany();
    await app.services.db.pool.query('insert into number_limit values ($1, 2)', [company.id]);
    const me = app.as(owner);
    expect(
      (await buy(owner, { numbers: ['+17185552400', '+17185552401', '+17185552402'] })).body,
    ).toMatchObject({ code: 'numbers.limit', errors: [{ limit: 2, used: 0 }] });
    expect((await buy(owner, { numbers: ['+17185552400', '+17185552401'] })).status).toBe(201);
    expect((await me.request(contract.numberLimit)).body.data).toEqual({
      limit: 2,
      used: 2,
      pending_request: null,
    });
    expect(
      (
        await me.request(contract.requestNumberLimitIncrease, {
          body: { requested: 2, reason: 'More' },
        })
      ).status,
    ).toBe(422);
    expect(
      (
        await me.request(contract.requestNumberLimitIncrease, {
          body: { requested: 10, reason: 'Two branches' },
        })
      ).status,
    ).toBe(201);
    expect(
      (
        await me.request(contract.requestNumberLimitIncrease, {
          body: { requested: 12, reason: 'Three' },
        })
      ).body,
    ).toMatchObject({ code: 'numbers.limit_request_open' });
    expect((await me.request(contract.numberLimit)).body.data.pending_request).toMatchObject({
      requested: 10,
      status: 'open',
    });
  });
  it('concurrent purchases can’t exceed the limit together', async () => {
    const { owner, company } = await app.createCompany();
    await app.services.db.pool.query('insert into number_limit values ($1, 3)', [company.id]);
    const answers = await Promise.all(
      [0, 2, 4].map((n) => buy(owner, { numbers: [`+171855525${n}0`, `+171855525${n}1`] })),
    );
    expect(answers.map((a) => a.status).sort()).toEqual([201, 422, 422]);
  });
  it('users may buy only if the company allows it', async () => {
    const { company } = await app.createCompany();
    const una = await app.createPerson(company.id, 'user');
    expect((await buy(una, { numbers: ['+17185552600'] })).status).toBe(403);
    await app.services.db.pool.query(
      `update company set settings = '{"users_can_purchase_numbers": true}' where id = $1`,
      [company.id],
    );
    expect((await buy(una, { numbers: ['+17185552600'] })).status).toBe(201);
  });
  it('requests with the same Idempotency-Key buy once', async () => {
    const { owner, company } = await app.createCompany();
    // The carrier responds slowly, so the second request arrives while the first is running.
    const carrier = await app.services.db.pool.connect();
    await carrier.query('begin');
    await carrier.query('lock table sandbox_order in exclusive mode');
    const asked = [1, 2].map(() =>
      app.as(owner).request(contract.buyNumbers, {
        body: { numbers: ['+17185552700'] },
        headers: { 'idempotency-key': 'one' },
      }),
    );
    await Promise.race(asked);
    await carrier.query('rollback');
    carrier.release();
    const twice = await Promise.all(asked);
    expect(twice.map((a) => a.status).sort()).toEqual([201, 409]);
    const again = await app.as(owner).request(contract.buyNumbers, {
      body: { numbers: ['+17185552700'] },
      headers: { 'idempotency-key': 'one' },
    });
    expect([again.status, again.headers['idempotency-replayed']]).toEqual([201, 'true']);
    expect(
      (await app.services.db.pool.query('select 1 from number where company_id = $1', [company.id]))
        .rows,
    ).toHaveLength(1);
  });
});

describe('buying in bulk', () => {
  it('more than twenty numbers are bought by a job that reports progress and keeps what it gets', async () => {
    const { owner, company } = await app.createCompany();
    await app.services.db.pool.query('insert into number_limit values ($1, 40)', [company.id]);
    const found = (
      await app.as(owner).request(contract.locateNumbersInBulk, {
        body: { items: [{ areaCode: '404', count: 25 }], category: 4 },
      })
    ).body.data[0]!.found;
    await app.services.gateways.numbers.order(found[3]!.number, 'somebody else');
    const { status, body } = await buy(owner, {
      numbers: found.map((f) => f.number),
      label: 'Campaign',
    });
    expect(status).toBe(202);
    const { batchId } = (body as { data: { batchId: string } }).data;
    await app.drainJobs();
    const { data } = (
      await app.as(owner).request(contract.bulkPurchaseProgress, { params: { batchId } })
    ).body;
    expect(data).toMatchObject({
      progress: 100,
      total: 25,
      processed: 25,
      failed: 1,
      errors: [
        { row: 4, field: 'number', message: 'That number was just taken. Please choose another.' },
      ],
    });
    expect(data.purchased).toHaveLength(24);
    const said = (
      await app.services.db.pool.query(
        `select event, data from outbox where company_id = $1 and event like 'bulk-purchase%' order by seq`,
        [company.id],
      )
    ).rows;
    expect(said.map((s) => [s.event, s.data.progress, s.data.purchased.length])).toEqual([
      ['bulk-purchase-progress', 40, 9],
      ['bulk-purchase-progress', 80, 10],
      ['bulk-purchase-finished', 100, 24],
    ]);
    expect(said[2].data.failed).toEqual([
      { number: found[3]!.number, reason: 'That number was just taken. Please choose another.' },
    ]);
    expect((await app.as(owner).request(contract.numberStats)).body.data).toMatchObject({
      total: 24,
      bulk: 24,
    });
  });
  it('running a finished job again changes nothing', async () => {
    const { owner, company } = await app.createCompany();
    const numbers = Array.from({ length: 21 }, (_, i) => `+1718555${3000 + i}`);
    const { batchId } = ((await buy(owner, { numbers })).body as { data: { batchId: string } })
      .data;
    await app.drainJobs();
    const again = jobs.find((j) => j.name === 'numbers.buyInBulk')!;
    await again.handler(
      systemCtx(app.services, company.id, app.notifier),
      { companyId: company.id, batchId } as never,
      { number: 2, last: false },
    );
    expect((await app.as(owner).request(contract.numberStats)).body.data.total).toBe(21);
  });
  it('another company’s batch is not found', async () => {
    const { owner } = await app.createCompany();
    const { owner: other } = await app.createCompany();
    const { batchId } = (
      (await buy(owner, { numbers: Array.from({ length: 21 }, (_, i) => `+1718555${3100 + i}`) }))
        .body as { data: { batchId: string } }
    ).data;
    expect(
      (await app.as(other).request(contract.bulkPurchaseProgress, { params: { batchId } })).status,
    ).toBe(404);
    await app.drainJobs();
  });
});
