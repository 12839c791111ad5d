import { describe, expect, it } from 'vitest';
import {
  audit,
  marketplace,
  numbers,
  routing,
  templates,
  tracking as contract,
  type Body,
} from '#contract';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { systemCtx } from '../../../platform/context.ts';
import { provisionNumber } from '../../numbers/index.ts';

const app = await createTestApp();
const inCompany = ({ companyId }: TestPerson) => ({ companyId });
const ofPool = ({ companyId }: TestPerson, poolId: number) => ({ companyId, poolId });
let line = 100;
const aNumber = (person: TestPerson) =>
  systemCtx(app.services, person.companyId, app.notifier).transaction((t) =>
    provisionNumber(t, { number: `+1628555${7000 + line++}` }),
  );
const create = (person: TestPerson, body: Partial<Body<typeof contract.createPool>> = {}) =>
  app.as(person).request(contract.createPool, {
    params: inCompany(person),
    body: { name: `Pool ${line++}`, ...body },
  });
const change = (person: TestPerson, poolId: number, body: Body<typeof contract.updatePool>) =>
  app.as(person).request(contract.updatePool, { params: ofPool(person, poolId), body });
const read = async (person: TestPerson, poolId: number) =>
  (await app.as(person).request(contract.getPool, { params: ofPool(person, poolId) })).body.data;
const remove = (person: TestPerson, poolId: number, query: object = {}) =>
  app.as(person).request(contract.deletePool, { params: ofPool(person, poolId), query });
const numberOf = async (person: TestPerson, id: number) =>
  (await app.as(person).request(routing.getNumber, { params: { id } })).body.data;
const idsIn = ({ numbers: all }: contract.Pool) => all.map(({ id }) => id);

/** A visitor sees the number for some minutes, as a lease of theirs would have it. */
async function lease(person: TestPerson, poolId: number, numberId: number, minutes: number) {
  const at = app.services.now();
  const until = new Date(at.getTime() + minutes * 60_000);
  await app.services.db.systemTransaction(async (tx) => {
    const { id } = await tx
      .insertInto('tracking_lease')
      .values({
        company_id: person.companyId,
        pool_id: poolId,
        number_id: numberId,
        session_id: line++,
        visitor_id: 'v1',
        started_at: new Date(at.getTime() - 3_600_000),
        last_seen_at: at,
        expires_at: until,
        ends_at: new Date(at.getTime() + 12 * 3_600_000),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await tx
      .updateTable('tracking_pool_number')
      .set({ lease_id: id, leased_until: until })
      .where('company_id', '=', person.companyId)
      .where('number_id', '=', numberId)
      .execute();
  });
}

describe('tracking pools', () => {
  it('take existing numbers in, give them out and swap them; what a number does shows live', async () => {
    const { owner } = await app.createCompany();
    const [a, b, c] = [await aNumber(owner), await aNumber(owner), await aNumber(owner)];
    const made = await create(owner, { numberIds: [a, b], domains: ['www.shop.example'] });
    expect(made.status).toBe(201);
    const pool = made.body.data;
    expect(pool).toMatchObject({
      size: 2,
      use: { free: 2, leased: 0, quarantine: 0, static: 0 },
      sessionTimeoutMinutes: 30,
      stickyDays: 30,
      neverSwapped: true,
      stats: { recommendedSize: 4 },
      purchase: null,
    });
    expect(await numberOf(owner, a)).toMatchObject({ dni_pool_id: pool.id });
    await lease(owner, pool.id, a, 10);
    await lease(owner, pool.id, b, -10);
    expect(await read(owner, pool.id)).toMatchObject({
      use: { free: 0, leased: 1, quarantine: 1 },
      numbers: [{ status: 'leased' }, { status: 'quarantine' }],
      stats: { peakConcurrent7d: 2, utilizationPct: 50 },
    });
    const swapped = await change(owner, pool.id, { addNumberIds: [c], removeNumberIds: [a] });
    expect(idsIn(swapped.body.data)).toEqual([b, c]);
    expect(await numberOf(owner, a)).toMatchObject({ dni_pool_id: null });
    const events = await app.as(owner).request(numbers.numberTimelineEvents, {
      params: { companyId: owner.companyId, number: (await numberOf(owner, a)).number },
    });
    expect(JSON.stringify(events.body.data)).toContain('pool_left');
    const row = await app.as(owner).request(numbers.listNumbersDatatable, { query: {} });
    expect(row.body.data.find(({ id }) => id === c)?.dni_pool).toEqual({
      id: pool.id,
      name: pool.name,
    });
  });

  it('are named on the timelines of their numbers, as long as those are in', async () => {
    const { owner } = await app.createCompany();
    const id = await aNumber(owner);
    const { data: pool } = (await create(owner, { name: 'Site', numberIds: [id] })).body;
    const { number } = await numberOf(owner, id);
    const named = async () =>
      (
        await app.as(owner).request(numbers.numberTimelineMetaData, {
          params: { ...inCompany(owner), number },
        })
      ).body.data.pool;
    expect(await named()).toEqual({ id: pool.id, name: 'Site' });
    await change(owner, pool.id, { name: 'Website' });
    expect(await named()).toEqual({ id: pool.id, name: 'Website' });
    await change(owner, pool.id, { removeNumberIds: [id] });
    expect(await named()).toBeNull();
  });

  it('refuse a number of a pool everywhere else', async () => {
    const { owner } = await app.createCompany();
    const a = await aNumber(owner);
    await create(owner, { numberIds: [a] });
    const refusal = { code: 'number.in_pool' };
    expect((await create(owner, { numberIds: [a] })).body).toMatchObject(refusal);
    const other = (await create(owner)).body.data;
    expect((await change(owner, other.id, { addNumberIds: [a] })).body).toMatchObject(refusal);
    const release = await app
      .as(owner)
      .request(numbers.removeNumber, { params: { id: a }, body: {} });
    expect(release.body).toMatchObject(refusal);
    const listing = await app.as(owner).request(marketplace.listOnMarketplace, {
      body: { company_id: owner.companyId, number_id: a },
    });
    expect(listing.body).toMatchObject(refusal);
    expect((await change(owner, other.id, { defaultNumberId: a })).status).toBe(422);
  });

  it('buy what is missing through the ordinary purchase, with the template', async () => {
    const { owner } = await app.createCompany();
    const template = (
      await app.as(owner).request(templates.createNumberTemplate, {
        params: inCompany(owner),
        body: { name: 'Ads', record: true, tags: ['Ads'] },
      })
    ).body.data;
    const a = await aNumber(owner);
    const pool = (
      await create(owner, {
        name: 'Website',
        numberIds: [a],
        size: 4,
        areaCode: '212',
        templateId: template.id,
        forwardNumber: '(212) 555-0199',
      })
    ).body.data;
    expect(pool).toMatchObject({ size: 1, purchase: { status: 'queued', total: 3, missing: 0 } });
    await app.drainJobs();
    const progress = await app.as(owner).request(numbers.bulkPurchaseProgress, {
      params: { batchId: pool.purchase!.batchId },
      query: { company_id: owner.companyId },
    });
    expect(progress.body.data).toMatchObject({ progress: 100, total: 3 });
    const after = await read(owner, pool.id);
    expect(after.size).toBe(4);
    for (const { id } of after.numbers)
      expect(await numberOf(owner, id)).toMatchObject({
        dni_pool_id: pool.id,
        template_id: template.id,
        record: true,
        tags: [{ name: 'Ads' }],
        forwardNumber: '+12125550199',
      });
    expect((await change(owner, pool.id, { size: 2 })).status).toBe(422);
    const more = await change(owner, pool.id, { size: 5, removeNumberIds: [a] });
    expect(more.body.data.purchase).toMatchObject({ total: 2 });
    await app.drainJobs();
    expect((await read(owner, pool.id)).size).toBe(5);
  });

  it('keep within the limit of numbers, and leave nothing behind when a purchase is refused', async () => {
    const { owner } = await app.createCompany();
    await app.services.db.pool.query('insert into number_limit values ($1, 2)', [owner.companyId]);
    const refused = await create(owner, { name: 'Big', size: 3 });
    expect(refused.body).toMatchObject({ code: 'numbers.limit' });
    const list = await app.as(owner).request(contract.listPools, { params: inCompany(owner) });
    expect(list.body.data).toEqual([]);
  });

  it('a number that replaces another takes its place', async () => {
    const { owner } = await app.createCompany();
    const [bought] = (
      await app.as(owner).request(numbers.buyNumbers, { body: { numbers: ['+12125557421'] } })
    ).body.data as numbers.NumberDetail[];
    const pool = (await create(owner, { numberIds: [bought!.id] })).body.data;
    const rotated = await app
      .as(owner)
      .request(numbers.rotateNumber, { params: { id: bought!.id }, body: {} });
    expect(rotated.status).toBe(201);
    await app.drainJobs();
    expect(idsIn(await read(owner, pool.id))).toEqual([rotated.body.data.id]);
  });

  it('are deleted after a question while visitors see them; numbers stay or are released', async () => {
    const { owner } = await app.createCompany();
    const [a, b] = [await aNumber(owner), await aNumber(owner)];
    const kept = (await create(owner, { name: 'Same', numberIds: [a] })).body.data;
    await lease(owner, kept.id, a, 10);
    expect((await remove(owner, kept.id)).body).toMatchObject({ code: 'pool.confirm_delete' });
    expect((await remove(owner, kept.id, { confirm: 1 })).status).toBe(204);
    expect(await numberOf(owner, a)).toMatchObject({ status: 'active', dni_pool_id: null });
    const { rows } = await app.services.db.pool.query(
      'select ended_at from tracking_lease where company_id = $1',
      [owner.companyId],
    );
    expect(rows).toEqual([{ ended_at: expect.anything() }]);
    const gone = (await create(owner, { name: 'Same', numberIds: [b] })).body.data;
    expect((await remove(owner, gone.id, { shouldDeleteNumbers: 1 })).status).toBe(204);
    expect(await numberOf(owner, b)).toMatchObject({ status: 'releasing', dni_pool_id: null });
    expect((await remove(owner, gone.id)).status).toBe(404);
  });

  it('pause, archive and are named once', async () => {
    const { owner } = await app.createCompany();
    const a = await aNumber(owner);
    const pool = (await create(owner, { name: 'Website', numberIds: [a] })).body.data;
    expect((await create(owner, { name: 'WEBSITE' })).body).toMatchObject({ code: 'pool.exists' });
    await lease(owner, pool.id, a, 10);
    expect((await change(owner, pool.id, { status: 'paused' })).body.data).toMatchObject({
      status: 'paused',
      use: { leased: 1 },
    });
    expect((await change(owner, pool.id, { status: 'archived' })).body.data).toMatchObject({
      status: 'archived',
      use: { leased: 0, quarantine: 1 },
    });
    const source = (
      await app.as(owner).request(contract.createSource, {
        params: inCompany(owner),
        body: { label: 'Fair', kind: 'offline', group: 'offline' },
      })
    ).body.data;
    await change(owner, pool.id, { mode: 'source', sourceIds: [source.id, 1] });
    const deleted = await app.as(owner).request(contract.deleteSource, {
      params: { companyId: owner.companyId, sourceId: source.id },
    });
    expect(deleted.body).toMatchObject({ code: 'source.in_use' });
  });

  it('of one company are out of reach for another; people see those of their numbers', async () => {
    const { owner } = await app.createCompany();
    const stranger = (await app.createCompany()).owner;
    const [a, b, foreign] = [await aNumber(owner), await aNumber(owner), await aNumber(stranger)];
    const pool = (await create(owner, { numberIds: [a, b] })).body.data;
    await create(owner);
    expect((await change(stranger, pool.id, { name: 'Mine' })).status).toBe(404);
    expect((await remove(stranger, pool.id)).status).toBe(404);
    expect((await create(owner, { numberIds: [foreign] })).status).toBe(404);
    expect((await create(owner, { defaultNumberId: foreign })).status).toBe(422);
    const limited = await app.createPerson(owner.companyId, 'user', [a]);
    const seen = await app.as(limited).request(contract.listPools, { params: inCompany(limited) });
    expect(seen.body.data.map(({ id, size }) => [id, size])).toEqual([[pool.id, 1]]);
    expect(idsIn(await read(limited, pool.id))).toEqual([a]);
    expect((await change(limited, pool.id, { name: 'X' })).status).toBe(403);
    const log = await app.as(owner).request(audit.listAuditLog, {
      params: inCompany(owner),
      query: { group: 'tracking' },
    });
    expect(log.body.data.map(({ action }) => action)).toEqual([
      'tracking_pool.added',
      'tracking_pool.added',
    ]);
  });
});

describe('which visitor gets what', () => {
  const preview = async (person: TestPerson, url: string, more: object = {}) =>
    (
      await app.as(person).request(contract.previewPools, {
        params: inCompany(person),
        body: { url, ...more },
      })
    ).body.data;

  it('a pool for the source before one for visitors, the default when none is free', async () => {
    const { owner } = await app.createCompany();
    const ids = [];
    for (let i = 0; i < 5; i++) ids.push(await aNumber(owner));
    const [a, b, ads1, ads2, main] = ids as [number, number, number, number, number];
    const number = async (id: number) => (await numberOf(owner, id)).number;
    const visitors = (
      await create(owner, {
        name: 'Visitors',
        numberIds: [a, b],
        domains: ['shop.example'],
        excludePaths: ['/jobs*'],
        defaultNumberId: main,
      })
    ).body.data;
    await create(owner, {
      name: 'Ads',
      mode: 'source',
      sourceIds: [1, 5],
      numberIds: [ads1, ads2],
      domains: ['*.shop.example', 'shop.example'],
    });
    const home = 'https://www.shop.example/';
    expect(await preview(owner, home)).toMatchObject({
      pool: { id: visitors.id },
      number: await number(a),
      because: 'idle_longest',
      skipped: [{ name: 'Ads', why: 'other_source' }],
    });
    expect(await preview(owner, `${home}?gclid=x`)).toMatchObject({
      pool: { name: 'Ads' },
      number: await number(ads1),
      because: 'static',
      classification: { source: { key: 'google_ads' } },
      skipped: [{ name: 'Visitors', why: 'less_specific' }],
    });
    expect((await preview(owner, `${home}?msclkid=x`)).number).toBe(await number(ads2));
    expect(await preview(owner, `${home}jobs/dentist`)).toMatchObject({ pool: null, number: null });
    expect(await preview(owner, 'https://other.example/')).toMatchObject({ pool: null });
    await lease(owner, visitors.id, a, 10);
    expect((await preview(owner, home)).number).toBe(await number(b));
    await lease(owner, visitors.id, b, -10);
    expect(await preview(owner, home)).toMatchObject({
      number: await number(main),
      because: 'default',
    });
    const draft = { poolId: visitors.id, exhaustedPolicy: 'share' };
    expect(await preview(owner, home, { draft })).toMatchObject({
      number: await number(a),
      because: 'shared',
    });
    const paused = { poolId: visitors.id, status: 'paused' };
    expect(await preview(owner, home, { draft: paused })).toMatchObject({ pool: null });
  });
});
