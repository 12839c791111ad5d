import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import {
  maxReturnedRows,
  maxSortedRows,
  maxScannedRows,
  explainQueries,
  analyzeAs,
} from '../../../test/support/query-plans.ts';
import { createTestApp } from '../../../test/support/test-app.ts';
import type { ActivityKind } from '#contract/conversations/rules';
import type { Tx } from '../../platform/db.ts';
import type { ActivityFilter } from './store-activity.ts';
import { activityPage, MOST_SEARCHED } from './store-activity-search.ts';
import {
  conversationCount,
  conversationPage,
  unreadByNumber,
  type ConversationFilter,
} from './store-lists.ts';
import { itemPage, threadPage } from './store-item-lists.ts';
import { parseSearch } from './rules.ts';
import {
  countFromOldest,
  missedCondition,
  oldestOfKinds,
  unheardCondition,
} from './store-waiting.ts';
import { inboxHelpers } from '../../../test/support/inbox.ts';
import { analyzeForNewCompanies } from '../../platform/statistics.ts';

/**
 * Query plans don't depend on a machine's load. Lists must walk an index in their own order, and
 * searches must use the trigram index, as the application's role and under row-level security.
 */
const app = await createTestApp();
const inbox = inboxHelpers(app);
const size = Number(process.env['PLAN_CONVERSATIONS'] ?? 8_000);
const { company } = await app.createCompany();
const number = await inbox.number(company.id);
const second = await inbox.number(company.id);
const far = new Date('9999-01-01T00:00:00Z');
const old = new Date(Date.now() - 700 * 86_400_000);

beforeAll(async () => {
  await app.services.db.systemTransaction(async (tx) => {
    await sql`insert into contact (company_id, id, number, name)
      select ${company.id}, n, '+1' || (2120000000 + n), 'Person ' || md5(n::text)
      from generate_series(1, ${size}::int) n`.execute(tx);
    await sql`insert into conversation (company_id, id, number_id, party, contact_id, created_at,
        last_activity_at, archived_at, unread_messages, latest_item_id, latest_kind, latest_inbound,
        latest_at, latest_details)
      select ${company.id},
        n, case when n % 50 = 0 then ${second.id}::bigint else ${number.id}::bigint end, '+1'
        || (2120000000 + n), n, now() - n * interval '1 minute', now() - n * interval '1 minute',
        case when n % 3 = 0 then now() end, case when n % 100 = 0 then 1 else 0 end,
        n * 10, 'message', true, now() - n * interval '1 minute', '{"content": "hello"}'
          from generate_series(1, ${size}::int) n`.execute(tx);
    await sql`insert into conversation_item (company_id, id, conversation_id, number_id, kind,
        is_inbound, created_at, read_at, details, text, delivery_state)
      select ${company.id}, n * 10 + k, n, case when n % 50 = 0 then ${second.id}::bigint
          else ${number.id}::bigint end, case when k = 4 then 'call' else 'message' end, k % 2 = 0,
        now() - n * interval '1 minute' - k * interval '1 hour', now(),
        '{"content": "x", "media": [], "status": 12, "outcome": 1, "duration": 60}',
          case when k = 4 then '' else 'about '
            || md5((n * 10 + k)::text) || case when n = 777 then ' zanzibar' else '' end end,
          case when k = 4 then null else 'received' end
      from generate_series(1, ${size}::int) n, generate_series(1, 5) k`.execute(tx);
  });
  await app.services.db.systemTransaction(async (tx) => {
    // One in twenty is assigned, one in five hundred snoozed.
    await sql`update conversation set assigned_to = 5 + id % 3, assigned_name = 'Una'
      where company_id = ${company.id} and id % 20 = 1`.execute(tx);
    await sql`insert into team (company_id, id, name, created_at)
      values (${company.id}, 1, 'Reception', now()), (${company.id}, 2, 'Night', now())`.execute(
      tx,
    );
    // One in eleven is a team's, and few are another one's.
    await sql`update conversation set team_id = case when id % 1100 = 2 then 2 else 1 end
      where company_id = ${company.id} and id % 11 = 2`.execute(tx);
    await sql`insert into contact_label (company_id, id, label) values (${company.id}, 1, 'Few')`.execute(
      tx,
    );
    await sql`insert into contact_label_use (company_id, label_id, contact_id)
      select ${company.id}, 1, n from generate_series(1, ${size}::int, 400) n`.execute(tx);
    // Every second came from a common source, one in a thousand from a rare one.
    await sql`insert into conversation_item (company_id, id, conversation_id, number_id, kind,
        is_inbound, created_at, read_at, details, text)
      select ${company.id}, n * 10 + 6 + k, n, ${number.id}, case k when 1 then 'trackingmatch' else 'call' end,
        true, now() - n * interval '1 minute', now(), jsonb_build_object('source', 'Rare',
          'sourceKey', case when n % 1000 = 0 then 'rare' else 'common' end), ''
      from generate_series(2, ${size}::int, 2) n, generate_series(1, 2) k`.execute(tx);
    await sql`update conversation set snoozed_until = now() + interval '1 day', archived_at = now()
      where company_id = ${company.id} and id % 500 = 7`.execute(tx);
  });
  // As a database that was never analyzed is a minute later.
  await analyzeForNewCompanies(app.services.db.unscoped);
}, 180_000);

const plans = explainQueries(app, () => company.id);
const plansOf = async (ask: (tx: Tx) => Promise<unknown>) => (await plans(ask)).join('\n\n');
const filter = (more: Partial<ConversationFilter> = {}): ConversationFilter => ({
  companyId: company.id,
  hidden: null,
  sight: null,
  numbers: undefined,
  kinds: undefined,
  archived: false,
  unread: false,
  search: null,
  activeSince: null,
  itemsSince: old,
  until: far,
  ...more,
});
const page = { limit: 25, offset: 0, after: null };
const deep = {
  limit: 25,
  offset: 0,
  after: { at: new Date(Date.now() - size * 40_000), id: Math.floor(size / 1.5) },
};

test('the inbox reads its index in order, on the first page and on a deep one', async () => {
  for (const window of [page, deep]) {
    const plan = await plansOf((tx) => conversationPage(tx, filter(), window));
    expect(plan).toContain('conversation_inbox');
    expect(plan).not.toMatch(/Seq Scan|Sort Key/);
  }
  expect(await plansOf((tx) => conversationPage(tx, filter({ archived: true }), page))).toContain(
    'conversation_archive',
  );
});

test('the inbox of a user with one small number doesn’t read all conversations', async () => {
  const plan = await plansOf((tx) => conversationPage(tx, filter({ sight: [second.id] }), page));
  expect(plan).not.toMatch(/Seq Scan/);
  expect(plan).toMatch(/conversation_of_number|conversation_inbox/);
});

test('Mine, Unassigned, Snoozed and Longest waiting each read their own index in order', async () => {
  for (const [more, index] of [
    [{ assigned: 6 }, 'conversation_assigned'],
    [{ assigned: null }, /conversation_(unassigned|inbox)/],
    [{ archived: null, snoozed: true }, 'conversation_snoozed'],
    [{ oldestFirst: true }, 'conversation_inbox'],
    [{ assigned: 6, oldestFirst: true }, 'conversation_assigned'],
  ] as const) {
    const plan = await plansOf((tx) =>
      conversationPage(tx, filter(more as Partial<ConversationFilter>), page),
    );
    expect(plan, JSON.stringify(more)).toMatch(index);
    expect(plan, JSON.stringify(more)).not.toMatch(/Seq Scan|Sort Key/);
  }
});

test('counting a view reads few rows more than the hundred it counts', async () => {
  for (const more of [
    {},
    { assigned: null },
    { assigned: 6 },
    { archived: null, snoozed: true },
    { unread: true, assigned: 6 },
  ] as Partial<ConversationFilter>[]) {
    const asked = await plans((tx) => conversationCount(tx, filter(more), 99));
    expect(maxReturnedRows(asked, /^conversation$/), asked.join('\n')).toBeLessThanOrEqual(200);
  }
});

test('a thread, the activity list and the unread counts use their indexes', async () => {
  const thread = await plansOf((tx) => threadPage(tx, company.id, 500, undefined, page));
  expect(thread).toContain('conversation_item_thread');
  const activity = await plansOf((tx) =>
    activityPage(
      tx,
      {
        companyId: company.id,
        hidden: null,
        sight: null,
        kinds: ['call', 'message', 'voicemail', 'fax'],
        groups: [],
        tz: 'UTC',
        now: new Date(),
      },
      page,
    ),
  );
  expect(activity).toContain('conversation_item_activity');
  expect(activity).not.toMatch(/Sort Key/);
  expect(await plansOf((tx) => unreadByNumber(tx, company.id, null))).toContain(
    'conversation_unread',
  );
});

const activity = (group: ActivityFilter['groups'][number], kinds: readonly ActivityKind[]) =>
  plans((tx) =>
    activityPage(
      tx,
      {
        companyId: company.id,
        hidden: null,
        sight: null,
        kinds,
        groups: [group],
        tz: 'UTC',
        now: new Date(),
      },
      page,
    ),
  );
const allKinds = ['call', 'message', 'voicemail', 'fax'] as const;

test('activity by number, person, contact, party, rare state or word reads what matches, not the company', async () => {
  const idle = await inbox.number(company.id);
  const groups: [ActivityFilter['groups'][number], readonly ActivityKind[]][] = [
    [[{ field: 'number_id', op: 'eq', value: idle.id }], allKinds],
    [[{ field: 'number_id', op: 'in', value: [String(idle.id), 'x'] }], ['message']],
    [[{ field: 'user_id', op: 'eq', value: 99 }], allKinds],
    [[{ field: 'contact', op: 'eq', value: 4000 }], allKinds],
    [[{ field: 'contact', op: 'contains', value: 'Person ffff' }], allKinds],
    [[{ field: 'party', op: 'eq', value: '+12120000777' }], allKinds],
    [[{ field: 'party', op: 'contains', value: '0000777' }], allKinds],
    [[{ field: 'text', op: 'contains', value: 'zanzibar' }], allKinds],
    [[{ field: 'delivery_state', op: 'in', value: ['failed', 'undelivered'] }], ['message']],
    [[{ field: 'callback_due', op: 'eq', value: true }], ['call']],
  ];
  for (const [group, kinds] of groups) {
    const asked = await activity(group, kinds);
    const what = `${JSON.stringify(group)}\n${asked.join('\n')}`;
    expect(maxReturnedRows(asked, /^conversation_item$/), what).toBeLessThan(1000);
  }
});

test('activity by what no index knows looks through a bounded number of items, and says how far back', async () => {
  for (const filter of [
    { field: 'duration', op: 'gte', value: 3500 },
    { field: 'outcome', op: 'eq', value: 7 },
    { field: 'status', op: 'eq', value: 7 },
    { field: 'has_media', op: 'eq', value: true },
    { field: 'archived', op: 'eq', value: true },
  ] as const) {
    const asked = await activity([filter], allKinds);
    expect(maxReturnedRows(asked, /^conversation_item$/), asked.join('\n')).toBeLessThanOrEqual(
      MOST_SEARCHED,
    );
  }
  const scope = { companyId: company.id, hidden: null, sight: null, tz: 'UTC', now: new Date() };
  const rare: ActivityFilter['groups'] = [[{ field: 'duration', op: 'gte', value: 3500 }]];
  const found = await app.services.db.transaction(scope, (tx) =>
    activityPage(tx, { ...scope, kinds: ['message'], groups: rare }, page),
  );
  expect(found).toMatchObject({ rows: [], total: 0, searchedSince: expect.any(Date) });
});

test('waiting items are counted, and the oldest found, among unread items and missed calls alone', async () => {
  // One call in fifty was missed, one text in a hundred is unread, and there are a few voicemails.
  await app.services.db.systemTransaction((tx) =>
    sql`update conversation_item set is_inbound = true, details = details || '{"outcome": 2}'
      where company_id = ${company.id} and kind = 'call' and conversation_id % 50 = 1`.execute(tx),
  );
  await app.services.db.systemTransaction((tx) =>
    sql`update conversation_item set is_inbound = true, read_at = null,
      kind = case when conversation_id % 1000 = 0 then 'voicemail' else kind end
      where company_id = ${company.id} and id % 10 = 2 and conversation_id % 100 = 0`.execute(tx),
  );
  await analyzeAs(app, ['conversation_item']);
  const scope = { companyId: company.id, hidden: null, sight: null, tz: 'UTC', now: new Date() };
  for (const [ask, index] of [
    [(tx: Tx) => countFromOldest(tx, missedCondition(scope), 1000), 'conversation_item_missed'],
    [(tx: Tx) => countFromOldest(tx, unheardCondition(scope), 1000), 'conversation_item_unread'],
    [(tx: Tx) => oldestOfKinds(tx, scope), 'conversation_item_unread'],
  ] as const) {
    const asked = await plans(ask);
    expect(asked.join('\n')).toContain(index);
    expect(asked.join('\n')).not.toMatch(/Seq Scan on conversation/);
    expect(maxReturnedRows(asked, /^conversation_item$/), asked.join('\n')).toBeLessThan(size / 4);
  }
});

/**
 * Nothing is scanned in full, and at most a thousand rows are sorted (counting stops there as
 * well): what grows with the company is read through an index.
 */
const small = (asked: readonly string[], said: string) => {
  expect(
    maxScannedRows(
      asked,
      /^(conversation|conversation_item|conversation_party|contact|contact_label_use)$/,
    ),
    `${said}\n${asked.join('\n')}`,
  ).toBeLessThanOrEqual(1200);
  expect(maxSortedRows(asked), said).toBeLessThanOrEqual(1000);
};
const everywhere = [
  'zanzibar',
  'zanz label:few',
  'about',
  '2120000777',
  'label:few',
  'label:nowhere',
  'assigned:me',
  'assigned:una',
  'assigned:nobody',
  'assigned:reception',
  'assigned:night',
  'assigned:n',
  'source:rare',
  'is:unread',
  'is:read',
  'is:snoozed',
  'is:archived',
  'is:open',
  'from:2120000777',
  'from:9990001',
  'to:2120000777',
  'q',
  'nothing at all',
];

test.each(everywhere)(
  'the search %s reads indexes, for conversations and for items',
  async (typed) => {
    small(
      await plans((tx) =>
        conversationPage(tx, filter({ archived: null, search: parseSearch(typed), me: 6 }), page),
      ),
      `conversations ${typed}`,
    );
    small(
      await plans((tx) =>
        itemPage(
          tx,
          {
            companyId: company.id,
            me: 6,
            hidden: null,
            sight: null,
            numbers: undefined,
            kinds: undefined,
            archived: null,
            search: parseSearch(typed),
            since: old,
            until: far,
          },
          page,
        ),
      ),
      `items ${typed}`,
    );
  },
);
test('filters by source read indexes, for conversations and for items', async () => {
  const asked = { companyId: company.id, hidden: null, sight: null, since: old, until: far };
  const open = { numbers: undefined, kinds: undefined, archived: null, search: null };
  for (const sources of [['rare'], ['common', 'rare'], ['none']]) {
    small(await plans((tx) => conversationPage(tx, filter({ sources }), page)), sources.join());
    small(
      await plans((tx) => itemPage(tx, { ...asked, ...open, sources }, page)),
      `items ${sources.join()}`,
    );
  }
});
test('filters by kind read indexes, for conversations and for items', async () => {
  for (const kinds of [['voicemail'], ['fax'], ['voicemail', 'fax'], ['message']]) {
    small(await plans((tx) => conversationPage(tx, filter({ kinds }), page)), kinds.join());
    small(
      await plans((tx) =>
        itemPage(
          tx,
          {
            companyId: company.id,
            hidden: null,
            sight: null,
            numbers: undefined,
            kinds,
            archived: null,
            search: null,
            since: old,
            until: far,
          },
          page,
        ),
      ),
      `items ${kinds.join()}`,
    );
  }
  small(
    await plans((tx) =>
      itemPage(
        tx,
        {
          companyId: company.id,
          hidden: null,
          sight: null,
          numbers: undefined,
          kinds: undefined,
          archived: null,
          search: null,
          since: old,
          until: far,
        },
        page,
      ),
    ),
    'all items',
  );
});

test('statements inside the search functions use the trigram indexes', async () => {
  const functions = {
    conversations_found: ['company', 'pattern', 'digits', 'since', 'before', 'most'],
    items_matching: ['company', 'pattern', 'digits', 'since', 'before'],
    match_items: ['company', 'pattern', 'since', 'before', 'most'],
    match_parties: ['company', 'digits', 'most'],
  };
  const types: Record<string, string> = {
    company: 'bigint',
    pattern: 'text',
    digits: 'text',
    since: 'timestamptz',
    before: 'timestamptz',
    most: 'int',
  };
  for (const [name, pattern, digits, index] of [
    ['conversations_found', '%zanzibar%', null, 'conversation_item_search '],
    ['conversations_found', '%zanzibar%', null, 'conversation_item_search_folded'],
    ['conversations_found', '%person 4f%', null, 'contact_search '],
    ['conversations_found', '%person 4f%', null, 'contact_search_folded'],
    ['conversations_found', '%5550%', '%0000777%', 'conversation_party_digits'],
    ['items_matching', '%zanzibar%', null, 'conversation_item_search '],
    ['items_matching', '%zanzibar%', null, 'conversation_item_search_folded'],
    ['match_items', '%zanzibar%', null, 'conversation_item_search '],
    ['match_items', '%zanzibar%', null, 'conversation_item_search_folded'],
    ['match_parties', null, '%0000777%', 'conversation_party_digits'],
  ] as const) {
    const inside = await app.services.db.systemTransaction(async (tx) => {
      const body = (
        await sql<{ prosrc: string }>`select prosrc from pg_proc where proname = ${name}`.execute(
          tx,
        )
      ).rows[0]!.prosrc;
      const words = functions[name];
      const prepared = words.reduce(
        (text, word, i) => text.replace(new RegExp(`\\b${word}\\b`, 'g'), `$${i + 1}`),
        body,
      );
      await sql`select set_config('app.company_id', ${String(company.id)}, true),
        set_config('plan_cache_mode', 'force_generic_plan', true)`.execute(tx);
      // With the planner settings that the functions have.
      await sql`select set_config('enable_seqscan', 'off', true), set_config('enable_indexscan', 'off', true)`.execute(
        tx,
      );
      await sql
        .raw(`prepare inside (${words.map((w) => types[w]).join(', ')}) as ${prepared}`)
        .execute(tx);
      const given: Record<string, string> = {
        company: String(company.id),
        pattern: pattern === null ? 'null' : `'${pattern}'`,
        digits: digits === null ? 'null' : `'${digits}'`,
        since: `'-infinity'`,
        before: `'infinity'`,
        most: '3000',
      };
      const { rows } = await sql
        .raw<{ 'QUERY PLAN': string }>(
          `explain (analyze, costs off, timing off, summary on) execute inside (${words.map((w) => given[w]).join(', ')})`,
        )
        .execute(tx);
      await sql`deallocate inside`.execute(tx);
      return rows.map((r) => r['QUERY PLAN']).join('\n');
    });
    if (process.env['SHOW_PLANS']) console.log(inside);
    expect(inside, name).toContain(index);
  }
});
