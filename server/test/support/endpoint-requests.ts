import type { InjectOptions } from 'fastify';
import { z } from 'zod';
import type { AnyEndpoint, DescribedEndpoint } from '#contract';
import type { FixtureKind } from './fixture-kinds.ts';

/** A request to an endpoint: `form` instead of a JSON body when a file is uploaded. */
export interface EndpointRequest {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  body?: unknown;
  form?: { payload: Buffer; headers: Record<string, string> };
  headers?: Record<string, string>;
}
export type FixtureIds = Readonly<Partial<Record<FixtureKind, number | string>>>;

/** A place in a request that takes an object's id. `list`: it takes several. */
interface IdSlot {
  where: 'params' | 'query' | 'body';
  path: readonly string[];
  kind: FixtureKind;
  list: boolean;
}

/**
 * An id that no table contains, of the same type as the given one: number, uuid or phone number.
 */
export const nonexistentIdLike = (id: number | string): number | string =>
  typeof id === 'number'
    ? 8_999_999_999_999
    : id.startsWith('+')
      ? '+12125559999'
      : '0199a8f0-0000-7000-8000-0000000000ff';

const kindByTable: Record<string, FixtureKind> = {
  number: 'number',
  contact: 'contact',
  contact_group: 'group',
  column_preset: 'preset',
  favorite_report: 'favorite',
  report_link: 'reportLink',
  forward_contact: 'forwardContact',
  marketplace_number: 'listing',
  greeting: 'greeting',
  call: 'call',
  conversation: 'conversation',
  conversation_item: 'item',
  field: 'field',
  note: 'note',
  fax: 'fax',
  canned_reply: 'cannedReply',
  inbox_view: 'inboxView',
  campaign: 'campaign',
  block: 'block',
  sms_campaign: 'smsCampaign',
  number_template: 'template',
  tracking_source: 'trackingSource',
  source_report: 'sourceReport',
  tracking_pool: 'trackingPool',
  personal_access_token: 'apiKey',
  alert: 'alert',
  billing_contact: 'billingContact',
  invoice: 'invoice',
  yearly_upgrade_offer: 'yearlyOffer',
};
const kindByKey: Record<string, FixtureKind> = {
  authorizationId: 'oauthAuthorization',
  companyId: 'company',
  company_ids: 'company',
  businessUnitCompanyIds: 'company',
  callId: 'call',
  invitationId: 'invitation',
  fileId: 'exportedFile',
  archiveId: 'archive',
  company_id: 'company',
  userId: 'user',
  user_id: 'user',
  user_ids: 'user',
  notify_user_ids: 'user',
  add_user_ids: 'user',
  remove_user_ids: 'user',
  teamId: 'team',
  team_id: 'team',
  mentions: 'user',
  from: 'user',
  contactId: 'contact',
  contact_id: 'contact',
  invoice_id: 'invoice',
  contacts: 'contact',
  with: 'otherContact',
  groupId: 'group',
  groups: 'group',
  groupIds: 'group',
  group_ids: 'group',
  labelId: 'label',
  labels: 'label',
  labelIds: 'label',
  label_ids: 'label',
  importId: 'import',
  mergeId: 'merge',
  overrideId: 'override',
  numberId: 'number',
  number_id: 'number',
  number_ids: 'number',
  numbers: 'number',
  via_number_id: 'number',
  temporary_forward_number_id: 'number',
  conversationId: 'conversation',
  itemId: 'item',
  documentId: 'portDocument',
  offerId: 'offer',
  template_id: 'template',
  poolId: 'trackingPool',
  poolIds: 'trackingPool',
  templateId: 'template',
  ticketId: 'supportTicket',
  scheduleId: 'schedule',
  defaultNumberId: 'otherNumber',
  numberIds: 'otherNumber',
  addNumberIds: 'otherNumber',
  removeNumberIds: 'poolNumber',
  favorite_id: 'favorite',
  sourceId: 'trackingSource',
  reportId: 'sourceReport',
  sourceIds: 'trackingSource',
  greeting_id: 'greeting',
  voicemail_greeting_id: 'greeting',
  recording_announcement_greeting_id: 'greeting',
  forward_contact_id: 'forwardContact',
  replace_with: 'otherForwardContact',
  attribute_id: 'field',
  eav_attribute_id: 'field',
  model_id: 'conversation',
  brand_id: 'brand',
  route_id: 'route',
  reservationIds: 'reservation',
  keep_media: 'file',
  reply_media: 'file',
  organization_id: 'organization',
  business_unit_id: 'organization',
  business_unit_ids: 'organization',
  data_group_ids: 'dataGroup',
  dni_pool_ids: 'trackingPool',
  dniPoolIds: 'trackingPool',
  businessUnitId: 'organization',
  organization: 'organization',
  accounts: 'company',
  organizationId: 'organization',
  companyIds: 'company',
  accountIds: 'company',
  onhold_music_id: 'greeting',
  remove: 'trigger',
  schedule_id: 'schedule',
  business_hours_schedule_id: 'schedule',
  entryId: 'auditEntry',
  streamId: 'auditStream',
  listId: 'phraseList',
  phrase_list_id: 'phraseList',
  phrase_list_ids: 'phraseList',
  ruleId: 'outcomeRule',
  destinationId: 'destination',
  deliveryId: 'delivery',
};
/** Of Caddy's endpoints, whose objects are an account's. */
const caddyKinds: Record<string, FixtureKind> = {
  id: 'caddyNumber',
  ids: 'caddyNumber',
  fileIds: 'caddyFile',
  callId: 'call',
};
/** Keys that look like ids and name no object of a company. */
const notAnObject = new Set([
  'bundle_id',
  'device_id',
  'socket_id',
  'registration_id',
  'caller_id',
  'custom_caller_id',
  'companyId',
  'company_id',
  'for_company_id',
]);

/**
 * The kind of object a key of this endpoint names; null when it names none. Throws for an id key
 * that is not listed here.
 */
function kindOfSlot(
  e: DescribedEndpoint,
  path: readonly string[],
  looksLikeId: boolean,
): FixtureKind | null {
  const key = path.at(-1)!;
  const whole = path.join('.');
  if (e.audience === 'caddy') return caddyKinds[whole] ?? null;
  if (notAnObject.has(key)) return null;
  // Ids within the document itself: a menu option, a flow's route, a draft's version.
  if (
    [
      'choices.[].id',
      'replacements.[].from',
      'replacements.[].to',
      'routes.[].id',
      'forwards.[].id',
    ].some((end) => whole.endsWith(end)) ||
    whole === 'version'
  )
    return null;
  if (whole.endsWith('tags.[].id')) return 'tag';
  if (e.path.startsWith('/data-group') && whole === 'entities.[].id') return 'number';
  if (whole.endsWith('upsert.[].id')) return 'trigger';
  if (whole === 'group.id') return 'group';
  if (e.name === 'updateYearlyOffer' && whole === 'offerId') return 'yearlyOffer';
  if (whole.endsWith('supporting_files.[].id')) return 'file';
  if (whole === 'ids')
    return e.path.endsWith('/tags')
      ? 'tag'
      : e.path.includes('conversations')
        ? 'conversation'
        : 'number';
  if (key === 'batchId')
    return e.path.includes('/exports/')
      ? 'exportBatch'
      : e.path.includes('/contacts/bulk/')
        ? 'bulk'
        : e.path.includes('/contacts/')
          ? 'contactBatch'
          : 'numberBatch';
  if (key === 'updateId')
    return e.path.includes('businessUnits') ? 'organizationFieldUpdate' : 'fieldUpdate';
  if (key === 'id' && whole === 'id') {
    // Of any company, for staff alone.
    if (/^\/admin\/(support-tickets|company-imports)\//.test(e.path)) return null;
    if (e.path.startsWith('/companies/lookup')) return null;
    const found = (
      [
        ['/data-group/', 'dataGroup'],
        ['/favorite-reports/', 'favorite'],
        ['/report-links/', 'reportLink'],
        ['/business-units/', 'organization'],
        ['/oauth/sso/', 'organization'],
        ['/businessUnits/', 'organization'],
        ['eavAttributes', 'field'],
        ['sms-verification', 'smsCampaign'],
        ['numberTemplates', 'template'],
        ['/ports/', 'port'],
        ['/conversations/', 'conversation'],
        ['marketplace-numbers', 'listing'],
        ['/files/', 'file'],
        ['/oauth-integrations/', 'connection'],
        ['/integrations/webhooks', 'webhook'],
        ['/integrations/', 'destination'],
        ['/ga4integrations/', 'analytics'],
        ['/passkeys/', 'passkey'],
        ['/tokenSessions/', 'session'],
        ['/oauth-clients/', 'oauthClient'],
        ['/oauth/authorizations/', 'oauthAuthorization'],
      ] as const
    ).find(([part]) => e.path.includes(part));
    if (found) return found[1];
    throw new Error(`${e.name}: nobody says what “id” names`);
  }
  const kind = kindByKey[key];
  if (kind) return kind;
  if (looksLikeId && /(^|_)ids?$|Ids?$/.test(key))
    throw new Error(`${e.name}: nobody says what “${whole}” names`);
  return null;
}

interface Json {
  type?: string;
  format?: string;
  properties?: Record<string, Json>;
  items?: Json;
  anyOf?: Json[];
  oneOf?: Json[];
  allOf?: Json[];
}
const acceptsId = (s: Json): boolean =>
  s.type === 'integer' ||
  s.format === 'uuid' ||
  [...(s.anyOf ?? []), ...(s.oneOf ?? [])].some(acceptsId);
const itemsOf = (s: Json): Json | undefined =>
  s.items ?? [...(s.anyOf ?? []), ...(s.oneOf ?? [])].find((one) => one.items)?.items;

/**
 * Every place in path, query and body that takes an id, read from the schemas, except the company's
 * own id.
 */
export function idSlotsOf(e: DescribedEndpoint): IdSlot[] {
  const slots: IdSlot[] = [];
  for (const [, key] of e.path.matchAll(/\{(\w+)\}/g)) {
    const kind = paramKind(e, key!);
    if (kind && kind !== 'company')
      slots.push({ where: 'params', path: [key!], kind, list: false });
  }
  const walk = (where: 'query' | 'body', s: Json | undefined, path: string[]): void => {
    if (!s) return;
    for (const more of [...(s.anyOf ?? []), ...(s.oneOf ?? []), ...(s.allOf ?? [])])
      walk(where, more, path);
    for (const [key, value] of Object.entries(s.properties ?? {})) {
      const here = [...path, key];
      const items = itemsOf(value);
      const list = items !== undefined && acceptsId(items);
      if (list || acceptsId(value)) {
        const kind = kindOfSlot(e, here, true);
        if (
          kind &&
          !slots.some((one) => one.where === where && one.path.join('.') === here.join('.'))
        )
          slots.push({ where, path: here, kind, list });
      }
      walk(where, value, here);
    }
    if (s.items) walk(where, s.items, [...path, '[]']);
  };
  for (const where of ['query', 'body'] as const)
    walk(
      where,
      z.toJSONSchema(e[where] as z.ZodType, {
        io: 'input',
        unrepresentable: 'any',
        cycles: 'ref',
        reused: 'inline',
      }) as Json,
      [],
    );
  return slots;
}

function paramKind(e: DescribedEndpoint, key: string): FixtureKind | null {
  if (e.object?.param === key && e.object.table !== 'batch')
    return (
      kindByTable[e.object.table] ??
      fail(`${e.name}: nobody says what a row of “${e.object.table}” is`)
    );
  if (
    key === 'companyId' ||
    (key === 'id' && e.company === 'path' && !e.path.includes('{companyId}'))
  )
    return 'company';
  if (key === 'number' && e.path.includes('Timeline')) return 'phone';
  return kindOfSlot(e, [key], true);
}
const fail = (why: string): never => {
  throw new Error(why);
};

/** The endpoint's example with every id replaced by that of an existing object of its kind. */
export function exampleRequest(e: DescribedEndpoint, ids: FixtureIds): EndpointRequest {
  const put = (kind: FixtureKind, was: unknown): unknown => ids[kind] ?? was;
  const params: Record<string, unknown> = {};
  for (const [, key] of e.path.matchAll(/\{(\w+)\}/g)) {
    const was = (e.example.params as Record<string, unknown> | undefined)?.[key!];
    const kind = paramKind(e, key!);
    params[key!] = kind ? put(kind, was) : was;
  }
  const about = (value: unknown, path: string[]): unknown => {
    const key = path.at(-1) ?? '';
    if (key === 'companyId' || key === 'company_id') return ids.company;
    if (Array.isArray(value)) {
      const kind = path.length && typeof value[0] === 'number' ? kindOfSlot(e, path, true) : null;
      return kind ? [put(kind, value[0])] : value.map((v) => about(v, [...path, '[]']));
    }
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, about(v, [...path, k])]));
    const kind = typeof value === 'number' && path.length ? kindOfSlot(e, path, true) : null;
    return kind ? put(kind, value) : value;
  };
  const query = about(e.example.query ?? {}, []) as Record<string, unknown>;
  if (e.company === 'given') query['companyId'] = ids.company;
  return {
    params,
    query,
    ...(e.example.body === undefined ? {} : { body: about(e.example.body, []) }),
  };
}

/** The same request with another id in one slot; missing parents of the slot are created. */
export function withId(asked: EndpointRequest, slot: IdSlot, id: number | string): EndpointRequest {
  const value = slot.list ? [id] : id;
  if (slot.where === 'params')
    return { ...asked, params: { ...asked.params, [slot.path[0]!]: id } };
  const set = (at: unknown, path: readonly string[]): unknown => {
    const [key, ...rest] = path;
    if (key === undefined) return value;
    if (key === '[]') {
      const list = Array.isArray(at) && at.length ? at : [{}];
      return [set(list[0], rest), ...list.slice(1)];
    }
    return {
      ...(at as object),
      [key]: set((at as Record<string, unknown> | undefined)?.[key], rest),
    };
  };
  return { ...asked, [slot.where]: set(asked[slot.where], slot.path) };
}

/** The request as sent over HTTP. */
export function toHttpRequest(e: AnyEndpoint, asked: EndpointRequest): InjectOptions {
  const path = e.path.replace(/\{(\w+)\}/g, (_, key: string) =>
    encodeURIComponent(String(asked.params[key])),
  );
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(asked.query)) {
    if (value === undefined || value === null) continue;
    if (Array.isArray(value))
      for (const v of value)
        query.append(`${key}[]`, typeof v === 'object' ? JSON.stringify(v) : String(v));
    else query.append(key, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  const url = `/api${path}${query.size ? `?${query}` : ''}`;
  if (asked.form) return { method: e.method, url, ...asked.form };
  return {
    method: e.method,
    url,
    ...(asked.body === undefined || e.method === 'GET' ? {} : { payload: asked.body as object }),
    ...(asked.headers && { headers: asked.headers }),
  };
}
