import { sql } from 'kysely';
import { conversations, endpoints, type AnyEndpoint } from '#contract';
import type { Kind } from '../../server/test/fixtures.ts';
import { exampleOf, slotsOf, type Asked, type Ids } from '../../server/test/requests.ts';
import type { World } from '../../server/test/world.ts';
import type { Read } from './witness.ts';

/** Where the newest object of a kind is found. */
const tableOf: Partial<Record<Kind, string>> = {
  number: 'number',
  contact: 'contact',
  group: 'contact_group',
  label: 'contact_label',
  merge: 'contact_merge',
  import: 'contact_import',
  conversation: 'conversation',
  item: 'conversation_item',
  note: 'note',
  cannedReply: 'canned_reply',
  inboxView: 'inbox_view',
  call: 'call',
  campaign: 'campaign',
  block: 'block',
  smsCampaign: 'sms_campaign',
  port: 'port_request',
  listing: 'marketplace_number',
  field: 'field',
  tag: 'tag',
  preset: 'column_preset',
  template: 'number_template',
  forwardContact: 'forward_contact',
  greeting: 'greeting',
  fax: 'fax',
  numberBatch: 'batch',
  contactBatch: 'batch',
  exportBatch: 'batch',
};

/** The newest object of each kind that a company has, and one of its people. */
export async function newestOf(world: World, companyId: number, userId: number): Promise<Ids> {
  const ids: Partial<Record<Kind, number | string>> = { company: companyId, user: userId };
  for (const [kind, table] of Object.entries(tableOf) as [Kind, string][]) {
    const order = table === 'batch' ? 'created_at' : 'id';
    const {
      rows: [row],
    } = await sql<{
      id: number | string;
    }>`select id from ${sql.table(table)} where company_id = ${companyId} order by ${sql.ref(order)} desc limit 1`.execute(
      world.house.db.directory,
    );
    if (row) ids[kind] = row.id;
  }
  const {
    rows: [number],
  } = await sql<{
    number: string;
  }>`select number from number where company_id = ${companyId} order by id desc limit 1`.execute(
    world.house.db.directory,
  );
  if (number) ids.phone = number.number;
  return ids;
}

/** What a screen of the company can show: every read of the contract, some of them seen in several ways. */
export function readsOf(ids: Ids): Read[] {
  const reads: Read[] = readable
    .filter((e) =>
      slotsOf(e).every((slot) => slot.where !== 'params' || ids[slot.kind] !== undefined),
    )
    .map((endpoint) => ({ endpoint, input: exampleOf(endpoint, ids) }));
  const companyId = ids.company;
  const views: Record<string, unknown>[] = [
    { isArchived: 0 },
    { isArchived: 1 },
    { isArchived: 0, isUnread: 1 },
    { search: 'crown' },
  ];
  reads.push(
    ...views.map((query) => ({
      endpoint: conversations.listConversations as AnyEndpoint,
      input: { params: { companyId }, query },
    })),
  );
  for (const kind of ['call', 'message', 'voicemail'])
    reads.push({
      endpoint: conversations.listActivity as AnyEndpoint,
      input: { params: {}, query: {}, body: { companyId, tz: 'UTC', [kind]: true } },
    });
  return reads;
}
const readable = endpoints.filter(
  (e) => e.method === 'GET' && e.company !== 'none' && e.permission !== 'public',
);

/** Reads about the very object a write is about, where that is not the one the others are about. */
export function readsAbout(e: AnyEndpoint, asked: Asked, ids: Ids): Read[] {
  const own = slotsOf(e).flatMap((slot) =>
    slot.where === 'params' && asked.params[slot.path[0]!] !== ids[slot.kind]
      ? [[slot.kind, asked.params[slot.path[0]!] as number] as const]
      : [],
  );
  const changed = new Set<Kind>(own.map(([kind]) => kind));
  if (!changed.size) return [];
  const about: Ids = { ...ids, ...Object.fromEntries(own) };
  return readable
    .filter((one) => slotsOf(one).some((slot) => slot.where === 'params' && changed.has(slot.kind)))
    .map((endpoint) => ({ endpoint, input: exampleOf(endpoint, about) }));
}

/** Every write of the contract about a company. */
export const writes = endpoints.filter(
  (e) =>
    e.method !== 'GET' &&
    e.company !== 'none' &&
    e.permission !== 'public' &&
    e.name !== 'listActivity',
);

/** Events that begin outside, or with time: heard in `cache-consistency-happenings.test.ts`. */
export const fromOutside: readonly string[] = [
  'contact.heard',
  'contact.opted_out',
  'contact.opted_in',
  'number.released',
  'number.kept',
  'bulk-purchase-progress',
  'bulk-purchase-finished',
  'keyword.heard',
  'keyword-heard',
  'call.answered',
  'voicemail.received',
  'recording.ready',
  'transcription.ready',
  'campaign-texts-filed',
];
