import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { inboxHelpers } from '../../../test/support/inbox.ts';
import { explainQueries, maxReturnedRows } from '../../../test/support/query-plans.ts';
import { createTestApp } from '../../../test/support/test-app.ts';
import { activityPage } from './store-activity-search.ts';
import { conversationCount } from './store-lists.ts';
import { countFromOldest, oldestUnread, unheardCondition } from './store-waiting.ts';
import { analyzeForNewCompanies } from '../../platform/statistics.ts';

/** The home page's queries read few rows, however many old ones there are. */
const app = await createTestApp();
const { company } = await app.createCompany();
const number = await inboxHelpers(app).number(company.id);
const plans = explainQueries(app, () => company.id);
const size = 4_000;
const scope = { companyId: company.id, hidden: null, sight: null, tz: 'UTC', now: new Date() };

beforeAll(async () => {
  // Of the first half, all but every hundredth were archived with a text or a voicemail never
  // opened; the second half is open and read.
  await app.services.db.systemTransaction(async (tx) => {
    await sql`insert into conversation (company_id, id, number_id, party, created_at,
        last_activity_at, archived_at, unread_messages, latest_item_id, latest_kind, latest_inbound,
        latest_at, latest_details)
      select ${company.id}, n, ${number.id}, '+1' || (2120000000 + n), now(), now(),
        case when n % 100 <> 0 and n <= ${size}::int then now() end, (n <= ${size}::int)::int, n * 10, 'message', true, now(), '{}'
      from generate_series(1, ${2 * size}::int) n`.execute(tx);
    await sql`insert into conversation_item (company_id, id, conversation_id, number_id, kind,
        is_inbound, created_at, details, delivery_state)
      select ${company.id}, n * 10, n, ${number.id},
        case when n % 2 = 0 then 'voicemail' else 'message' end, true,
        now() - interval '1 year' + n * interval '1 minute', '{"content": "x"}', 'received'
      from generate_series(1, ${size}::int) n`.execute(tx);
    // The open ones have long threads that were read.
    await sql`insert into conversation_item (company_id, id, conversation_id, number_id, kind,
        is_inbound, created_at, read_at, details, delivery_state)
      select ${company.id}, n * 100000 + k, n, ${number.id}, 'message', true,
        now() - interval '2 years', now(), '{"content": "x"}', 'received'
      from generate_series(100, ${size}::int, 100) n, generate_series(1, 200) k`.execute(tx);
    // The latest activity is a campaign.
    await sql`insert into conversation_item (company_id, id, conversation_id, number_id, kind,
        is_inbound, created_at, read_at, details, delivery_state, source)
      select ${company.id}, n * 10 + 1, n, ${number.id}, 'message', false,
        now() + n * interval '1 second', now(), '{"content": "Sale"}', 'delivered',
        'campaign:' || n from generate_series(1, ${size}::int) n`.execute(tx);
  });
  // As a database that was never analyzed is a minute later.
  await analyzeForNewCompanies(app.services.db.unscoped);
}, 120_000);

test('the oldest unread item is found without reading those of archived conversations', async () => {
  const found = await app.services.db.transaction({ companyId: company.id }, (tx) =>
    oldestUnread(tx, scope),
  );
  expect(found).toMatchObject({ id: 1000 });
  const asked = await plans((tx) => oldestUnread(tx, scope));
  expect(maxReturnedRows(asked, /^conversation(_item)?$/), asked.join('\n')).toBeLessThan(100);
  expect(asked.join('\n')).toMatch(/conversation_item_unread on/);
});

test('counting unread conversations does not read archived ones', async () => {
  const asked = await plans((tx) =>
    conversationCount(
      tx,
      {
        companyId: company.id,
        hidden: null,
        sight: null,
        numbers: undefined,
        kinds: undefined,
        archived: false,
        unread: true,
        search: null,
        activeSince: null,
        itemsSince: new Date(0),
        until: new Date('9999-01-01'),
      },
      1000,
    ),
  );
  expect(maxReturnedRows(asked, /^conversation$/), asked.join('\n')).toBeLessThan(100);
});

test('the oldest unplayed voicemails are the first rows of their index', async () => {
  const asked = await plans((tx) => countFromOldest(tx, unheardCondition(scope), 50));
  expect(asked.join('\n')).toContain('conversation_item_unread_kind');
  expect(maxReturnedRows(asked, /^conversation_item$/), asked.join('\n')).toBeLessThan(100);
});

test('the latest activity without campaigns does not read campaign texts', async () => {
  const asked = await plans((tx) =>
    activityPage(
      tx,
      {
        ...scope,
        kinds: ['call', 'message', 'voicemail', 'fax'],
        groups: [[{ field: 'campaign', op: 'eq', value: false }]],
      },
      { limit: 8, offset: 0, after: null },
    ),
  );
  expect(asked[0]).toContain('conversation_item_personal');
  expect(maxReturnedRows(asked.slice(0, 1), /^conversation_item$/), asked[0]).toBeLessThan(100);
});
