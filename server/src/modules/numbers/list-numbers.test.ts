import { describe, expect, it } from 'vitest';
import { numbers as contract, routing } from '#contract';
import { createTestApp, type TestPerson } from '../../../test/support/test-app.ts';
import { systemCtx } from '../../platform/context.ts';
import { provisionNumber, recordCallActivity, recordTextActivity, changeUnread } from './index.ts';

const app = await createTestApp();
const install = (companyId: number, about: Parameters<typeof provisionNumber>[1]) =>
  systemCtx(app.services, companyId, app.notifier).transaction((t) => provisionNumber(t, about));
const table = async (person: TestPerson, query: object = {}) =>
  (await app.as(person).request(contract.listNumbersDatatable, { query: query })).body;

describe('the numbers table', () => {
  it('filters by every column it shows', async () => {
    const { owner, company } = await app.createCompany();
    const a = await install(company.id, { number: '+14155553001', label: 'Front desk' });
    const b = await install(company.id, { number: '+18005553002', label: 'Sales 100%' });
    const c = await install(company.id, { number: '+12125553003', category: 3 });
    const ctx = systemCtx(app.services, company.id, app.notifier);
    await ctx.transaction(async (t) => {
      await recordTextActivity(t, a, t.now, 2);
      await recordCallActivity(t, b, t.now);
      await changeUnread(t, a, -1);
    });
    const ids = async (query: object) =>
      (await table(owner, query)).data.map((n) => n.id).sort((x, y) => x - y);
    expect(await ids({})).toEqual([a, b, c]);
    expect(await ids({ search: 'front' })).toEqual([a]);
    expect(await ids({ search: '100%' })).toEqual([b]);
    expect(await ids({ search: '(800) 555' })).toEqual([b]);
    expect(await ids({ search: 'new york' })).toEqual([c]);
    expect(await ids({ category: 1 })).toEqual([b]);
    expect(await ids({ kind: 3 })).toEqual([c]);
    expect(await ids({ sms: 0 })).toEqual([c]);
    expect(await ids({ unread: 1 })).toEqual([a]);
    expect(await ids({ areaCode: '415' })).toEqual([a]);
    expect(await ids({ region: 'ny' })).toEqual([c]);
    expect(await ids({ status: 'releasing' })).toEqual([]);
    expect((await table(owner, { search: 'front' })).data[0]).toMatchObject({
      unread_messages_count: 1,
      last_message_at: expect.any(String),
      last_call_at: null,
    });
    app.clock.advance(31 * 86_400);
    expect(await ids({ unused: 1 })).toEqual([a, b, c]);
    await ctx.transaction((t) => recordCallActivity(t, b, app.clock.value));
    expect(await ids({ unused: 1 })).toEqual([a, c]);
    expect((await app.as(owner).request(contract.numberStats)).body.data).toEqual({
      total: 3,
      local: 1,
      toll_free: 1,
      fax: 1,
      bulk: 0,
      sms_enabled: 2,
      verified: 0,
      in_pools: 0,
      unused_30d: 2,
      pending_ports: 0,
      releasing: 0,
    });
    expect(
      (
        await app
          .as(owner)
          .request(contract.companyAreaCodes, { params: { companyId: company.id } })
      ).body.data.map((x) => [x.area_code, x.region, x.count]),
    ).toEqual([
      ['212', 'New York', 1],
      ['415', 'California', 1],
      ['800', 'Toll-free', 1],
    ]);
  });
  it('pages by page number and by cursor return each number once, in every sort', async () => {
    const { owner, company } = await app.createCompany();
    for (let i = 0; i < 7; i++) {
      const id = await install(company.id, {
        number: `+1415555400${i}`,
        label: i % 3 === 0 ? 'same' : `label ${i}`,
      });
      if (i % 2)
        await systemCtx(app.services, company.id, app.notifier).transaction((t) =>
          recordCallActivity(t, id, new Date(t.now.getTime() - i * 1000)),
        );
    }
    for (const sort of contract.numberSorts)
      for (const dir of ['asc', 'desc'] as const) {
        const whole = (await table(owner, { sort, dir, perPage: 50 })).data.map((n) => n.id);
        expect(whole).toHaveLength(7);
        const byCursor: number[] = [];
        for (let cursor: unknown = ''; cursor !== null;) {
          const { data, meta } = await table(owner, {
            sort,
            dir,
            perPage: 3,
            ...(cursor ? { cursor } : {}),
          });
          byCursor.push(...data.map((n) => n.id));
          cursor = meta['next_cursor'];
        }
        expect(byCursor, `${sort} ${dir}`).toEqual(whole);
        const byPage = [];
        for (const page of [1, 2, 3])
          byPage.push(
            ...(await table(owner, { sort, dir, perPage: 3, page })).data.map((n) => n.id),
          );
        expect(byPage).toEqual(whole);
      }
    expect((await table(owner, { perPage: 3, page: 9 })).data).toEqual([]);
    expect((await table(owner, { perPage: 3, page: 2 })).meta).toMatchObject({
      total: 7,
      last_page: 3,
      from: 4,
      to: 6,
    });
    expect(
      (
        await app.as(owner).request(contract.listNumbersDatatable, {
          query: { sort: 'x; drop table number' } as never,
        })
      ).status,
    ).toBe(422);
    expect(
      (await app.as(owner).request(contract.listNumbersDatatable, { query: { cursor: 'rubbish' } }))
        .status,
    ).toBe(422);
  });
  it('people limited to numbers see only those and can’t change others', async () => {
    const { owner, company } = await app.createCompany();
    const mine = await install(company.id, { number: '+14155555001' });
    const theirs = await install(company.id, { number: '+14155555002' });
    const una = await app.createPerson(company.id, 'user', [mine]);
    const rita = await app.createPerson(company.id, 'reporting', [mine]);
    for (const person of [una, rita]) {
      const me = app.as(person);
      expect((await table(person)).data.map((n) => n.id)).toEqual([mine]);
      expect((await me.request(contract.listNumbers)).body.data.map((n) => n.id)).toEqual([mine]);
      expect(
        (
          await me.request(contract.listNumbersOfCompany, { params: { id: company.id } })
        ).body.data.map((n) => n.id),
      ).toEqual([mine]);
      expect((await me.request(contract.numberStats)).body.data.total).toBe(1);
      expect(
        (await me.request(contract.companyAreaCodes, { params: { companyId: company.id } })).body
          .data[0]!.count,
      ).toBe(1);
      expect((await me.request(routing.getNumber, { params: { id: mine } })).status).toBe(200);
      expect((await me.request(routing.getNumber, { params: { id: theirs } })).status).toBe(404);
    }
    expect(
      (
        await app
          .as(una)
          .request(routing.updateNumber, { params: { id: mine }, body: { label: 'Mine' } })
      ).status,
    ).toBe(200);
    expect(
      (
        await app.as(una).request(routing.updateNumber, {
          params: { id: theirs },
          body: { label: 'Theirs' },
        })
      ).status,
    ).toBe(404);
    expect(
      (
        await app
          .as(rita)
          .request(routing.updateNumber, { params: { id: mine }, body: { label: 'Mine' } })
      ).status,
    ).toBe(403);
    expect(
      (await app.as(await app.createPerson(company.id, 'billing')).request(contract.listNumbers))
        .status,
    ).toBe(403);
    expect((await table(owner)).data).toHaveLength(2);
  });
  it('another company sees none of the numbers', async () => {
    const { company } = await app.createCompany();
    const { owner: other } = await app.createCompany();
    await install(company.id, { number: '+14155555901' });
    expect((await table(other)).data).toEqual([]);
    expect(
      (await app.as(other).request(contract.listNumbersOfCompany, { params: { id: company.id } }))
        .status,
    ).toBe(404);
  });
  it('lists prefixes, patterns and overlays', async () => {
    const { owner } = await app.createCompany();
    const me = app.as(owner);
    expect((await me.request(contract.numberPrefixes)).body.data.map((p) => p.prefix)).toEqual([
      '8**',
      '800',
      '888',
      '877',
      '866',
      '855',
      '844',
      '833',
    ]);
    expect((await me.request(contract.vanityPatterns)).body.data).toContainEqual({
      id: 'AABB',
      name: 'Two pairs',
      pattern: 'AABB',
      example: '3377',
    });
    expect(
      (await me.request(contract.areaCodeOverlays, { params: { areaCode: '212' } })).body.data,
    ).toMatchObject({ overlays: ['332', '646', '917'], state: 'NY' });
    expect(
      (await me.request(contract.areaCodeOverlays, { params: { areaCode: '999' } })).status,
    ).toBe(404);
  });
});
