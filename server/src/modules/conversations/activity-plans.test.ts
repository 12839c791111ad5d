import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { conversations as contract } from '#contract';
import type { ActivityKind } from '#contract/conversations/rules';
import { inboxHelpers } from '../../../test/support/inbox.ts';
import {
  analyzeAs,
  explainQueries,
  maxReturnedRows,
  withoutAutovacuum,
} from '../../../test/support/query-plans.ts';
import { createTestApp } from '../../../test/support/test-app.ts';
import { parseSearch } from './rules.ts';
import type { Filter } from './store-activity.ts';
import { activityPage } from './store-activity-search.ts';
import { conversationPage, type PageWindow } from './store-lists.ts';

/**
 * What many match is met in the list's order and counted to a thousand, so that its page reads about
 * as many rows; what none match reads no conversation at all. Whatever the planner knows.
 */
const app = await createTestApp();
const inbox = inboxHelpers(app);
const { company, owner } = await app.createCompany();
const other = await app.createCompany();
const [number, elsewhere] = [await inbox.number(company.id), await inbox.number(other.company.id)];
const size = 6_000;
const tables = ['conversation', 'conversation_item'];

/** In each conversation two texts, every second of them unread, and a call, every tenth missed. */
const fill = (companyId: number, numberId: number, many: number) =>
  app.services.db.systemTransaction(async (tx) => {
    await sql`insert into conversation (company_id, id, number_id, party, created_at,
        last_activity_at)
      select ${companyId}, n, ${numberId}, '+1' || (2120000000 + n), now(),
        now() - n * interval '1 minute' from generate_series(1, ${many}::int) n`.execute(tx);
    await sql`insert into conversation_item (company_id, id, conversation_id, number_id, kind,
        is_inbound, created_at, read_at, details, text, delivery_state)
      select ${companyId}, n * 10 + k, n, ${numberId}, case when k = 3 then 'call' else 'message' end,
        true, now() - n * interval '1 minute' - k * interval '1 second',
        case when n % 2 = 0 then now() end,
        case when k = 3 then jsonb_build_object('callId', n, 'status', 12, 'outcome',
            case when n % 10 = 0 then 2 else 1 end, 'duration', 60, 'recordingFileId', null,
            'answeredBy', null, 'source', null, 'extensionLabel', null, 'sourceKey',
            case when n % 3 = 0 then 'google_ads' end, 'campaign', case when n % 3 = 0 then 'implants' end)
          else jsonb_build_object('content', 'x', 'media', '[]'::jsonb) end,
        case when k = 3 then '' else 'good morning ' || md5(n::text) end,
        case when k < 3 then 'received' end
      from generate_series(1, ${many}::int) n, generate_series(1, 3) k`.execute(tx);
  });
beforeAll(async () => {
  await withoutAutovacuum(app, tables);
  await fill(company.id, number.id, size);
  await fill(other.company.id, elsewhere.id, 30);
}, 120_000);

const plans = explainQueries(app, () => company.id);
const scope = { companyId: company.id, hidden: null, sight: null, tz: 'UTC', now: new Date() };
const page = { limit: 25, offset: 0, after: null };
const activity = (filter: Filter, kinds: readonly ActivityKind[]) =>
  plans((tx) => activityPage(tx, { ...scope, kinds, groups: [[filter]] }, page));

const inboxSearch = {
  ...{ ...scope, numbers: undefined, kinds: undefined, archived: false, unread: false },
  ...{ search: parseSearch('good morning'), activeSince: null },
  ...{ itemsSince: new Date(0), until: new Date('9999-01-01') },
};

describe.each(['never analysed', 'analysed'])('a database %s', (state) => {
  beforeAll(async () => {
    if (state === 'analysed') await analyzeAs(app, tables);
  });
  test.each<[Filter, readonly ActivityKind[], number]>([
    [{ field: 'duration', op: 'eq', value: 60 }, ['call'], 1001],
    [{ field: 'text', op: 'contains', value: 'morning' }, ['message'], 1001],
    [{ field: 'unread', op: 'eq', value: true }, ['message'], 1001],
    [{ field: 'source', op: 'eq', value: 'google_ads' }, ['call', 'message'], 1001],
    [{ field: 'source_campaign', op: 'contains', value: 'Plant' }, ['call', 'message'], 1001],
    // One kind beside the other.
    [{ field: 'unread', op: 'eq', value: true }, ['message', 'call', 'voicemail', 'fax'], 1003],
  ])(
    '%o of %o, which many match, reads little more than it counts',
    async (filter, kinds, most) => {
      const asked = await activity(filter, kinds);
      const what = asked.join('\n');
      expect(maxReturnedRows(asked, /^conversation_item$/), what).toBeLessThanOrEqual(most);
      expect(maxReturnedRows(asked, /^conversation$/), what).toBeLessThanOrEqual(1001);
      expect(what).not.toMatch(/Seq Scan on conversation/);
    },
  );
  test('a filter that no call passes reads no conversation', async () => {
    const asked = await activity({ field: 'duration', op: 'gte', value: 3500 }, ['call']);
    expect(asked.join('\n')).toMatch(/Scan using conversation_pkey on conversation \(never/);
  });
  test('a source that no call has reads those of tracking numbers alone', async () => {
    const asked = await activity({ field: 'source', op: 'eq', value: 'yelp' }, ['call', 'message']);
    const what = asked.join('\n');
    expect(maxReturnedRows(asked, /^conversation_item$/), what).toBeLessThanOrEqual(size / 3);
    expect(what).toContain('conversation_item_matched');
    expect(what).toMatch(/Scan using conversation_pkey on conversation \(never/);
  });
  test('a word that most texts have is met in the newest conversations, without listing texts', async () => {
    const asked = await plans((tx) => conversationPage(tx, inboxSearch, page));
    // A sample of texts, senders with such a name, and the page.
    expect(asked).toHaveLength(3);
    expect(asked.join('\n')).not.toContain('conversations_found');
    expect(maxReturnedRows(asked, /^conversation$/), asked.join('\n')).toBeLessThanOrEqual(501);
    expect(maxReturnedRows(asked, /^conversation_item$/), asked.join('\n')).toBeLessThan(1100);
  });
});

test('a common word finds the same page by page, by cursor, and looked for in all conversations', async () => {
  const read = (companyId: number, w: Partial<PageWindow>) =>
    app.services.db.transaction({ companyId }, (tx) =>
      conversationPage(tx, { ...inboxSearch, companyId }, { ...page, ...w }),
    );
  const pages = [await read(company.id, {})];
  for (let n = 1; n < 6; n++) {
    const last = pages.at(-1)!.rows.at(-1)!;
    pages.push(await read(company.id, { after: { at: last.last_activity_at, id: last.id } }));
  }
  const met = pages.flatMap(({ rows }) => rows.map(({ id }) => id));
  expect(met).toEqual(Array.from({ length: 150 }, (_, n) => n + 1));
  // Pages that end behind the first hundred are looked for in all conversations.
  for (const offset of [25, 75, 100, 125])
    expect((await read(company.id, { offset })).rows.map(({ id }) => id)).toEqual(
      met.slice(offset, offset + 25),
    );
  expect(pages.every(({ capped, total }) => capped && total >= 500)).toBe(true);
  // The newest alone don't fill a page: all are looked through, and counted.
  const [few, rest] = [
    await read(other.company.id, {}),
    await read(other.company.id, { offset: 25 }),
  ];
  expect([few.rows.length, rest.rows.length]).toEqual([25, 5]);
  expect(rest).toMatchObject({ total: 30, capped: false });
});

test('what is looked through of each kind says how far back it went, of the kind that ends first', async () => {
  const filter: Filter = { field: 'duration', op: 'gte', value: 3500 };
  const look = (kinds: readonly ActivityKind[]) =>
    app.services.db.transaction({ companyId: company.id }, (tx) =>
      activityPage(tx, { ...scope, kinds, groups: [[filter]] }, page),
    );
  // 6,000 calls are fewer than may be looked through; beside others, they share that.
  expect(await look(['call'])).toMatchObject({ total: 0, capped: false, searchedSince: null });
  const some = await look(['call', 'message', 'voicemail', 'fax']);
  expect(some).toMatchObject({ total: 0, capped: true });
  // Of 12,000 texts the newest 5,000: of two in each conversation, a minute apart.
  const minutes = (Date.now() - some.searchedSince!.getTime()) / 60_000;
  expect(minutes).toBeGreaterThan(2499);
  expect(minutes).toBeLessThan(2600);
});

test('a list that many match says so, one that few match counts them, and none shows another company’s', async () => {
  const list = async (who: typeof owner, groups: Filter[][], more: object = {}) =>
    (
      await app.as(who).request(contract.listActivity, {
        body: { companyId: who.companyId, types: ['call'], perPage: 25, groups, ...more } as never,
      })
    ).body;
  const all: Filter[][] = [[{ field: 'duration', op: 'eq', value: 60 }]];
  const many = await list(owner, all);
  expect(many.meta).toMatchObject({ total: 1000, total_is_capped: true });
  expect(many.meta).not.toHaveProperty('searched_since');
  expect(many.data).toHaveLength(25);
  // A page behind the thousand is counted as far as it goes.
  const late = await list(owner, all, { page: 60 });
  expect([late.data.length, late.meta.total]).toEqual([25, 1500]);
  expect(late.data[0]!.conversationId).toBe(59 * 25 + 1);
  const missed = await list(owner, [[{ field: 'outcome', op: 'eq', value: '2' }]]);
  expect(missed.meta.total).toBe(size / 10);
  expect(missed.meta).not.toHaveProperty('total_is_capped');
  expect((await list(other.owner, all)).meta.total).toBe(30);
});
