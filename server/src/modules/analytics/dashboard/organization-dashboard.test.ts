import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, test, vi } from 'vitest';
import { dashboard as contract, organizations, type BodyIn } from '#contract';
import { dashboardTypes } from '#contract/analytics/dashboard/rules';
import { companyWithCalls } from '../../../../test/support/company-with-calls.ts';
import { inboxHelpers, uniquePhone } from '../../../../test/support/inbox.ts';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { fillRollup } from '../query/store-rollups-upkeep.ts';

/** Three companies of an organization, one of another, and one of none; one of them alone. */
const app = await createTestApp();
const inbox = inboxHelpers(app);
const tz = 'America/New_York';
const range = { start: '2026-10-20', end: '2026-11-12' };
const [one, two, three, foreign] = [
  await companyWithCalls(app, 31),
  await companyWithCalls(app, 32),
  await companyWithCalls(app, 33),
  await companyWithCalls(app, 34),
];
app.clock.value = new Date('2026-11-13T18:00:00Z');
const ours = [one, two, three];
const organize = async (who: TestPerson, name: string, companyId: number) =>
  (
    await app
      .as(who)
      .request(organizations.createOrganization, { body: { name, companyIds: [companyId] } })
  ).body.data.id;
const unit = await organize(one.owner, 'Clinics', one.company.id);
const otherUnit = await organize(foreign.owner, 'Garages', foreign.company.id);
const setCompany = (id: number, values: Record<string, unknown>) =>
  app.services.db.unscoped.updateTable('company').set(values).where('id', '=', id).execute();
for (const { company } of [two, three]) await setCompany(company.id, { organization_id: unit });

type Asked = Partial<BodyIn<typeof contract.getDashboard>>;
const request = (who: TestPerson, body: Asked) =>
  app.as(who).request(contract.getDashboard, {
    body: { company_id: who.companyId, type: 'calls', tz, ...range, ...body },
  });
async function show(who: TestPerson, body: Asked = {}) {
  const answer = await request(who, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
}
const ofUnit = (id = unit, more: Asked['filters'] = {}): Asked => ({
  filters: { business_unit_ids: [id], ...more },
});
const named = ({ meta }: Awaited<ReturnType<typeof show>>) =>
  meta.companies?.map(({ id, is_limited }) => [id, is_limited]);

type Values = Record<string, number | null>;
const averages = new Set(['answer_rate', 'avg_duration', 'avg_ring']);
/** Figures that can be added up, of these rows by key. */
function added(boards: { data: { key: string; values: Values }[]; totals: Values }[]) {
  const sums = new Map<string, Values>();
  const add = (key: string, values: Values) => {
    const sum = sums.get(key) ?? {};
    sums.set(key, sum);
    for (const [name, value] of Object.entries(values))
      if (!averages.has(name)) sum[name] = (sum[name] ?? 0) + (value ?? 0);
  };
  for (const { data, totals } of boards) {
    for (const { key, values } of data) add(key, values);
    add('in all', totals);
  }
  // Rows of nothing are those of hours and days, which every company has.
  return Object.fromEntries([...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

describe('an organization’s figures are those of its companies', () => {
  const parts = dashboardTypes.map((type) => ({ type }) as Asked);
  const more: Asked[] = [
    ...(
      ['tag', 'sentiment', 'phrase_list', 'hour', 'weekday', 'department', 'company'] as const
    ).map((groupBy) => ({ groupBy })),
    { filters: { sources: ['google_ads'] } },
    { filters: { qualified: true, direction: 'all' } },
    { unique: false, type: 'sources' },
  ];
  /** So many have their calls added up by the days of the question’s zone. */
  test.each([[0], [1], [3]])('also when %i of them are read from their sums', async (summed) => {
    for (const [i, { company }] of ours.entries())
      await setCompany(company.id, { timezone: i < summed ? tz : 'America/Denver' });
    while (await app.services.db.systemTransaction((tx) => fillRollup(tx)));
    const { rows } = await sql<{ n: number }>`select count(*)::int n from call_rollup_company
      where company_id = any(${ours.map(({ company }) => company.id)}::bigint[])
        and timezone = ${tz} and greatest(counted_from, more_counted_from) <= ${range.start}::date`.execute(
      app.services.db.unscoped,
    );
    expect(rows).toEqual([{ n: summed }]);
    await inbox.text(uniquePhone(), (await inbox.number(two.company.id)).number, 'hello');
    for (const asked of [...parts, ...more]) {
      const compared = { compare: 'previous' as const, ...asked };
      const all = await show(one.owner, {
        ...compared,
        filters: { ...asked.filters, business_unit_ids: [unit] },
      });
      const each = [];
      for (const { owner } of ours) each.push(await show(owner, compared));
      expect(added([all]), JSON.stringify(asked)).toEqual(added(each));
      expect(all.meta.row_count).toBe(each.reduce((sum, { meta }) => sum + meta.row_count, 0));
      const before = each.flatMap(({ previous }) => previous ?? []);
      expect(added(all.previous ? [all.previous] : [])).toEqual(added(before));
    }
    const numbers = await show(one.owner, { type: 'numbers', ...ofUnit() });
    expect(numbers.data.map(({ label }) => label.split(', ').at(-1))).toEqual(
      expect.arrayContaining(ours.map(({ company }) => company.name)),
    );
    const { data } = await show(one.owner, { groupBy: 'company', ...ofUnit() });
    expect(data.map(({ key, label, values }) => [key, label, values['calls']])).toEqual(
      expect.arrayContaining(
        ours.map(({ company }) => [String(company.id), company.name, expect.any(Number)]),
      ),
    );
  });
});

describe('whose companies are counted', () => {
  test('an administrator of the organization sees all, whoever is in one sees that one', async () => {
    const ids = ours.map(({ company }) => [company.id, false]);
    expect(named(await show(one.owner, ofUnit()))?.toSorted()).toEqual(ids.toSorted());
    const alone = await show(two.owner, ofUnit());
    expect(named(alone)).toEqual([[two.company.id, false]]);
    expect(alone.totals).toEqual((await show(two.owner)).totals);
  });

  test('someone limited to a number in one company has only that number’s calls there', async () => {
    const [first = 0] = two.numbers;
    const person = await app.createPerson(one.company.id, 'administrator');
    await app.services.db.systemTransaction((tx) =>
      sql`insert into membership (company_id, user_id, role, number_ids)
        values (${two.company.id}, ${person.id}, 'reporting', ${[first]}::bigint[])`.execute(tx),
    );
    const both = await show(person, { type: 'numbers', ...ofUnit() });
    expect(named(both)?.toSorted()).toEqual(
      [
        [one.company.id, false],
        [two.company.id, true],
      ].toSorted(),
    );
    expect(both.data.map(({ key }) => Number(key)).toSorted()).toEqual(
      [...one.numbers, first].toSorted(),
    );
    const theirs = await show(two.owner, { filters: { number_ids: [first] } });
    const own = await show(one.owner);
    expect(both.totals['calls']).toBe((theirs.totals['calls'] ?? 0) + (own.totals['calls'] ?? 0));
    const texts = await show(person, { type: 'messages', groupBy: 'number', ...ofUnit() });
    expect(texts.data.map(({ key }) => Number(key))).not.toContain(two.numbers[1]);
    // A number of theirs that isn't seen, asked for by its ID.
    const hidden = await show(person, ofUnit(unit, { number_ids: [two.numbers[1] ?? 0] }));
    expect(hidden.totals['calls']).toBe(0);
  });

  test('what is hidden from someone in one of them is hidden in the rows of all', async () => {
    const caller = '+14155550172';
    const name = async (companyId: number, number: number, tag: number) => {
      await sql`update number set label = ${`Line of ${caller}`}
        where company_id = ${companyId} and id = ${number}`.execute(app.services.db.unscoped);
      await sql`update tag set name = ${`Asked by (415) 555-0172, ${companyId}`}
        where company_id = ${companyId} and id = ${tag}`.execute(app.services.db.unscoped);
    };
    for (const { company, numbers, tags } of [one, two]) {
      await name(company.id, numbers[0] ?? 0, tags[0] ?? 0);
      const { rows } = await sql<{ number: string }>`select number from number
        where company_id = ${company.id} and id = ${numbers[0] ?? 0}`.execute(
        app.services.db.unscoped,
      );
      await inbox.text(uniquePhone(), rows[0]?.number ?? '', 'hello');
    }
    const person = await app.createPerson(one.company.id, 'administrator');
    await app.services.db.systemTransaction((tx) =>
      sql`insert into membership (company_id, user_id, role, number_ids)
        values (${two.company.id}, ${person.id}, 'user', ${two.numbers}::bigint[])`.execute(tx),
    );
    const rowsOf = async (who: TestPerson, body: Asked) =>
      (await show(who, { compare: 'previous', end: '2026-11-13', ...body })).data.map(
        ({ key, label }) => `${key} ${label}`,
      );
    const parts: Asked[] = [
      { type: 'numbers' },
      { groupBy: 'tag' },
      { type: 'messages', groupBy: 'number' },
    ];
    const isNamed = (row: string) => /Line of|Asked by/.test(row);
    const isShown = (row: string) => row.replaceAll(/\D/g, '').includes('4155550172');
    for (const masked of [false, true]) {
      await sql`update company set settings = settings
          || jsonb_build_object('mask_contact_details_for_users', ${masked}::boolean)
        where id = ${two.company.id}`.execute(app.services.db.unscoped);
      for (const part of parts) {
        const all = (await rowsOf(person, { ...part, ...ofUnit() })).filter(isNamed);
        expect(all, JSON.stringify(part)).toHaveLength(2);
        expect(all.filter(isShown), JSON.stringify(part)).toHaveLength(masked ? 0 : 2);
        // Where nothing is hidden from them, they see it; so do others in both.
        const own = (await rowsOf(person, part)).filter(isNamed);
        expect([own.length, own.filter(isShown).length], JSON.stringify(part)).toEqual([1, 1]);
        const seen = (await rowsOf(one.owner, { ...part, ...ofUnit() })).filter(isShown);
        expect(seen.length, JSON.stringify(part)).toBeGreaterThanOrEqual(2);
      }
    }
  });

  test('companies of another organization are neither counted nor named', async () => {
    for (const company_ids of [[foreign.company.id], [one.company.id, foreign.company.id]]) {
      const refused = await request(one.owner, ofUnit(unit, { company_ids }));
      expect([refused.status, refused.body]).toEqual([
        422,
        expect.objectContaining({ errors: { company_ids: ['Choose companies from the list.'] } }),
      ]);
    }
    const none = await show(one.owner, { groupBy: 'company', ...ofUnit(otherUnit) });
    expect([none.totals['calls'], none.data, none.meta.companies]).toEqual([0, [], []]);
    expect(JSON.stringify(none)).not.toContain(foreign.company.name);
    // Someone in both organizations has each by itself.
    await app.services.db.systemTransaction((tx) =>
      sql`insert into membership (company_id, user_id, role)
        values (${foreign.company.id}, ${one.owner.id}, 'administrator')`.execute(tx),
    );
    expect(named(await show(one.owner, ofUnit()))).toHaveLength(3);
    expect(named(await show(one.owner, ofUnit(otherUnit)))).toEqual([[foreign.company.id, false]]);
    const mixed = await show(one.owner, ofUnit(unit, { company_ids: [foreign.company.id] }));
    expect([mixed.totals['calls'], named(mixed)]).toEqual([0, []]);
  });

  test('the company filter counts one of them', async () => {
    const asked = ofUnit(unit, { company_ids: [two.company.id] });
    const filtered = await show(one.owner, { type: 'sources', ...asked });
    expect(filtered.data).toEqual((await show(two.owner, { type: 'sources' })).data);
  });

  test('a company that is suspended, deactivated or has left is out', async () => {
    const back = { suspended_at: null, status: 0, organization_id: unit };
    const whole = await show(one.owner, ofUnit());
    for (const values of [
      { suspended_at: app.clock.value },
      { status: 2 },
      { organization_id: null },
    ]) {
      await setCompany(three.company.id, values);
      const left = await show(one.owner, ofUnit());
      expect(named(left), JSON.stringify(values)).toHaveLength(2);
      expect(named(left)).not.toContainEqual([three.company.id, false]);
      expect(left.totals['calls']).toBeLessThan(whole.totals['calls'] ?? 0);
      await setCompany(three.company.id, back);
    }
    // Parked, it still gets calls.
    await setCompany(three.company.id, { status: 1 });
    expect((await show(one.owner, ofUnit())).totals).toEqual(whole.totals);
    await setCompany(three.company.id, back);
  });

  test('without the right to see reports in a company, its calls aren’t counted', async () => {
    const person = await app.createPerson(one.company.id, 'administrator');
    await app.services.db.systemTransaction((tx) =>
      sql`insert into membership (company_id, user_id, role)
        values (${two.company.id}, ${person.id}, 'billing')`.execute(tx),
    );
    expect(named(await show(person, ofUnit()))).toEqual([[one.company.id, false]]);
    expect((await request(person, { filters: { company_ids: [two.company.id] } })).status).toBe(
      422,
    );
  });
});

test('200 companies cost as many statements as two, none of them per company', async () => {
  const large = await companyWithCalls(app, 35, 40);
  const id = await organize(large.owner, 'Franchise', large.company.id);
  const join = async (n: number) => {
    await app.services.db.systemTransaction((tx) =>
      sql`with made as (
          insert into company (name, slug, timezone, organization_id, created_at)
          select 'Shop ' || n, 'franchise-shop-' || n, ${tz}, ${id}, now()
          from generate_series(${n === 1 ? 1 : 2}::int, ${n}::int) n returning id)
        insert into number (company_id, id, number)
        select id, id * 10, '+1' || 3000000000 + id % 1000000000 from made`.execute(tx),
    );
    await app.services.db.systemTransaction((tx) =>
      sql`insert into call (company_id, id, number_id, carrier, outbound, from_number, to_number,
          party, outcome, started_at, talk_seconds)
        select c.id, c.id * 10 + k, c.id * 10, 'sandbox', false, '', '', '+1212555' || 1000 + k, 1,
          ${range.start}::date + k * interval '1 day', 60
        from company c cross join generate_series(1, 5) k
        where c.organization_id = ${id} and c.name like 'Shop %'
        on conflict do nothing`.execute(tx),
    );
  };
  /** The statements that a part of the dashboard sends, and what it answers. */
  const cost = async (body: Asked) => {
    const real = pg.Client.prototype.query;
    let sent = 0;
    const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
      this: pg.Client & { connectionParameters: { application_name: string } },
      ...asked: unknown[]
    ) {
      // Of requests in the lane of reports; others work beside it.
      if (this.connectionParameters.application_name.endsWith('reports')) sent++;
      return Reflect.apply(real, this, asked) as never;
    } as never);
    const board = await show(large.owner, { compare: 'previous', unique: false, ...body });
    spy.mockRestore();
    return { sent, companies: board.meta.companies?.length, calls: board.totals['calls'] ?? 0 };
  };
  const asked = { type: 'sources' as const, ...ofUnit(id) };
  await join(1);
  // Connections are opened, once.
  await cost(asked);
  const few = await cost(asked);
  await join(200);
  const many = await cost(asked);
  expect([few.companies, many.companies]).toEqual([2, 201]);
  expect(many.calls - few.calls).toBe(199 * 5);
  expect(many.sent).toBe(few.sent);
  expect(many.sent).toBeLessThanOrEqual(10);
});
