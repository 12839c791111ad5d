import pg from 'pg';
import { sql, type CompiledQuery } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { aWorld } from '../../../test/world.ts';
import type { Tx } from '../../platform/db.ts';
import { activityPage } from './store-activity.ts';
import { conversationPage, itemPage, threadPage, unreadByNumber, type ConversationFilter } from './store-lists.ts';
import { readSearch } from './rules.ts';
import { inboxOf } from './test-inbox.ts';

/**
 * Query plans are what stays true on a noisy machine. Lists must walk an index in their own order, and searches must use the
 * trigram index, as the application's role and behind row-level security.
 */
const world = await aWorld();
const inbox = inboxOf(world);
const size = Number(process.env['PLAN_CONVERSATIONS'] ?? 12_000);
const { company } = await world.company();
const number = await inbox.number(company.id);
const second = await inbox.number(company.id);
const far = new Date('9999-01-01T00:00:00Z');
const old = new Date(Date.now() - 700 * 86_400_000);

beforeAll(async () => {
  await world.house.db.system(async (tx) => {
    await sql`insert into contact (company_id, id, number, name) select ${company.id}, n, '+1' || (2120000000 + n), 'Person ' || md5(n::text) from generate_series(1, ${size}::int) n`.execute(tx);
    await sql`insert into conversation (company_id, id, number_id, party, contact_id, created_at, last_activity_at, archived_at, unread_messages, latest_item_id, latest_kind, latest_inbound, latest_at, latest_details)
      select ${company.id}, n, case when n % 50 = 0 then ${second.id}::bigint else ${number.id}::bigint end, '+1' || (2120000000 + n), n, now() - n * interval '1 minute', now() - n * interval '1 minute', case when n % 3 = 0 then now() end, case when n % 100 = 0 then 1 else 0 end,
        n * 10, 'message', true, now() - n * interval '1 minute', '{"content": "hello"}' from generate_series(1, ${size}::int) n`.execute(tx);
    await sql`insert into conversation_item (company_id, id, conversation_id, number_id, kind, is_inbound, created_at, read_at, details, text, delivery_state)
      select ${company.id}, n * 10 + k, n, case when n % 50 = 0 then ${second.id}::bigint else ${number.id}::bigint end, case when k = 4 then 'call' else 'message' end, k % 2 = 0, now() - n * interval '1 minute' - k * interval '1 hour', now(),
        '{"content": "x", "media": [], "status": 12, "outcome": 1, "duration": 60}', case when k = 4 then '' else 'about ' || md5((n * 10 + k)::text) || case when n = 777 then ' zanzibar' else '' end end, case when k = 4 then null else 'received' end
      from generate_series(1, ${size}::int) n, generate_series(1, 5) k`.execute(tx);
  });
  // Statistics are the owner's to take.
  const owner = new pg.Client({ connectionString: world.house.settings.databaseUrl! });
  await owner.connect();
  await owner.query('vacuum analyze');
  await owner.end();
}, 180_000);

/** What a store asks, with the plan of each statement as the application's role sees it, and how long it really took. */
async function plansOf(ask: (tx: Tx) => Promise<unknown>): Promise<string> {
  return world.house.db.within({ companyId: company.id }, async (tx) => {
    const asked: CompiledQuery[] = [];
    // Bound to the real thing, because Kysely keeps private fields.
    const real = (of: object, key: string | symbol) => { const value: unknown = Reflect.get(of, key, of); return typeof value === 'function' ? (value as (...a: unknown[]) => unknown).bind(of) : value; };
    const listening = (e: ReturnType<Tx['getExecutor']>) => new Proxy(e, { get: (of, key) => (key === 'executeQuery' ? (q: CompiledQuery) => { asked.push(q); return of.executeQuery(q); } : real(of, key)) });
    const spy = new Proxy(tx, { get: (of, key) => (key === 'getExecutor' ? () => listening(of.getExecutor()) : real(of, key)) });
    await ask(spy);
    const plans: string[] = [];
    for (const q of asked) {
      const { rows } = await tx.executeQuery<{ 'QUERY PLAN': string }>({ ...q, sql: `explain (analyze, costs off, timing off, summary on) ${q.sql}` } as CompiledQuery<{ 'QUERY PLAN': string }>);
      plans.push(rows.map((r) => r['QUERY PLAN']).join('\n'));
    }
    if (process.env['SHOW_PLANS']) console.log(plans.join('\n\n'));
    return plans.join('\n\n');
  });
}
const filter = (more: Partial<ConversationFilter> = {}): ConversationFilter => ({ companyId: company.id, sight: null, numbers: undefined, kinds: undefined, archived: false, unread: false, search: null, activeSince: null, itemsSince: old, until: far, ...more });
const page = { limit: 25, offset: 0, after: null };
const deep = { limit: 25, offset: 0, after: { at: new Date(Date.now() - size * 40_000), id: Math.floor(size / 1.5) } };

test('the inbox walks its index, at the top and deep down', async () => {
  for (const window of [page, deep]) {
    const plan = await plansOf((tx) => conversationPage(tx, filter(), window));
    expect(plan).toContain('conversation_inbox');
    expect(plan).not.toMatch(/Seq Scan|Sort Key/);
  }
  expect(await plansOf((tx) => conversationPage(tx, filter({ archived: true }), page))).toContain('conversation_archive');
});

test('somebody who sees one small number does not walk everybody’s', async () => {
  const plan = await plansOf((tx) => conversationPage(tx, filter({ sight: [second.id] }), page));
  expect(plan).not.toMatch(/Seq Scan/);
  expect(plan).toMatch(/conversation_of_number|conversation_inbox/);
});

test('a thread, the activity list and the unread counts use their indexes', async () => {
  const thread = await plansOf((tx) => threadPage(tx, company.id, 500, undefined, page));
  expect(thread).toContain('conversation_item_thread');
  const activity = await plansOf((tx) => activityPage(tx, { companyId: company.id, sight: null, kinds: ['call', 'message', 'voicemail', 'fax'], groups: [], tz: 'UTC' }, page));
  expect(activity).toContain('conversation_item_activity');
  expect(activity).not.toMatch(/Sort Key/);
  expect(await plansOf((tx) => unreadByNumber(tx, company.id, null))).toContain('conversation_unread');
});

test('a search runs in its function, and what runs there uses the trigram indexes', async () => {
  const plan = await plansOf((tx) => conversationPage(tx, filter({ search: readSearch('zanzibar') }), page));
  expect(plan).toContain('Function Scan on conversations_matching');
  expect(plan).not.toMatch(/Seq Scan on conversation_item/);
  expect(await plansOf((tx) => itemPage(tx, { companyId: company.id, sight: null, numbers: undefined, kinds: undefined, archived: null, search: readSearch('zanzibar'), since: old, until: far }, page))).toContain('Function Scan on items_matching');
  for (const [name, pattern, digits, index] of [['conversations_matching', '%zanzibar%', null, 'conversation_item_search'], ['conversations_matching', '%person 4f%', null, 'contact_search'], ['conversations_matching', '%5550%', '%0000777%', 'conversation_party_digits'], ['items_matching', '%zanzibar%', null, 'conversation_item_search']] as const) {
    const inside = await world.house.db.system(async (tx) => {
      const body = (await sql<{ prosrc: string }>`select prosrc from pg_proc where proname = ${name}`.execute(tx)).rows[0]!.prosrc;
      const prepared = ['company', 'pattern', 'digits', 'since', 'before'].reduce((text, word, i) => text.replace(new RegExp(`\\b${word}\\b`, 'g'), `$${i + 1}`), body);
      await sql`select set_config('app.company_id', ${String(company.id)}, true), set_config('plan_cache_mode', 'force_generic_plan', true)`.execute(tx);
      await sql.raw(`prepare inside (bigint, text, text, timestamptz, timestamptz) as ${prepared}`).execute(tx);
      const quoted = digits === null ? 'null' : `'${digits}'`;
      const { rows } = await sql.raw<{ 'QUERY PLAN': string }>(`explain (analyze, costs off, timing off, summary on) execute inside (${company.id}, '${pattern}', ${quoted}, '-infinity', 'infinity')`).execute(tx);
      await sql`deallocate inside`.execute(tx);
      return rows.map((r) => r['QUERY PLAN']).join('\n');
    });
    if (process.env['SHOW_PLANS']) console.log(inside);
    expect(inside, name).toContain(index);
  }
});
