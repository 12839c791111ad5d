import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { retention as adapterTables } from '../src/adapters/retention.ts';
import { modules } from '../src/modules/all.ts';
import { retention as platformTables } from '../src/platform/platform-retention.ts';
import { tablesOf } from '../src/platform/retention-rule.ts';
import { createTestApp } from './support/test-app.ts';

/**
 * Every table of the schema is under row-level security, or in one of the lists below with the
 * reason why not. A table that is neither fails: decide when you create it.
 */
const app = await createTestApp();
const owner = new pg.Client({ connectionString: app.services.settings.databaseUrl! });
await owner.connect();
owner.on('error', () => {});
afterAll(() => owner.end());

/** Only the system role reads these, so the application's role has no grant on them. */
const systemTables: Record<string, string> = {
  'public.invoice_counter': 'one row: the last invoice number of the installation',
  'public.billing_tax': 'the installation’s tax, one row a change',
  'public.carrier_call_index':
    'which company a carrier’s call belongs to, asked before any company is known',
  'public.webhook_retry':
    'what a carrier reported and could not be stored, sealed: whose it is, is not known yet',
  'public.unmatched_call_event': 'what a carrier reported of a call that is not known yet',
  'public.exchange': 'which media processes run, where, and how full they are',
  'public.sip_phone':
    'which SIP phones are registered at which media process: a phone takes calls of all of its person’s companies',
  'public.lease': 'which process owns what until when',
  'public.carrier_account':
    'how our account at each carrier stands: the carriers are the installation’s',
  'public.carrier_leg':
    'an adapter’s notes, found by the carrier’s own ids before any company is known',
  'public.carrier_object':
    'an adapter’s notes, found by the carrier’s own ids before any company is known',
  'public.login_attempt': 'sign-in happens outside any company',
  'public.mail_outbox': 'email until it is sent, and what could not be delivered',
  'public.migration': 'which migrations were applied',
  'public.number_directory': 'which company a number belongs to, asked before any company is known',
  'public.number_reservation':
    'numbers in somebody’s cart: one hold for all companies, or two would buy the same number',
  'public.organization': 'above companies',
  'public.organization_admin': 'above companies',
  'public.sso_connection': 'of an organization, above companies',
  'public.sso_access': 'of an organization, above companies',
  'public.scim_token': 'asked before any company is known',
  'public.scim_user': 'of an organization, above companies',
  'public.scim_group': 'of an organization, above companies',
  'public.scim_group_member': 'of an organization, above companies',
  'public.sso_identity': 'asked before anybody is signed in',
  'public.sso_domain': 'of an organization, above companies',
  'public.oauth_client': 'a program is known before any company is',
  'public.oauth_record': 'codes and tokens of programs, asked before any company is known',
  'public.oauth_signing_key': 'one row: the key that ID tokens are signed with',
  'public.online_person': 'a person works in several companies',
  'public.outbox_cursor': 'one row: the last place given to an event',
  'public.sandbox_order': 'the sandbox carrier’s own stock',
  'public.background_fill': 'what an upgrade left to count, and how far that is',
  'public.backup_run': 'when the installation was backed up, and how that went',
  'public.secret_check': 'one row that tells whether APP_SECRET is the one of this database',
  'public.passkey_challenge': 'before anybody is signed in',
  'public.company_import':
    'archives that platform staff uploaded, of companies that aren’t here yet',
  'public.admin_entry': 'platform staff in admin mode, above companies',
  'public.remote_login': 'made by platform staff, above companies',
  'public.pending_sign_in': 'before anybody is signed in',
  'public.external_sign_in': 'before anybody is signed in',
  'public.branding_picture': 'logos of sign-in pages, read before anybody is signed in',
  'public.caddy_code': 'codes are sent before anybody is signed in',
  'public.caddy_used_nonce': 'used before anybody is signed in',
  'public.caddy_identity': 'the directory: address, phone or provider → account',
  'public.sent_code': 'codes and links are sent before anybody is signed in',
  'public.organization_field_update': 'files for the companies of an organization, above companies',
  'public.tenant': 'belongs to an organization, above companies',
  'public.tenant_domain': 'belongs to an organization, above companies',
  'sandbox.dns_record': 'records of the simulated name servers',
  'sandbox.slack_message': 'the books of simulated providers',
  'sandbox.hubspot_object': 'the books of simulated providers',
  'sandbox.conversion': 'the books of simulated providers',
  'sandbox.salesforce_record': 'the books of simulated providers',
  'sandbox.gohighlevel_object': 'the books of simulated providers',
  'sandbox.oauth_grant': 'the books of simulated providers',
  'sandbox.fax': 'the sandbox carrier’s own books',
  'sandbox.payment': 'the sandbox payment provider’s own books',
  'sandbox.refund': 'the sandbox payment provider’s own books',
  'sandbox.phone': 'the sandbox carrier’s own books',
  'sandbox.picture': 'the sandbox carrier’s own books',
  'sandbox.port': 'the sandbox carrier’s own books',
  'sandbox.push': 'the sandbox carrier’s own books',
  'sandbox.registration': 'the sandbox carrier’s own books',
  'sandbox.spam_report': 'the sandbox carrier’s own books',
  'sandbox.text': 'the sandbox carrier’s own books',
};
const organizationTables =
  '(organization_id = ( SELECT c.organization_id FROM company c WHERE (c.id = current_company())))';
const personTables = '(person_id = current_person())';
/**
 * Bound to the transaction's company, or to its person, in another way than by company_id: the
 * condition of every policy.
 */
const specialPolicies: Record<string, { reason: string; condition: string }> = {
  'public.person': { reason: 'the person themselves', condition: '(id = current_person())' },
  'public.session': { reason: 'in whatever company', condition: personTables },
  'public.mfa_factor': { reason: 'signs in to all companies', condition: personTables },
  'public.recovery_code': { reason: 'signs in to all companies', condition: personTables },
  'public.passkey': { reason: 'signs in to all companies', condition: personTables },
  'public.person_identity': { reason: 'signs in to all companies', condition: personTables },
  'public.oauth_authorization': { reason: 'given by a person', condition: personTables },
  'public.push_device': { reason: 'rings a person, in whatever company', condition: personTables },
  'public.company': { reason: 'the company itself', condition: '(id = current_company())' },
  'public.organization_field': {
    reason: 'fields that an organization gives its companies',
    condition: organizationTables,
  },
  'public.organization_field_value': {
    reason: 'values of such fields',
    condition: organizationTables,
  },
  'public.organization_tag': {
    reason: 'tags that an organization gives its companies',
    condition: organizationTables,
  },
  'public.data_group': {
    reason: 'what an organization reads together, across its companies',
    condition: organizationTables,
  },
  'public.data_group_entity': {
    reason: 'what such a group holds',
    condition: organizationTables,
  },
};
const companyCondition = '(company_id = current_company())';
/** Policies of companies’ tables with a condition other than `company_id = current_company()`. */
const otherConditions: Record<string, { reason: string; condition: string }> = {
  'public.block everywhere': {
    reason: 'blocks of the platform hold for every company; reading only',
    condition: 'everywhere',
  },
  'public.outbox company': {
    reason: 'an event may be about no company; writing only',
    condition: `((company_id IS NULL) OR ${companyCondition})`,
  },
  'public.idempotency_key company': {
    reason: '0: an answer about no company; never another person’s',
    condition:
      '((company_id = COALESCE(current_company(), (0)::bigint)) AND (person_id = current_person()))',
  },
};

interface Table {
  name: string;
  has_company: boolean;
  forced: boolean;
  rights: string[];
  loose: string[];
  crossing: string[];
  policies: { name: string; condition: string | null; check: string | null; permissive: boolean }[];
}

/** Violations in this database, one sentence each. */
async function faults(): Promise<string[]> {
  const { rows } = await owner.query<Table>(`
    select n.nspname || '.' || c.relname as name, co.attnum is not null as has_company,
      c.relrowsecurity and c.relforcerowsecurity as forced,
      array(select r from unnest(array['select', 'insert', 'update', 'delete', 'truncate']) r
          where has_table_privilege('trunkline_app', c.oid, r)
        or (r in ('select', 'insert', 'update')
            and has_any_column_privilege('trunkline_app', c.oid, r))) as rights,
      array(select i.indexrelid::regclass::text from pg_index i where i.indrelid = c.oid
          and (i.indisprimary or i.indisunique) and i.indkey[0] <> co.attnum) as loose,
      array(select con.conname::text from pg_constraint con
          join pg_attribute pa on pa.attrelid = con.confrelid and pa.attname = 'company_id'
        where con.conrelid = c.oid and con.contype = 'f'
          and not (co.attnum = con.conkey[1] and pa.attnum = con.confkey[1])) as crossing,
      coalesce((select json_agg(json_build_object('name', p.polname, 'permissive', p.polpermissive,
        'condition', pg_get_expr(p.polqual, p.polrelid), 'check',
          pg_get_expr(p.polwithcheck, p.polrelid)) order by p.polname)
        from pg_policy p where p.polrelid = c.oid
          and p.polroles && array[0::oid, 'trunkline_app'::regrole::oid]), '[]') as policies
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    left join pg_attribute co on co.attrelid = c.oid
      and co.attname = 'company_id' and not co.attisdropped
    where c.relkind in ('r', 'p', 'v', 'm', 'f')
      and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
      and n.nspname !~ '^pg_temp'
    order by 1`);
  const found: string[] = [];
  const seen = new Set(rows.map((t) => t.name));
  for (const name of [...Object.keys(systemTables), ...Object.keys(specialPolicies)])
    if (!seen.has(name)) found.push(`${name} is listed and does not exist`);
  for (const t of rows) {
    const say = (fault: string) => found.push(`${t.name} ${fault}`);
    if (systemTables[t.name] ?? t.name.startsWith('graphile_worker.')) {
      if (t.rights.length)
        say(`is the system's only, and the application's role may ${t.rights.join(', ')}`);
      continue;
    }
    const other = specialPolicies[t.name];
    if (!t.has_company && !other) {
      say('has no company_id and stands in no list');
      continue;
    }
    if (!t.rights.length) say('is closed to the application’s role and stands in no list');
    if (!t.forced) say('has no forced row-level security');
    if (!t.policies.length) say('has no policy');
    for (const p of t.policies) {
      const meant =
        other?.condition ?? otherConditions[`${t.name} ${p.name}`]?.condition ?? companyCondition;
      for (const condition of [p.condition, p.check]) {
        if (condition !== null && condition.replace(/\s+/g, ' ') !== meant)
          say(`has a policy "${p.name}" that asks ${condition}`);
      }
    }
    if (other) continue;
    // An event's key leads with its sequence, and the application's role can't read it.
    if (t.rights.includes('select'))
      for (const key of t.loose) say(`has a key that company_id does not lead: ${key}`);
    for (const key of t.crossing) say(`has a foreign key that company_id does not lead: ${key}`);
  }
  return found;
}

test('ids ascend in the order in which rows are written, also where their counter’s bits wrap around', async () => {
  for (let n = 0; n < 20; n++) {
    // Half a wrap away from where 18 bits wrap around, and 25 ids before 12 bits do.
    const { rows } = await owner.query<{ ids: string[] }>(
      `select array_agg(id order by n) ids from (
         select n, next_id() id
         from (select setval('id_counter', ((next_id() + 131072) | 4095) - 25)) at,
           generate_series(1, 50) n) made`,
    );
    const ids = rows[0]!.ids.map(Number);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  }
});

test('every table has one owner, which says how long it keeps the rows: a module, the platform or the adapters', async () => {
  const owners = new Map<string, number>();
  for (const part of [platformTables, adapterTables, ...modules.map((one) => one.retention)])
    for (const table of part ? tablesOf(part) : []) owners.set(table, (owners.get(table) ?? 0) + 1);
  const { rows } = await owner.query<{ name: string }>(
    `select case when n.nspname = 'public' then '' else n.nspname || '.' end || c.relname as name
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and n.nspname in ('public', 'sandbox')
      and not c.relispartition order by 1`,
  );
  expect(rows.filter(({ name }) => owners.get(name) !== 1)).toEqual([]);
  expect([...owners.keys()].sort()).toEqual(rows.map(({ name }) => name).sort());
});

test('every table is under row-level security, or in a list with its reason', async () => {
  expect(await faults()).toEqual([]);
});

test.each<[what: string, sql: string, fault: RegExp]>([
  [
    'a table without company_id',
    'create table planted (id int)',
    /planted has no company_id and stands in no list/,
  ],
  [
    'a company’s table without row-level security',
    'create table planted (company_id bigint not null primary key); grant select on planted to trunkline_app',
    /planted has no forced row-level security/,
  ],
  [
    'a policy that lets everybody in',
    'create table planted (company_id bigint not null primary key); grant select on planted to trunkline_app; alter table planted enable row level security; alter table planted force row level security; create policy everyone on planted using (true)',
    /planted has a policy "everyone" that asks true/,
  ],
  [
    'a key that leads with something else',
    `create table planted (id bigint primary key, company_id bigint not null); select tenant_table('planted')`,
    /planted has a key that company_id does not lead/,
  ],
  [
    'a foreign key across companies',
    `create table planted (company_id bigint not null, id bigint,
        number_id bigint, primary key (company_id, id)); create unique index planted_parent
      on file (id); alter table planted add foreign key (number_id) references file (id)`,
    /planted has a foreign key that company_id does not lead/,
  ],
  [
    'a system table that was opened',
    'grant select on pending_sign_in to trunkline_app',
    /public\.pending_sign_in is the system's only, and the application's role may select/,
  ],
  [
    'one column of it',
    'grant select (name) on oauth_client to trunkline_app',
    /public\.oauth_client is the system's only, and the application's role may select/,
  ],
  [
    'a view',
    'create view planted as select * from session; grant select on planted to trunkline_app',
    /planted has no company_id and stands in no list/,
  ],
  [
    'a person’s table that shows everybody',
    'create policy everyone on passkey using (true)',
    /public\.passkey has a policy "everyone" that asks true/,
  ],
])('%s is found', async (_, sql, fault) => {
  await owner.query('begin');
  try {
    await owner.query(sql);
    expect((await faults()).join('\n')).toMatch(fault);
  } finally {
    await owner.query('rollback');
  }
});
