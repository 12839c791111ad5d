import { sql, type RawBuilder } from 'kysely';
import {
  fillItemRollup,
  foldRollups,
} from '../../src/modules/analytics/query/store-rollups-upkeep.ts';
import { inOrder } from './changing-calls.ts';
import { inboxHelpers } from './inbox.ts';
import type { seeded } from './random-calls.ts';
import type { TestApp, TestPerson } from './test-app.ts';

type Random = ReturnType<typeof seeded>;
/** A company of `changingItems`. */
export interface CompanyOfItems {
  id: number;
  tz: string;
  owner: TestPerson;
  numbers: readonly number[];
  users: readonly number[];
  conversations: readonly number[];
}

/** Companies whose texts, voicemails and faxes change, and the jobs that add them up. */
export function changingItems(app: TestApp) {
  const { db } = app.services;
  const run = (what: RawBuilder<unknown>) => db.systemTransaction((tx) => what.execute(tx));

  /** Adds items of all kinds over 280 days of 2026 in one statement. */
  const add = (
    { id, numbers, users, conversations }: CompanyOfItems,
    r: Random,
    count: number,
    more: { at?: string; source?: string } = {},
  ) =>
    run(sql`insert into conversation_item (company_id, id, conversation_id, number_id, kind,
        is_inbound, created_at, actor_id, details, source, deleted_at)
      select ${id}, ${r.below(1_000_000) * 1000} + n, (${[...conversations]}::bigint[])[1 + n % 2],
        (${[...numbers]}::bigint[])[1 + (n / 3 + ${r.below(9)}) % 2],
        (array['message', 'message', 'message', 'voicemail', 'fax', 'scheduledmessage', 'call',
          'note'])[1 + abs(hashint4(n)) % 8],
        n % 5 < 3, ${more.at ?? '2026-02-20T00:00:00Z'}::timestamptz
          + ${more.at ? 0 : 1}::int * (abs(hashint4(n + ${r.below(99_999)})) % 24192000) * interval '1 second',
        case when n % 5 > 2 then (${[...users]}::bigint[])[1 + n % 3] end, '{}',
        case when n % 4 = 0 then ${more.source ?? 'campaign:'} || gen_random_uuid() end,
        case when n % 10 = 9 then now() end
      from generate_series(1, ${count}::int) n`);

  async function company(r: Random, tz: string): Promise<CompanyOfItems> {
    const inbox = inboxHelpers(app);
    const { company: made, owner } = await app.createCompany();
    const numbers = [(await inbox.number(made.id)).id, (await inbox.number(made.id)).id];
    const users = [owner.id, (await app.createPerson(made.id, 'user')).id];
    await run(sql`update company set timezone = ${tz} where id = ${made.id}`);
    const conversations = await db.systemTransaction(
      async (tx) =>
        (
          await sql<{ id: number }>`insert into conversation (company_id, number_id, party,
              created_at, last_activity_at)
            select ${made.id}, n, '+1' || next_id(), now(), now()
            from unnest(${numbers}::bigint[]) n returning id`.execute(tx)
        ).rows,
    );
    const known = {
      id: made.id,
      owner,
      tz,
      numbers,
      users,
      conversations: conversations.map((c) => c.id),
    };
    await add(known, r, 500);
    return known;
  }
  const fold = async (most = 1000) => {
    while ((await db.systemTransaction((tx) => foldRollups(tx, most, 'item'))) > 0);
  };
  const fill = async () => {
    while (await db.systemTransaction((tx) => fillItemRollup(tx, false)));
  };

  /** Changes some items in one of the ways that they change, or adds some. */
  async function correct(made: CompanyOfItems, r: Random, which = sql`true`) {
    if (r.is(0.25)) {
      // Of one moment, as a campaign's are, or of many.
      const at = r.is(0.5) ? '2026-09-14T23:52:00Z' : undefined;
      await add(made, r, 12, { ...(at && { at }), source: r.oneOf(['campaign:', 'import:']) });
    }
    const { id, numbers, users, conversations } = made;
    const ways = [
      () => sql`update conversation_item set deleted_at = now()`,
      () => sql`update conversation_item set deleted_at = null`,
      () => sql`update conversation_item set number_id = ${r.oneOf(numbers)}::bigint`,
      // Another conversation, and having been read, change no sum.
      () => sql`update conversation_item set conversation_id = ${r.oneOf(conversations)}::bigint,
        read_at = now()`,
      () => sql`update conversation_item
        set created_at = created_at + ${r.below(90) - 45} * interval '1 day'`,
      () => sql`update conversation_item set actor_id = ${r.oneOf([...users, null])}::bigint`,
      () => sql`update conversation_item set kind = ${r.oneOf(['message', 'fax', 'call'])}`,
      () => sql`update conversation_item set is_inbound = not is_inbound`,
      () => sql`update conversation_item set source = null`,
      () => sql`delete from conversation_item`,
    ];
    const [of, rest] = r.oneOf([
      [13, r.below(13)],
      [41, r.below(41)],
    ] as const);
    await run(
      sql`${r.oneOf(ways)()} where company_id = ${id} and id % ${of} = ${rest} and ${which}`,
    );
  }

  /** All of a company’s sums that say anything, and what isn't added up. */
  const stored = (id: number) =>
    db.systemTransaction(async (tx) => {
      const { rows } = await sql<object>`select r.* from item_rollup r
        join item_rollup_company s using (company_id, edition)
        where company_id = ${id} and row(inbound, outbound) <> row(0, 0)`.execute(tx);
      const { rows: pending } = await sql`select from item_rollup_change
        where company_id = ${id}`.execute(tx);
      return { rows: inOrder(rows), pending: pending.length };
    });
  /** As a version without sums leaves a company: nothing of it is counted. */
  async function forget(id: number) {
    await run(sql`delete from item_rollup where company_id = ${id}`);
    await run(
      sql`update item_rollup_company set counted_from = 'infinity' where company_id = ${id}`,
    );
  }
  /** The sums that a company has when its items are counted anew. */
  async function recounted(id: number) {
    await forget(id);
    await fill();
    return stored(id);
  }
  return { add, company, fold, fill, correct, forget, stored, recounted };
}
