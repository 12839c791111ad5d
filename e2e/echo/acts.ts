import { sql } from 'kysely';
import { conversations, endpoints, type AnyEndpoint } from '#contract';
import type { World } from '../../server/test/world.ts';
import type { Read } from './witness.ts';

/** Newest object of the company by table; what an example's made-up ids are replaced by. */
export type Known = ReadonlyMap<string, number | string>;

/** Which table an id in a request's body or query names. Objects in a path say it themselves. */
const tableOf: Record<string, string> = {
  conversationId: 'conversation', conversation_id: 'conversation', numberId: 'number', number_id: 'number', contactId: 'contact', contact_id: 'contact', itemId: 'conversation_item', callId: 'call', batchId: 'batch', importId: 'contact_import', attribute_id: 'field', merge_into: 'tag', groupId: 'contact_group', labelId: 'contact_label', mergeId: 'contact_merge', with: 'contact', template_id: 'number_template', templateId: 'number_template',
};
const listsOf: Record<string, string> = { contacts: 'contact', numbers: 'number', number_ids: 'number' };

export async function whatIsKnown(world: World, companyId: number): Promise<Known> {
  const tables = new Set([...endpoints.map((e) => e.object?.table).filter((t) => t !== undefined), ...Object.values(tableOf)]);
  const known = new Map<string, number | string>();
  for (const table of tables) {
    const order = table === 'batch' ? 'created_at' : 'id';
    const { rows: [row] } = await sql<{ id: number | string }>`select id from ${sql.table(table)} where company_id = ${companyId} order by ${sql.ref(order)} desc limit 1`.execute(world.house.db.directory);
    if (row) known.set(table, row.id);
  }
  return known;
}

/** The endpoint's own example, about this company and objects that exist. Null when there is no such object yet. */
export function requestOf(e: AnyEndpoint, companyId: number, userId: number, known: Known): Read['input'] | null {
  let missing = false;
  const object = (table: string): unknown => known.get(table) ?? ((missing = true), 0);
  const params: Record<string, unknown> = {};
  for (const [, key] of e.path.matchAll(/\{(\w+)\}/g)) {
    const example = (e.example.params as Record<string, unknown> | undefined)?.[key!];
    if (e.object?.param === key) params[key!] = object(e.object!.table);
    else if (key === 'companyId' || (key === 'id' && e.company === 'path' && !e.path.includes('{companyId}'))) params[key!] = companyId;
    else if (key === 'id' && e.path.includes('/eavAttributes/')) params[key] = object('field');
    else if (key === 'id' && e.path.includes('/conversations/')) params[key] = object('conversation');
    else if (key === 'userId') params[key] = userId;
    else if (key! in tableOf) params[key!] = object(tableOf[key!]!);
    else params[key!] = example;
  }
  const about = (value: unknown, key = ''): unknown => {
    if (key === 'companyId' || key === 'company_id') return companyId;
    if (key === 'user_id' || key === 'userId') return value === null ? null : userId;
    if (key === 'model_id') return object('conversation');
    if (key in tableOf) return value === null ? null : object(tableOf[key]!);
    const listed = key === 'ids' ? (e.path.endsWith('/tags') ? 'tag' : e.path.includes('conversations') ? 'conversation' : e.path.includes('/numbers') ? 'number' : undefined) : listsOf[key];
    if (Array.isArray(value)) return listed && typeof value[0] === 'number' ? [object(listed)] : value.map((v) => about(v));
    if (typeof value === 'object' && value !== null) return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, about(v, k)]));
    return value;
  };
  const query = about(e.example.query ?? {}) as Record<string, unknown>;
  const body = e.example.body === undefined ? undefined : about(e.example.body);
  return missing ? null : { params, query, ...(body === undefined ? {} : { body }) };
}

/** What a screen of the company can show: every read of the contract, some of them seen in several ways. */
export function readsOf(companyId: number, userId: number, known: Known): Read[] {
  const reads = endpoints.filter((e) => e.method === 'GET' && e.company !== 'none' && e.permission !== 'public').flatMap((endpoint) => {
    const input = requestOf(endpoint, companyId, userId, known);
    return input ? [{ endpoint, input }] : [];
  });
  const views: Record<string, unknown>[] = [{ isArchived: 0 }, { isArchived: 1 }, { isArchived: 0, isUnread: 1 }, { search: 'crown' }];
  const list = conversations.listConversations;
  reads.push(...views.map((query) => ({ endpoint: list as AnyEndpoint, input: { params: { companyId }, query } })));
  for (const kind of ['call', 'message', 'voicemail']) reads.push({ endpoint: conversations.listActivity as AnyEndpoint, input: { params: {}, query: {}, body: { companyId, tz: 'UTC', [kind]: true } } });
  return reads;
}

/** Every write of the contract, as its example says it. */
export const writes = endpoints.filter((e) => e.method !== 'GET' && e.company !== 'none' && e.permission !== 'public' && e.name !== 'listActivity');
