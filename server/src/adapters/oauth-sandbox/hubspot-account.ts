/** HubSpot, simulated: an account with contacts, calls and texts, whose search lags as HubSpot's does. */
import { sql } from 'kysely';
import { z } from 'zod';
import type { OutboundAnswer, OutboundRequest } from '../../gateways/outbound.ts';
import type { GatewayServices } from '../adapter.ts';
import { accountOfToken } from './grants.ts';
import { hubspotLists, propertyNames } from './hubspot-lists.ts';

// The system role: the simulated accounts’ own tables have no company.

export const hubspotHost = 'api.hubapi.com';
/** What was created within so many seconds isn't found yet. */
const SEARCH_LAG_SECONDS = 5;

type Services = Pick<GatewayServices, 'db' | 'now'>;
interface Row {
  id: string;
  properties: Record<string, string>;
  created_at: Date;
  updated_at: Date;
}
interface Question extends Services {
  portal: string;
  type: string;
}

const answer = (status: number, body: unknown): OutboundAnswer => ({
  ...{ status, body: JSON.stringify(body), retryAfterSeconds: null },
});
const error = (status: number, category: string, message: string, more: object = {}) =>
  answer(status, {
    ...{ status: 'error', message, category, ...more },
    correlationId: 'aeb5f871-7f07-4993-9211-075dc63e7cbf',
  });
const objectOf = ({ id, properties, created_at: at, updated_at }: Row) => ({
  ...{ id, archived: false },
  properties: { ...properties, lastmodifieddate: updated_at.toISOString() },
  createdAt: at.toISOString(),
  updatedAt: updated_at.toISOString(),
});

/** What the simulated HubSpot answers to a call of its API. */
export async function answerHubspot(
  { db, now }: Services,
  { url, method, headers, body }: OutboundRequest,
): Promise<OutboundAnswer> {
  const { pathname } = new URL(url);
  const token = /^Bearer (.+)$/.exec(headers['authorization'] ?? '')?.[1] ?? '';
  const account = await accountOfToken(db, 'hubspot', token, now());
  if (!account)
    return error(401, 'EXPIRED_AUTHENTICATION', 'The OAuth token used to make this call expired.');
  const list = hubspotLists[pathname];
  if (list && method === 'GET') return answer(200, { results: list });
  if (pathname === '/crm/v3/objects/contacts/batch/read')
    return readMany({ db, now, type: 'contacts', portal: account.externalId }, JSON.parse(body));
  const [, type = '', id] =
    /^\/crm\/v3\/objects\/(contacts|calls|communications)(?:\/([^/]+))?$/.exec(pathname) ?? [];
  if (!type) return error(404, 'OBJECT_NOT_FOUND', 'resource not found');
  // One account for everyone of the demo who connects the same one.
  const question = { db, now, type, portal: account.externalId };
  if (method === 'GET' && id) return read(question, id);
  const sent = z.json().parse(JSON.parse(body));
  if (id === 'search') return search(question, sent);
  return id ? update(question, id, sent) : create(question, sent);
}

const filter = z.object({
  propertyName: z.string(),
  operator: z.enum(['EQ', 'GTE']),
  value: z.string(),
});
const searched = z.object({
  filterGroups: z
    .array(z.object({ filters: z.array(filter).min(1) }))
    .min(1)
    .max(5),
  limit: z.number().max(200),
  sorts: z.array(z.string()).max(1),
  after: z.string().regex(/^\d+$/),
});

/** HubSpot compares phone numbers of any spelling, without their country. */
const phones: Readonly<Record<string, string>> = {
  hs_searchable_calculated_phone_number: 'phone',
  hs_searchable_calculated_mobile_number: 'mobilephone',
};

async function search({ db, now, portal, type }: Question, body: unknown): Promise<OutboundAnswer> {
  const question = searched.safeParse(body).data;
  if (!question) return error(400, 'VALIDATION_ERROR', 'Invalid input JSON');
  const before = new Date(now().getTime() - SEARCH_LAG_SECONDS * 1000);
  const { rows } = await sql<Row & { contacts: string[] }>`
    select id::text, properties, contacts, created_at, updated_at from sandbox.hubspot_object
    where portal = ${portal} and type = ${type} and updated_at <= ${before}
    order by case when ${question.sorts[0] ?? ''} = 'lastmodifieddate' then updated_at else created_at end,
      id`.execute(db.unscoped);
  const matches =
    ({ propertyName: name, operator, value }: z.infer<typeof filter>) =>
    (row: (typeof rows)[0]) =>
      operator === 'GTE'
        ? name === 'lastmodifieddate' && row.updated_at.getTime() >= Number(value)
        : name === 'associations.contact'
          ? row.contacts.includes(value)
          : name === 'hs_timestamp'
            ? Date.parse(row.properties[name] ?? '') === Number(value)
            : name in phones
              ? (row.properties[phones[name] ?? ''] ?? '').replaceAll(/\D/g, '').endsWith(value)
              : row.properties[name]?.toLowerCase() === value.toLowerCase();
  const found = rows.filter((row) =>
    question.filterGroups.some(({ filters }) => filters.every((one) => matches(one)(row))),
  );
  const from = Number(question.after);
  // "The search endpoints are limited to 10,000 total results for any given query."
  if (from >= MOST_FOUND) return error(400, 'VALIDATION_ERROR', 'Too many results');
  const until = from + question.limit;
  return answer(200, {
    total: found.length,
    results: found.slice(from, until).map(objectOf),
    ...(until < found.length && { paging: { next: { after: String(until) } } }),
  });
}
const MOST_FOUND = 10_000;

const readBatch = z.object({ inputs: z.array(z.object({ id: z.string() })).max(100) });
/** Those that aren't there are missing, and named: status 207. */
async function readMany({ db, portal, type }: Question, body: unknown): Promise<OutboundAnswer> {
  const asked = readBatch.safeParse(body).data;
  if (!asked) return error(400, 'VALIDATION_ERROR', 'Invalid input JSON');
  const ids = asked.inputs.map(({ id }) => id);
  const { rows } = await sql<Row>`select id::text, properties, created_at, updated_at
    from sandbox.hubspot_object
    where portal = ${portal} and type = ${type} and id::text = any(${ids})`.execute(db.unscoped);
  return answer(rows.length < ids.length ? 207 : 200, {
    status: 'COMPLETE',
    results: rows.map(objectOf),
  });
}

async function read({ db, portal, type }: Question, id: string): Promise<OutboundAnswer> {
  const { rows } = await sql<Row>`select id::text, properties, created_at, updated_at
    from sandbox.hubspot_object
    where portal = ${portal} and type = ${type} and id::text = ${id}`.execute(db.unscoped);
  return rows[0] ? answer(200, objectOf(rows[0])) : notFound();
}
const notFound = () => error(404, 'OBJECT_NOT_FOUND', 'Object not found');

/** Properties that there aren't, in HubSpot's words. Null: all are known. */
function unknownProperties(type: string, properties: object): OutboundAnswer | null {
  if (type !== 'contacts') return null;
  const unknown = Object.keys(properties).filter((name) => !propertyNames.has(name));
  if (unknown.length === 0) return null;
  return error(400, 'VALIDATION_ERROR', 'Property values were not valid', {
    errors: unknown.map((name) => ({
      message: `Property "${name}" does not exist`,
      code: 'PROPERTY_DOESNT_EXIST',
      context: { propertyName: [name] },
    })),
  });
}

const properties = z.record(z.string(), z.string());
const created = z.object({
  properties,
  associations: z.array(
    z.object({
      to: z.object({ id: z.string() }),
      types: z.array(z.object({ associationCategory: z.string(), associationTypeId: z.number() })),
    }),
  ),
});

async function create(question: Question, body: unknown): Promise<OutboundAnswer> {
  const { db, now, portal, type } = question;
  const sent = created.safeParse(body).data;
  if (!sent) return error(400, 'VALIDATION_ERROR', 'Invalid input JSON');
  const refused = unknownProperties(type, sent.properties);
  if (refused) return refused;
  const { email } = sent.properties;
  const { rows: same } = await sql<{ id: string }>`select id::text from sandbox.hubspot_object
    where portal = ${portal} and type = 'contacts' and ${type} = 'contacts'
      and lower(properties ->> 'email') = lower(${email ?? null}::text)`.execute(db.unscoped);
  if (same[0]) return error(409, 'CONFLICT', `Contact already exists. Existing ID: ${same[0].id}`);
  const contacts = sent.associations.map(({ to }) => to.id);
  const { rows: there } = await sql<{ id: string }>`select id::text from sandbox.hubspot_object
    where portal = ${portal} and type = 'contacts' and id::text = any(${contacts})`.execute(
    db.unscoped,
  );
  if (there.length < contacts.length) return notFound();
  const { rows } = await sql<Row>`insert into sandbox.hubspot_object
      (portal, type, properties, contacts, created_at, updated_at)
    values (${portal}, ${type}, ${JSON.stringify(sent.properties)}, ${contacts}, ${now()}, ${now()})
    returning id::text, properties, created_at, updated_at`.execute(db.unscoped);
  return rows[0] ? answer(201, objectOf(rows[0])) : notFound();
}

async function update(question: Question, id: string, body: unknown): Promise<OutboundAnswer> {
  const { db, now, portal, type } = question;
  const sent = z.object({ properties }).safeParse(body).data;
  if (!sent) return error(400, 'VALIDATION_ERROR', 'Invalid input JSON');
  const refused = unknownProperties(type, sent.properties);
  if (refused) return refused;
  const { rows } = await sql<Row>`update sandbox.hubspot_object
    set properties = properties || ${JSON.stringify(sent.properties)}::jsonb, updated_at = ${now()}
    where portal = ${portal} and type = ${type} and id::text = ${id}
    returning id::text, properties, created_at, updated_at`.execute(db.unscoped);
  return rows[0] ? answer(200, objectOf(rows[0])) : notFound();
}
