import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { createTestApp } from '../../test/support/test-app.ts';
import { retention } from '../app.ts';
import { systemCtx } from './context.ts';
import type { RetentionRule } from './retention-rule.ts';
import { deleteExpiredRows, deleteExpiredSql, retentionRulesFor } from './retention.ts';

const { rules: retentionRules } = retention;

const app = await createTestApp({ clock: 'still' });
const { company, owner: person } = await app.createCompany();
const owner = new pg.Client({ connectionString: app.services.settings.databaseUrl! });
await owner.connect();
owner.on('error', () => {});
afterAll(() => owner.end());
// Rows without the rows they belong to: only their age matters here.
await owner.query('set session_replication_role = replica');

type Row = Record<string, unknown>;
/**
 * A row of a table whose age counts from `at`; `n` is unique per row. `stays`: a row that is never
 * deleted by age.
 */
interface Fixture {
  row(at: Date, n: number): Row;
  stays?: (at: Date, n: number) => Row;
}
const company_id = company.id;
const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const session = (n: number): Row => ({
  person_id: person.id,
  kind: 'browser',
  cookie_hash: `c${n}`,
  refresh_expires_at: new Date('2999-01-01'),
});
const fieldUpdate = {
  company_id,
  file_name: 'fields.csv',
  entity_type_id: 1,
  id_column: 'number',
  headers: ['number', 'stage'],
  batch_id: '0199a8f0-0000-7000-8000-000000000001',
  created_by_name: 'Ann Fox',
};
const call = (n: number) => ({ company_id, call_id: n });
const command = (n: number) => ({
  ...call(n),
  command_id: `c${n}`,
  command: '{}',
  created_at: new Date(0),
});
const live = (n: number) => ({
  ...call(n),
  carrier: 'sandbox',
  carrier_call: `c${n}`,
  state: '{}',
});
const connection = (n: number) => ({
  company_id,
  provider: 'test',
  external_id: `e${n}`,
  account_name: 'A',
  created_at: new Date(0),
});
const leg = (n: number) => ({ carrier: 'twilio', leg: `l${n}`, call: 'c', inbound: false });

/** One fixture for every rule: a table and how long its rows are kept. */
const fixtures: Record<string, Fixture> = {
  'outbox 7 days': {
    row: (at, n) => ({ company_id, event: 'x', data: '{}', at, seq: n }),
    stays: (at) => ({ company_id, event: 'x', data: '{}', at }),
  },
  'idempotency_key 1 day': {
    row: (at, n) => ({ company_id, person_id: person.id, key: `k${n}`, fingerprint: 'f', at }),
  },
  // The signed-in session of this test is the newest; the old one belongs to a user who never
  // returned.
  'session 30 days': {
    row: (at, n) => ({ ...session(n), id: n, ended_at: at }),
    stays: (at, n) => ({ ...session(n), person_id: n, ended_at: at }),
  },
  'exchange 1 day': {
    row: (at, n) => ({ id: `e${n}`, url: 'http://media', capacity: 1, ended_at: at }),
    // It still runs, however long ago it started.
    stays: (at, n) => ({ id: `e${n}`, url: 'http://media', capacity: 1, started_at: at }),
  },
  'sip_phone 1 day': {
    row: (at, n) => ({ exchange: 'e', device: `d${n}`, phone: '{}', expires_at: at }),
  },
  'login_attempt 30 days': { row: (at) => ({ email_key: 'a@b.c', ok: false, at }) },
  'caddy_used_nonce 1 day': { row: (at, n) => ({ hash: `n${n}`, expires_at: at }) },
  'caddy_code 1 day': {
    row: (at) => ({
      ...{ purpose: 'login', target_hash: 't', network_hash: 'n', hash: 'h' },
      ...{ created_at: at, expires_at: at },
    }),
  },
  'sent_code 1 day': {
    row: (at) => ({ purpose: 'reset', email_key: 'a@b.c', hash: 'h', expires_at: at }),
  },
  'pending_sign_in 1 day': {
    row: (at, n) => ({
      hash: `p${n}`,
      person_id: person.id,
      remember: false,
      admin_mode: false,
      expires_at: at,
    }),
  },
  'passkey_challenge 1 day': {
    row: (at, n) => ({ hash: `c${n}`, purpose: 'sign_in', expires_at: at }),
  },
  'external_sign_in 1 day': {
    row: (at, n) => ({
      state_hash: `s${n}`,
      browser_hash: 'b',
      provider: 'google',
      links: false,
      next: '/',
      expires_at: at,
    }),
  },
  'oauth_record 1 day': {
    row: (at, n) => ({
      kind: 'Grant',
      id_hash: `r${n}`,
      payload_sealed: 'x',
      expires_at: at,
    }),
  },
  'oauth_authorization 30 days': {
    row: (at, n) => ({
      grant_hash: `g${n}`,
      client_id: 'c',
      client_name: 'C',
      person_id: person.id,
      company_id,
      scopes: '{read}',
      expires_at: at,
    }),
  },
  'personal_access_token 90 days': {
    row: (at, n) => ({
      company_id,
      person_id: n,
      name: 'Sheet',
      prefix: 'tlk_abcdef',
      hash: `h${n}`,
      scopes: '{read}',
      expires_at: at,
    }),
    stays: (_, n) => ({
      company_id,
      person_id: n,
      name: 'Sheet',
      prefix: 'tlk_abcdef',
      hash: `h${n}`,
      scopes: '{read}',
    }),
  },
  'mail_outbox 7 days': { row: (at) => ({ to_address: 'a@b.c', sealed: 's', at }) },
  'lease 1 day': {
    row: (at, n) => ({ name: `l${n}`, owner: n, renewed_at: at, until: at }),
  },
  'online_person 1 day': { row: (at, n) => ({ person_id: n, seen_at: at }) },
  'push_device 30 days': {
    row: (at, n) => ({
      person_id: n,
      kind: 'web',
      device_id: `d${n}`,
      token: `t${n}`,
      created_at: at,
      seen_at: at,
      expired_at: at,
    }),
    stays: (at, n) => ({
      person_id: n,
      kind: 'web',
      device_id: `d${n}`,
      token: `t${n}`,
      created_at: at,
      seen_at: at,
    }),
  },
  'conversation_presence 10 minutes': {
    row: (at, n) => ({
      company_id,
      conversation_id: n,
      user_id: 1,
      name: 'A',
      state: 'viewing',
      at,
    }),
  },
  'calling_device 1 day': {
    row: (at, n) => ({ company_id, user_id: n, device: 'd', seen_at: at }),
  },
  'call_command 1 day': {
    row: (at, n) => ({ ...command(n), done_at: at }),
    stays: (_, n) => command(n),
  },
  'live_call 1 day': {
    row: (at, n) => ({ ...live(n), ended: true, last_event_at: at }),
    stays: (at, n) => ({ ...live(n), last_event_at: at }),
  },
  'carrier_call_index 1 day': {
    row: (at, n) => ({ ...call(-n), carrier: 'x', carrier_call: `c${n}`, at }),
    stays: (at, n) => ({ ...call(7), carrier: 'x', carrier_call: `c${n}`, at }),
  },
  'unmatched_call_event 1 day': {
    row: (at, n) => ({ carrier: 'x', carrier_call: `c${n}`, event_id: 'e', event: '{}', at }),
  },
  'call_event 30 days': {
    row: (at, n) => ({ ...call(n), carrier: 'x', event_id: `e${n}`, event: '{}', received_at: at }),
  },
  'webhook_retry 7 days': {
    row: (at) => ({ path: '/carriers/x', sealed: 'x', received_at: at, next_at: at }),
  },
  'backup_run 365 days': {
    row: (at) => ({ name: 'x', place: 'x', started_at: at, finished_at: at, bytes: 0 }),
  },
  'carrier_leg 1 day': {
    row: (at, n) => ({ ...leg(n), state: 'ended', created_at: at }),
    stays: (at, n) => ({ ...leg(n), created_at: at }),
  },
  'carrier_leg 8 days': { row: (at, n) => ({ ...leg(n), created_at: at }) },
  'carrier_object 31 days': {
    row: (at, n) => ({ carrier: 'x', kind: 'text', key: `k${n}`, created_at: at }),
    stays: (at, n) => ({ carrier: 'x', kind: 'port', key: `k${n}`, created_at: at }),
  },
  'tracking_visit 400 days': {
    row: (at) => ({
      company_id,
      started_at: at,
      last_seen_at: at,
      url: 'https://x.test',
      source_id: 1,
      source_key: 'direct',
      source_label: 'Direct',
      rule_id: 'nothing.direct',
      evidence: '',
      device: 'mobile',
      outcome: 'none',
    }),
  },
  'field_update 60 days': {
    row: (at) => ({ ...fieldUpdate, created_at: at }),
  },
  'field_update_change 7 days': {
    row: (at, n) => ({
      company_id,
      update_id: 1,
      row_number: n,
      entity_id: n,
      changes: '[]',
      at,
    }),
  },
  'organization_field_update 60 days': {
    row: (at) => ({
      organization_id: 1,
      file_name: 'fields.csv',
      entity_type_id: 1,
      row_count: 1,
      failed: 0,
      errors: '[]',
      created_by_name: 'Ann Fox',
      created_at: at,
    }),
  },
  'erased_number 1825 days': {
    row: (at, n) => ({ company_id, hash: `hash-${n}`, erased_at: at }),
  },
  'company_import 365 days': {
    row: (at) => ({
      name: 'harbor-dental.zip',
      bytes: 9,
      part_bytes: 9,
      created_by: 1,
      created_by_name: 'Sam Staff',
      created_at: at,
      moved_at: at,
      state: 'done',
    }),
  },
  'source_report 400 days': {
    row: (at) => ({
      company_id,
      name: 'November',
      params: '{}',
      as_of: at,
      checksum: 'x',
      created_at: at,
    }),
  },
  'tracking_match 400 days': {
    row: (at, n) => ({
      company_id,
      kind: 'call',
      subject_id: n,
      number_id: n,
      party: '+12125550147',
      at,
      label: 'exact',
      confidence: 100,
      model: 'first_touch',
      source_id: 1,
      source_key: 'direct',
      source_label: 'Direct',
    }),
  },
  'tracking_lease 400 days': {
    row: (at, n) => ({
      company_id,
      pool_id: 1,
      number_id: n,
      session_id: n,
      visitor_id: 'v',
      started_at: at,
      last_seen_at: at,
      expires_at: at,
      ends_at: at,
    }),
  },
  'tracking_hit 90 days': {
    row: (at, n) => ({ company_id, visit_id: n, pool_id: 1, kind: 'pageview', at }),
  },
  'tracking_hit_count 7 days': {
    row: (hour, n) => ({ company_id, pool_id: n, hour, kind: 'pageview', reason: '', n: 1 }),
  },
  'tracking_site 400 days': {
    row: (last_seen_at, n) => ({ company_id, host: `site-${n}.example.com`, last_seen_at }),
  },
  'delivery 90 days': {
    row: (created_at, n) => ({
      company_id,
      destination_id: 1,
      event: 'call.completed',
      subject_type: 'call',
      subject_id: n,
      number_id: n,
      rule: '{}',
      dedupe_key: `call:${n}`,
      next_try_at: created_at,
      happened_at: created_at,
      created_at,
    }),
  },
  'delivered_record 90 days': {
    row: (updated_at, n) => ({
      company_id,
      ...{ destination_id: 1, key: `key-${n}`, external_id: `${n}`, updated_at },
    }),
  },
  'alert 400 days': {
    row: (at, n) => ({
      company_id,
      kind: 'short_calls',
      severity: 'warning',
      state: 'resolved',
      subject_type: 'number',
      subject_id: n,
      subject_label: 'Main line',
      message: 'Five short calls',
      metric: '{}',
      first_seen_at: at,
      last_seen_at: at,
      created_at: at,
    }),
  },
  'number_reservation 0': {
    row: (at, n) => ({
      number: `+${n}`,
      company_id,
      user_id: 1,
      category: 1,
      found: '{}',
      expires_at: at,
    }),
  },
  'report_link 30 days': {
    row: (at, n) => ({
      company_id,
      favorite_id: n,
      user_id: 1,
      token_hash: `h${n}`,
      created_at: at,
      expires_at: at,
    }),
  },
  'forward_attempt 31 days': {
    row: (at, n) => ({ company_id, contact_id: n, leg: 'l', answered: true, at }),
  },
  'auto_reply_sent 30 days': {
    row: (at, n) => ({ company_id, number_id: n, party: 'p', kind: 'text_back', at }),
  },
  'tag 30 days': {
    row: (at, n) => ({ company_id, name: `t${n}`, color: 'red', deleted_at: at }),
    stays: (_, n) => ({ company_id, name: `t${n}`, color: 'red' }),
  },
  'contact_bulk_change 30 days': {
    row: (at, n) => ({ company_id, batch_id: uuid(n), part: 1, contact_ids: '{}', at }),
  },
  'contact_import_chunk 30 days': {
    row: (at, n) => ({ company_id, import_id: n, n: 1, rows: '[]', at }),
  },
  'connection_attempt 0': {
    row: (at, n) => ({
      company_id,
      state_hash: `h${n}`,
      provider: 'test',
      session_id: 1,
      person_id: 1,
      redirect_uri: 'https://x.test',
      verifier_sealed: 's',
      expires_at: at,
    }),
  },
  'connection 90 days': {
    row: (at, n) => ({ ...connection(n), status: 'disconnected', disconnected_at: at }),
    stays: (_, n) => ({ ...connection(n), status: 'connected', tokens_sealed: 's' }),
  },
  'batch 90 days': {
    row: (at) => ({ company_id, kind: 'x', input: '{}', total: 1, finished_at: at }),
    stays: (at) => ({ company_id, kind: 'x', input: '{}', total: 1, created_at: at }),
  },
  'sandbox.push 7 days': {
    row: (at) => ({ device_id: 'd', kind: 'web', title: 't', body: 'b', at }),
  },
  'sandbox.text 90 days': {
    row: (at) => ({ outgoing: true, from_number: 'a', to_number: 'b', body: 'x', at }),
  },
  'sandbox.picture 90 days': {
    row: (at) => ({ name: 'n', content_type: 'image/png', bytes: Buffer.from('x'), at }),
  },
  'sandbox.slack_message 90 days': {
    row: (at) => ({ workspace: 'w', channel: 'c', text: 'x', at }),
  },
  'sandbox.hubspot_object 90 days': {
    row: (at) => ({
      ...{ portal: 'p', type: 'contacts', properties: '{}' },
      ...{ created_at: at, updated_at: at },
    }),
  },
  'sandbox.salesforce_record 90 days': {
    row: (at) => ({ org: 'o', type: 'Lead', fields: '{}', created_at: at, updated_at: at }),
  },
  'sandbox.gohighlevel_object 90 days': {
    row: (at) => ({ location: 'l', type: 'note', fields: '{}', created_at: at, updated_at: at }),
  },
  'sandbox.conversion 90 days': {
    row: (at) => ({
      provider: 'p',
      place: 'x',
      key: at.toISOString(),
      details: '{}',
      created_at: at,
    }),
  },
  'sandbox.oauth_grant 90 days': {
    row: (at) => ({
      provider: 'hubspot',
      account_id: 'a',
      account_name: 'n',
      account_email: 'e',
      redirect_uri: 'r',
      code_challenge: 'c',
      code_expires_at: at,
      created_at: at,
    }),
  },
  'sandbox.fax 90 days': {
    row: (at) => ({
      outgoing: true,
      from_number: 'a',
      to_number: 'b',
      document: Buffer.from('x'),
      content_type: 'application/pdf',
      at,
    }),
  },
};
const nameOf = (o: RetentionRule) => `${o.table} ${o.keepFor}`;

let rows = 0;
/** Inserts a row; returns a function that reports whether it still exists. */
async function put(o: RetentionRule, row: Row): Promise<() => Promise<boolean>> {
  const table = o.table;
  const columns = Object.keys(row);
  if (o.dropsDays)
    await owner.query(`select make_${table}_day(($1::timestamptz at time zone 'UTC')::date)`, [
      row[o.ageColumn],
    ]);
  const {
    rows: [made],
  } = await owner.query<{ ctid: string; part: string }>(
    `insert into ${table} (${columns.join(', ')}) values (${columns.map((_, i) => `$${i + 1}`).join(', ')}) returning ctid, tableoid::text as part`,
    Object.values(row),
  );
  return async () =>
    (
      await owner.query(`select from ${table} where ctid = $1::tid and tableoid = $2::oid`, [
        made!.ctid,
        made!.part,
      ])
    ).rowCount === 1;
}
const now = app.clock.value;
const ago = async (interval: string, seconds: number) =>
  (
    await owner.query<{ at: Date }>(
      `select $1::timestamptz - $2::interval - make_interval(secs => $3) as at`,
      [now, interval, seconds],
    )
  ).rows[0]!.at;

describe.each(retentionRules.map((o) => [nameOf(o), o] as const))('%s', (name, o) => {
  test('older rows are deleted, younger rows are kept', async () => {
    const fixture = fixtures[name];
    expect(fixture, 'every line of the list has a fixture').toBeDefined();
    if (!fixture) return;
    // An active call, which the call directory reports.
    if (o.table === 'carrier_call_index')
      await put({ ...o, table: 'live_call' }, { ...live(7), last_event_at: now });
    // Of whole days, the one before goes.
    const seconds = o.dropsDays ? 86_460 : 60;
    const old = await put(o, fixture.row(await ago(o.keepFor, seconds), ++rows));
    const young = await put(o, fixture.row(await ago(o.keepFor, -60), ++rows));
    const exempt =
      fixture.stays && (await put(o, fixture.stays(await ago(o.keepFor, 60), ++rows + 100)));
    await deleteExpiredRows(systemCtx(app.services, 0, app.notifier), retentionRules);
    expect({
      old: await old(),
      young: await young(),
      exempt: exempt ? await exempt() : true,
    }).toEqual({ old: false, young: true, exempt: true });
    await owner.query(`delete from ${o.table}`);
  });

  // A small table is scanned whole, and days are dropped whole.
  if (!o.smallBecause && !o.dropsDays)
    test('old rows are found by an index', async () => {
      const compiler = new Kysely<unknown>({
        dialect: {
          createAdapter: () => new PostgresAdapter(),
          createDriver: () => new DummyDriver(),
          createIntrospector: (db) => new PostgresIntrospector(db),
          createQueryCompiler: () => new PostgresQueryCompiler(),
        },
      });
      const query = deleteExpiredSql(o, sql`${now}`).compile(compiler);
      await owner.query('begin; set local enable_seqscan = off');
      const plan = (
        await owner.query<Record<'QUERY PLAN', string>>(`explain ${query.sql}`, [
          ...query.parameters,
        ])
      ).rows
        .map((r) => r['QUERY PLAN'])
        .join('\n');
      await owner.query('rollback');
      expect(plan).toMatch(/Index/);
      expect(plan).not.toMatch(/Seq Scan/);
    });
});

test('docs/retention.md matches the list', () => {
  const told = readFileSync(join(import.meta.dirname, '../../../docs/retention.md'), 'utf8');
  const lines = retentionRules.map(
    (o) => `| \`${o.table}\` | ${o.keepFor === '0' ? 'until then' : o.keepFor} | ${o.reason} |`,
  );
  expect(lines.filter((line) => !told.includes(line))).toEqual([]);
});

test('every fixture belongs to a rule', () => {
  expect(
    Object.keys(fixtures).filter((name) => !retentionRules.some((o) => nameOf(o) === name)),
  ).toEqual([]);
});

test('thousands of rows are deleted in limited statements, and in one run', async () => {
  await owner.query(
    `insert into outbox (event, data, at, seq) select 'x', '{}', $1, 1000000 + n from generate_series(1, 7000) n`,
    [await ago('7 days', 60)],
  );
  await owner.query(
    `insert into outbox (event, data, at, seq) select 'x', '{}', $1, 2000000 + n from generate_series(1, 3) n`,
    [now],
  );
  await deleteExpiredRows(systemCtx(app.services, 0, app.notifier), retentionRules);
  expect(
    (await owner.query<{ n: number }>(`select count(*)::int n from outbox where event = 'x'`))
      .rows[0]!.n,
  ).toBe(3);
});

test('a setting changes how long rows are kept, within what the product needs', async () => {
  const ctx = systemCtx(app.services, 0, app.notifier);
  app.services.settings.retentionDays = { login_attempt: 90, batch: 1 };
  const [attempts, batches] = ['login_attempt', 'batch'].map((table) =>
    retentionRules.find((rule) => rule.table === table),
  );
  const put90 = async (rule: RetentionRule | undefined, interval: string) => {
    const fixture = rule && fixtures[nameOf(rule)];
    if (!fixture) throw new Error('no fixture');
    return put(rule, fixture.row(await ago(interval, 0), ++rows));
  };
  const rowsThere = [
    await put90(attempts, '89 days'),
    await put90(attempts, '91 days'),
    await put90(batches, '2 days'),
  ];
  await deleteExpiredRows(ctx, retentionRules);
  const stillThere: boolean[] = [];
  for (const isThere of rowsThere) stillThere.push(await isThere());
  expect(stillThere).toEqual([true, false, false]);
  expect(() => retentionRulesFor(retentionRules, { call_event: 6 })).toThrow(
    'RETENTION_DAYS keeps call_event for at least 7 days. Try RETENTION_DAYS=call_event=30',
  );
  expect(() => retentionRulesFor(retentionRules, { audit_log: 30 })).toThrow(
    /audit_log is none of them/,
  );
});
