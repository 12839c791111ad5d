/**
 * What an archive holds is derived from the database: every table with `company_id` that isn't
 * listed here. So a new table is archived unless somebody decides otherwise, with a reason that the
 * archive's manifest repeats.
 */
export const leftOutTables: Readonly<Record<string, string>> = {
  branding_picture: 'logos, drawn from pictures that the company has itself',
  caddy_account: 'accounts of individuals in Caddy, which no company has',
  audit_numbering: 'the order in which the audit log was handed on',
  audit_position: 'the order in which the audit log was handed on',
  audit_stream: 'receivers of the audit log: their secrets must not leave, so add them again',
  erased_number: 'hashes that only the installation can read, for archives that come back to it',
  outbox: 'events, published within seconds',
  idempotency_key: 'answers to repeated requests, kept for a day',
  oauth_client: 'registered programs: their secrets must not leave, so register them again',
  oauth_authorization: 'which programs may use the company: they ask for access again',
  number_reservation: 'numbers in a cart, for minutes',
  oauth_integration: 'what connected accounts send: set up again with the account',
  contact_crm_record: 'who a contact is at a connected account: found again with the account',
  personal_access_token: 'API keys: secrets must not leave, so create them again',
  call_search_text: 'words that calls are found by: made from the calls',
  contact_group_count: 'sums of contacts, which are in the archive',
  caller_change: 'sums of callers, which are in the archive',
  caller_gap: 'sums of callers, which are in the archive',
  connection: 'accounts at third parties: their tokens must not leave, so connect them again',
  connection_attempt: 'a person on the way to a third party, for ten minutes',
  calling_device: 'which devices are ringing right now',
  call_command: 'instructions to a running call',
  call_event: 'webhooks of carriers as received, kept for thirty days to detect duplicates',
  call_interconnect: 'addresses of running calls',
  call_timer: 'timers of running calls',
  carrier_call_index: 'the carrier’s IDs of running calls',
  live_call: 'running calls; the call record is in `call`',
  parked_call: 'callers on hold right now',
  conversation_presence: 'who looks at a conversation right now',
  figure_hour: 'figures added up from calls and texts, which are in the archive',
  call_rollup: 'sums of calls, which are in the archive',
  call_rollup_change: 'sums of calls, which are in the archive',
  call_rollup_company: 'how far calls are added up',
  item_rollup: 'sums of texts, voicemails and faxes, which are in the archive',
  item_rollup_change: 'sums of texts, voicemails and faxes, which are in the archive',
  item_rollup_company: 'how far texts, voicemails and faxes are added up',
  figure_change: 'figures added up from calls and texts, which are in the archive',
  report_link:
    'links that open reports without an account: secrets must not leave, so make them again',
  sso_access: 'what an organization’s provider gives its people: it is set up above companies',
  send_rate: 'how much was sent in the last seconds',
};

const toNoAccount = (destination: string): string =>
  `not exists (select from destination d where d.company_id = t.company_id
    and d.id = ${destination} and d.connection_id is not null)`;

/** Rows that are left out of tables that are archived: SQL on the table `t`, and the reason. */
export const leftOutRows: Readonly<Record<string, { keep: string; reason: string }>> = {
  batch: { keep: `t.kind not like 'export-%'`, reason: 'progress of exports' },
  file: {
    // What a row names must come along, whatever became of the file.
    keep: `((t.guard is null and t.purpose <> 'export' and t.deleted_at is null
      and not exists (select from source_report r where r.company_id = t.company_id
        and r.file_id = t.id and r.company_ids is not null))
      or exists (select from contact_import i where i.company_id = t.company_id
        and t.id in (i.rows_file_id, i.mistakes_file_id, i.result_file_id))
      or exists (select from port_document d where d.company_id = t.company_id and d.file_id = t.id)
      or exists (select from greeting g where g.company_id = t.company_id and g.file_id = t.id))`,
    reason: 'exports, deleted files, reports over several companies',
  },
  destination: { keep: 't.connection_id is null', reason: 'what goes to connected accounts' },
  delivery: { keep: toNoAccount('t.destination_id'), reason: 'sent to connected accounts' },
  delivered_record: { keep: toNoAccount('t.destination_id'), reason: 'sent to connected accounts' },
  delivery_attempt: {
    keep: `not exists (select from delivery y join destination d on d.company_id = y.company_id
      and d.id = y.destination_id where y.company_id = t.company_id and y.id = t.delivery_id
      and d.connection_id is not null)`,
    reason: 'sent to connected accounts',
  },
  invitation: {
    keep: 'not t.is_org_administrator',
    reason: 'of administrators of the organization, which stays where it is',
  },
  source_report: { keep: 't.company_ids is null', reason: 'reports over several companies' },
};

/** A name like this means a secret. The column is left out, unless it is listed below. */
const secretName = /(^|_)(sealed|secret|password|hash|token|tokens|support_pin)(_|$)/;
/** Columns that look like secrets and are none, as `table.column`, with the reason. */
const harmless: Readonly<Record<string, string>> = {
  'port_request.loa_hash': 'proves which letter was signed',
};
/** Other columns that are left out, with the reason. */
const leftOutColumns: Readonly<Record<string, string>> = {
  'company.organization_id': 'the organization stays where it is',
  'invitation.organization_id': 'the organization stays where it is',
  'file.key': 'where the bytes lie, which differs from one installation to the next',
  'call.tag_ids': 'told by the tags of calls, which are in the archive',
  'call.phrase_list_ids': 'told by what was found in transcripts, which is in the archive',
  'call.sentiment': 'told by transcripts, which are in the archive',
};

/** Why a column is left out of the archive; null: it is in it. */
export function leftOutColumn(table: string, column: string): string | null {
  const name = `${table}.${column}`;
  if (leftOutColumns[name]) return leftOutColumns[name];
  return secretName.test(column) && !harmless[name] ? 'a secret' : null;
}

/** Columns of `person` that are archived. Never a password, a factor or a SIP secret. */
export const personColumns = [
  'id',
  'email',
  'first_name',
  'last_name',
  'timezone',
  'created_at',
  'disabled_at',
] as const;

/** Secrets that a row can't be without: an import makes new ones, SQL for each. */
export const newSecrets: Readonly<Record<string, string>> = {
  // Nobody has the link of it; whoever sends the invitation again makes another.
  'invitation.token_hash': `encode(sha256(gen_random_uuid()::text::bytea), 'hex')`,
};

/** Tables that must be there first, though no foreign key says so: their triggers write the other. */
export const loadedAfter: Readonly<Record<string, readonly string[]>> = {
  contact: ['opt_out'],
  possible_opt_out: ['opt_out'],
  caller_lookup: ['usage_entry'],
};
/** Foreign keys of two tables on each other: these columns are set when both have their rows. */
export const setLater: Readonly<Record<string, readonly string[]>> = {
  tracking_pool: ['default_number_id'],
};
/** Tables whose rows others' triggers count in: set to what the archive says when all is there. */
export const setAgain: readonly string[] = ['campaign', 'contact', 'tracking_pool'];
