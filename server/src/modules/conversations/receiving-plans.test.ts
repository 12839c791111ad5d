import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import {
  statisticsVariants,
  maxReturnedRows,
  explainQueries,
  analyzeAs,
  withoutAutovacuum,
} from '../../../test/support/query-plans.ts';
import { createTestApp } from '../../../test/support/test-app.ts';
import type { Tx } from '../../platform/db.ts';
import { systemCtx, withTx, type TxCtx } from '../../platform/context.ts';
import { isBlocked, optedOutNumbers } from '../compliance/index.ts';
import { beginInbound } from '../calls/runtime/begin-inbound.ts';
import { contactsByNumber, contactsOfNumbers } from '../contacts/index.ts';
import { markUnsubscribedMany } from '../contacts/store.ts';
import { appendCampaignMessages, updateCampaignMessages } from './append-campaign-messages.ts';
import { storeTexts } from './receive-texts.ts';
import { linkContacts } from './store.ts';
import { inboxHelpers } from '../../../test/support/inbox.ts';

/**
 * Handling a carrier's webhook must use index lookups whatever statistics the planner has: right
 * after an import it has none for fifteen thousand contacts. No query may read more rows of a table
 * than a small multiple of those it needs. Few contacts are a case of their own: without statistics
 * the indexes then look alike to the planner.
 */
const sizes = { few: 1000, many: 15_000 };
const tables = [
  'contact',
  'contact_number',
  'contact_activity',
  'conversation',
  'conversation_item',
  'block',
  'opt_out',
];
const grows = new RegExp(`^(${tables.join('|')})$`);
const together = 200;

describe.each([
  ...statisticsVariants.map((known) => [sizes.many, known] as const),
  [sizes.few, 'never analysed'] as const,
])('%i contacts, in a database that was %s', async (rows, known) => {
  const app = await createTestApp();
  await withoutAutovacuum(app, tables);
  const { company } = await app.createCompany();
  const number = await inboxHelpers(app).number(company.id);
  const phone = (n: number) => `+1${2_120_000_000 + n}`;
  await app.services.db.systemTransaction(async (tx) => {
    if (known === 'analysed before the rows came') {
      await sql`insert into contact (company_id, id, number, name) select ${company.id}, n, '+1'
        || (2130000000 + n), 'Early ' || n from generate_series(900001, 900005) n`.execute(tx);
      await sql`insert into block (company_id, target, action) values (${company.id}, '+12139990000', 1)`.execute(
        tx,
      );
    }
  });
  if (known === 'analysed before the rows came') await analyzeAs(app, tables);
  await app.services.db.systemTransaction(async (tx) => {
    await sql`insert into contact (company_id, id, number, name) select ${company.id}, n, '+1'
      || (2120000000 + n), 'Person ' || n from generate_series(1, ${rows}::int) n`.execute(tx);
    await sql`insert into contact_number (company_id, number, contact_id, created_at)
      select ${company.id}, '+1' || (2140000000 + n), n, now()
      from generate_series(1, ${rows}::int) n`.execute(tx);
    await sql`insert into contact_activity (company_id, number, last_texted_at)
      select ${company.id}, '+1' || (2120000000 + n), now()
      from generate_series(1, ${rows}::int) n`.execute(tx);
    await sql`insert into opt_out (company_id, number, source, opted_out_at) select ${company.id},
      '+1' || (2150000000 + n), 'import', now() from generate_series(1, ${rows}::int) n`.execute(
      tx,
    );
    await sql`insert into block (company_id, target, action) select ${company.id}, '+1'
      || (2150000000 + n), 1 from generate_series(1, ${rows}::int) n`.execute(tx);
    await sql`insert into conversation (company_id, id, number_id, party, contact_id, created_at,
        last_activity_at) select ${company.id}, n, ${number.id}, '+1' || (2120000000 + n), n, now(),
      now() from generate_series(1, ${rows}::int) n`.execute(tx);
    await sql`insert into conversation_item (company_id, id, conversation_id, number_id, kind,
        is_inbound, created_at, details, text, delivery_state, carrier, provider_event_id)
      select ${company.id}, n, n, ${number.id}, 'message', true, now(),
        '{"content": "x", "media": []}', 'x', 'received', 'sandbox', 'old-' || n
        from generate_series(1, ${rows}::int) n`.execute(tx);
  });
  if (known === 'analysed') await analyzeAs(app, tables);

  const plans = explainQueries(app, () => company.id);
  const taken = async (ask: (t: TxCtx) => Promise<unknown>) => {
    const seen = await plans((tx) =>
      ask(withTx(systemCtx(app.services, company.id, app.notifier), tx, app.notifier)),
    );
    return { most: maxReturnedRows(seen, grows), seen: seen.join('\n\n') };
  };
  const text = (from: string, id: string) => ({
    numberId: number.id,
    text: {
      id,
      from,
      to: number.number,
      text: 'Are you open on Friday?',
      at: Date.now(),
      media: [],
    },
  });

  test('contacts of one number and of many are looked up by number', async () => {
    for (const asked of [
      [phone(77)],
      [`+1${2_140_000_077}`],
      ['+19998887777'],
      Array.from({ length: rows === sizes.few ? 20 : together }, (_, i) =>
        i % 2 ? phone(i) : `+1${2_140_000_000 + i}`,
      ),
    ]) {
      const found = await taken((t) => contactsOfNumbers(t.tx, t.companyId, asked));
      expect(found.most, found.seen).toBeLessThanOrEqual(asked.length);
    }
    const call = await taken((t) => contactsByNumber(t.tx, t.companyId, [phone(77)]));
    expect(call.most, call.seen).toBeLessThanOrEqual(1);
  });

  test('blocks and opt-outs are looked up by number', async () => {
    const block = await taken((t) => isBlocked(t.tx, t.companyId, number.id, phone(77)));
    expect(block.most, block.seen).toBeLessThanOrEqual(10);
    const out = await taken((t) => optedOutNumbers(t.tx, t.companyId, [phone(77)]));
    expect(out.most, out.seen).toBeLessThanOrEqual(1);
  });

  test('an opt-out finds its contact by number', async () => {
    const read = async (tx: Tx) =>
      (
        await sql<{
          n: number;
        }>`select (seq_tup_read + idx_tup_fetch)::int n from pg_stat_xact_user_tables where relname = 'contact'`.execute(
          tx,
        )
      ).rows[0]!.n;
    const lines = 20;
    const readForEach = await app.services.db.transaction({ companyId: company.id }, async (tx) => {
      const before = await read(tx);
      await sql`insert into opt_out (company_id, number, source, opted_out_at)
        select ${company.id}, '+1' || (2170000000 + n), 'import', now()
        from generate_series(1, ${lines}::int) n`.execute(tx);
      return ((await read(tx)) - before) / lines;
    });
    expect(readForEach).toBeLessThanOrEqual(2);
  });

  test.each([
    ['known people', phone],
    ['unknown numbers', (n: number) => `+1${2_160_000_000 + n}`],
  ])(
    'texts of %s are stored by index lookups alone',
    async (_, from) => {
      for (const many of rows === sizes.few ? [1, 20] : [1, together]) {
        const stored = await taken((t) =>
          storeTexts(
            t,
            'sandbox',
            Array.from({ length: many }, (__, i) => text(from(i + 1), `${from(i)}-${many}-${i}`)),
          ),
        );
        // Small tables may be read in full once; of large ones only the rows needed.
        expect(stored.most, stored.seen).toBeLessThanOrEqual(
          rows === sizes.few ? rows * 1.5 : many * 4 + 10,
        );
      }
    },
    120_000,
  );

  test('texts of a new company read only its own conversations', async () => {
    const { company: young } = await app.createCompany();
    const line = await inboxHelpers(app).number(young.id);
    const ctx = systemCtx(app.services, young.id, app.notifier);
    // Includes the lookups of foreign keys, which our own plans don't show.
    const read = async (t: TxCtx) =>
      (
        await sql<{
          n: number;
        }>`select (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int n
          from pg_stat_xact_user_tables where relname = 'conversation'`.execute(t.tx)
      ).rows[0]?.n ?? 0;
    const most: number[] = [];
    for (let round = 0; round < 12; round++)
      await ctx.transaction(async (t) => {
        const before = await read(t);
        await storeTexts(
          t,
          'sandbox',
          Array.from({ length: 50 }, (_, i) => ({
            numberId: line.id,
            text: {
              ...text(
                `+1${2_170_000_000 + (round % 6) * 50 + i}`,
                `young-${young.id}-${round}-${i}`,
              ).text,
              to: line.number,
            },
          })),
        );
        most.push((await read(t)) - before);
      });
    expect(Math.max(...most), most.join()).toBeLessThanOrEqual(50 * 8);
  });

  test('an inbound call is processed by index lookups alone', async () => {
    for (const from of [phone(78), '+12169990000']) {
      const event = {
        id: `plan-${from}`,
        call: `plan-${from}`,
        leg: `plan-${from}`,
        seq: 1,
        at: Date.now(),
        type: 'inbound' as const,
        from,
        to: number.number,
      };
      const begun = await taken((t) => beginInbound(t, 'sandbox', number.id, event));
      expect(begun.most, begun.seen).toBeLessThanOrEqual(10);
    }
  });

  test('receipts, sent texts, opt-outs and renames of many read no table more than once', async () => {
    const many = rows === sizes.few ? 20 : together;
    const some = Array.from({ length: many }, (_, i) => i + 1);
    for (const write of [
      (t: TxCtx) =>
        updateCampaignMessages(
          t,
          some.map((itemId) => ({ itemId, state: 'delivered', code: null, text: null })),
        ),
      (t: TxCtx) =>
        appendCampaignMessages(t, {
          numberId: number.id,
          carrier: 'sandbox',
          actor: { id: null, name: null },
          skipInbox: false,
          texts: some.map((n) => ({
            party: phone(n),
            content: 'Hello',
            media: [],
            at: new Date(),
            state: 'sent',
            code: null,
            reason: null,
            source: `plan:${n}`,
          })),
        }),
      (t: TxCtx) =>
        markUnsubscribedMany(
          t.tx,
          t.companyId,
          some.map((n) => ({ number: phone(n), at: new Date() })),
          1_000_000,
        ),
      (t: TxCtx) =>
        linkContacts(
          t.tx,
          t.companyId,
          some.map((n) => ({ contactId: n + 1, number: phone(n) })),
        ),
      (t: TxCtx) => optedOutNumbers(t.tx, t.companyId, some.map(phone)),
    ]) {
      const written = await taken(write);
      expect(written.most, `${String(write)}\n${written.seen}`).toBeLessThanOrEqual(
        rows + many * 10,
      );
    }
  }, 120_000);
});
