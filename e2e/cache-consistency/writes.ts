import { sql } from 'kysely';
import { conversations, endpoints, type AnyEndpoint, type DescribedEndpoint } from '#contract';
import type { FixtureKind } from '../../server/test/support/fixture-kinds.ts';
import {
  exampleRequest,
  idSlotsOf,
  type EndpointRequest,
  type FixtureIds,
} from '../../server/test/support/endpoint-requests.ts';
import type { TestApp } from '../../server/test/support/test-app.ts';
import type { ReadRequest } from './client-replica.ts';

/** Where the newest object of a kind is found. */
const tableOf: Partial<Record<FixtureKind, string>> = {
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
  team: 'team',
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
  trackingSource: 'tracking_source',
  trackingPool: 'tracking_pool',
  forwardContact: 'forward_contact',
  greeting: 'greeting',
  fax: 'fax',
  numberBatch: 'batch',
  contactBatch: 'batch',
  exportBatch: 'batch',
  invitation: 'invitation',
};

/** The newest object of each kind that a company has, and one of its people. */
export async function newestIds(
  app: TestApp,
  companyId: number,
  userId: number,
): Promise<FixtureIds> {
  const ids: Partial<Record<FixtureKind, number | string>> = { company: companyId, user: userId };
  for (const [kind, table] of Object.entries(tableOf) as [FixtureKind, string][]) {
    const order = table === 'batch' ? 'created_at' : 'id';
    const {
      rows: [row],
    } = await sql<{
      id: number | string;
    }>`select id from ${sql.table(table)} where company_id = ${companyId} order by ${sql.ref(order)} desc limit 1`.execute(
      app.services.db.unscoped,
    );
    if (row) ids[kind] = row.id;
  }
  const {
    rows: [number],
  } = await sql<{
    number: string;
  }>`select number from number where company_id = ${companyId} order by id desc limit 1`.execute(
    app.services.db.unscoped,
  );
  if (number) ids.phone = number.number;
  return ids;
}

/**
 * Everything a screen of the company can show: every read of the contract, some with several
 * inputs.
 */
export function readsOf(ids: FixtureIds): ReadRequest[] {
  const reads: ReadRequest[] = isReadable
    .filter((e) =>
      idSlotsOf(e).every((slot) => slot.where !== 'params' || ids[slot.kind] !== undefined),
    )
    .map((endpoint) => ({ endpoint, input: exampleRequest(endpoint, ids) }));
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
/**
 * GETs that change something, those of bytes or a new token each time, which no cache holds, and
 * usage, which grows with every call and text: its screen asks again every minute; and what an erasure
 * would take, which counts all that a company holds and is asked anew each time.
 */
const notOnlyReads = [
  'resendInvitation',
  'exportNumbers',
  'downloadExport',
  'invoicePdf',
  'cardSecurityToken',
  'usageComponents',
  'usageSimple',
  'previewErasure',
];
const isReadable = endpoints.filter(
  (e) =>
    e.method === 'GET' &&
    e.company !== 'none' &&
    e.permission !== 'public' &&
    !notOnlyReads.includes(e.name),
);

/** Reads of the object that a write changes, where the other reads use another object. */
export function readsOfObjectsIn(
  e: DescribedEndpoint,
  asked: EndpointRequest,
  ids: FixtureIds,
): ReadRequest[] {
  const own = idSlotsOf(e).flatMap((slot) =>
    slot.where === 'params' && asked.params[slot.path[0]!] !== ids[slot.kind]
      ? [[slot.kind, asked.params[slot.path[0]!] as number] as const]
      : [],
  );
  const changed = new Set<FixtureKind>(own.map(([kind]) => kind));
  if (!changed.size) return [];
  const about: FixtureIds = { ...ids, ...Object.fromEntries(own) };
  return isReadable
    .filter((one) =>
      idSlotsOf(one).some((slot) => slot.where === 'params' && changed.has(slot.kind)),
    )
    .map((endpoint) => ({ endpoint, input: exampleRequest(endpoint, about) }));
}

/** Every write of the contract within a company. */
export const isWrite = endpoints.filter(
  (e) =>
    (e.method !== 'GET' || e.name === 'resendInvitation') &&
    e.company !== 'none' &&
    e.permission !== 'public' &&
    // Only staff, in admin mode.
    e.permission !== 'platform.operate' &&
    e.name !== 'listActivity',
);

/**
 * Events with an external cause or caused by time: tested in `cache-consistency-scenarios.test.ts`.
 */
export const externalOnlyEndpoints: readonly string[] = [
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
  'tracking.matched',
  'dni-feed',
  'voicemail.received',
  'recording.ready',
  'transcription.ready',
  'campaign-texts-filed',
];
