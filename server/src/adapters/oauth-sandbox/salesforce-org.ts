/** Salesforce, simulated: an org with leads, contacts, tasks and cases, whose search lags as Salesforce's does. */
import { sql } from 'kysely';
import { z } from 'zod';
import type { OutboundAnswer, OutboundRequest } from '../../gateways/outbound.ts';
import type { Services as AppServices } from '../../platform/context.ts';
import type { GatewayServices } from '../adapter.ts';
import { accountOfToken } from './grants.ts';
import { recordsPage } from './records-page.ts';
import {
  answer,
  error,
  fieldsOf,
  idOf,
  peopleFound,
  prefixes,
  type Kind,
  type Row,
} from './salesforce-records.ts';

// The system role: the simulated orgs’ own tables have no company.

/** What was created within so many seconds isn't found by its search yet. */
const SEARCH_LAG_SECONDS = 5;

type Services = Pick<GatewayServices, 'db' | 'now'>;
/** Of the object reference: what a new record must have. */
const requiredOf: Readonly<Record<Kind, readonly string[]>> = {
  Lead: ['LastName', 'Company'],
  Contact: ['LastName'],
  Task: ['Status'],
  Case: [],
};
const users = [
  { Id: '005000000000001', Name: 'Ann Harbor', Email: 'ann@harbor.example.com' },
  { Id: '005000000000002', Name: 'Ben Brook', Email: 'ben@harbor.example.com' },
];

/** What the simulated Salesforce answers to a call of its REST API. */
export async function answerSalesforce(
  services: Services,
  { url, method, headers, body }: OutboundRequest,
): Promise<OutboundAnswer> {
  const { pathname, searchParams } = new URL(url);
  const token = /^Bearer (.+)$/.exec(headers['authorization'] ?? '')?.[1] ?? '';
  const account = await accountOfToken(services.db, 'salesforce', token, services.now());
  if (!account) return error(401, 'INVALID_SESSION_ID', 'Session expired or invalid');
  const org = account.externalId;
  const path = pathname.replace(/^\/services\/data\/v\d+\.0/, '');
  if (path === '/query') return queryRecords(services, org, searchParams.get('q') ?? '');
  if (path === '/composite/batch') return batch(services, org, JSON.parse(body));
  if (path === '/parameterizedSearch') return search(services, org, JSON.parse(body));
  const [, type = '', rest] = /^\/sobjects\/(\w+)(?:\/(\w+))?$/.exec(path) ?? [];
  if (!(type in prefixes)) return error(404, 'NOT_FOUND', 'The requested resource does not exist');
  const kind = type as Kind;
  if (rest === 'describe') return describe(kind);
  const fields = z.record(z.string(), z.unknown()).parse(JSON.parse(body || '{}'));
  const refused = refusal(kind, fields, method === 'POST');
  if (refused) return refused;
  return rest
    ? update(services, { org, kind, id: rest }, fields)
    : create(services, org, kind, fields);
}

const describe = (kind: Kind): OutboundAnswer =>
  answer(200, {
    fields: [
      ...fieldsOf[kind].map((name) => ({
        ...{ name, label: name.replace('__c', ''), createable: true },
        type: name === 'OwnerId' ? 'reference' : 'string',
      })),
      { name: 'Id', label: 'Record ID', type: 'id', createable: false },
    ],
  });

function refusal(kind: Kind, fields: object, isNew: boolean): OutboundAnswer | null {
  const unknown = Object.keys(fields).filter((name) => !fieldsOf[kind].includes(name));
  const [first] = unknown;
  if (first !== undefined)
    return error(400, 'INVALID_FIELD', `No such column '${first}' on sobject of type ${kind}`);
  const missing = requiredOf[kind].filter((name) => !(name in fields));
  if (isNew && missing.length > 0)
    return error(
      400,
      'REQUIRED_FIELD_MISSING',
      `Required fields are missing: [${missing.join(', ')}]`,
      missing,
    );
  return null;
}

const rowsOf = async ({ db }: Services, org: string): Promise<Row[]> =>
  (
    await sql<Row>`select id::text, type, fields, created_at as at, updated_at as changed
      from sandbox.salesforce_record
      where org = ${org} order by id`.execute(db.unscoped)
  ).rows;

async function create(
  { db, now }: Services,
  org: string,
  kind: Kind,
  fields: Record<string, unknown>,
): Promise<OutboundAnswer> {
  const { WhoId: who } = fields;
  const people = (await rowsOf({ db, now }, org)).map(idOf);
  if (typeof who === 'string' && !people.includes(who))
    return error(400, 'ENTITY_IS_DELETED', 'entity is deleted', ['WhoId']);
  const { rows } = await sql<{ id: string }>`insert into sandbox.salesforce_record
      (org, type, fields, created_at, updated_at)
    values (${org}, ${kind}, ${JSON.stringify(fields)}, ${now()}, ${now()})
    returning id::text`.execute(db.unscoped);
  return answer(201, {
    id: idOf({ type: kind, id: rows[0]?.id ?? '' }),
    success: true,
    errors: [],
  });
}

async function update(
  { db, now }: Services,
  { org, kind, id }: { org: string; kind: Kind; id: string },
  fields: Record<string, unknown>,
): Promise<OutboundAnswer> {
  const { rows } = await sql`update sandbox.salesforce_record
    set fields = fields || ${JSON.stringify(fields)}::jsonb, updated_at = ${now()}
    where org = ${org} and type = ${kind} and id::text = ${id.slice(3)} returning id`.execute(
    db.unscoped,
  );
  return rows.length > 0
    ? answer(204, null)
    : error(404, 'NOT_FOUND', 'The requested resource does not exist');
}

const searched = z.object({
  q: z.string().min(2),
  in: z.literal('PHONE'),
  sobjects: z.array(z.object({ name: z.enum(['Lead', 'Contact']), fields: z.array(z.string()) })),
});

async function search(services: Services, org: string, body: unknown): Promise<OutboundAnswer> {
  const question = searched.safeParse(body).data;
  if (!question) return error(400, 'MALFORMED_SEARCH', 'The search is malformed');
  const before = services.now().getTime() - SEARCH_LAG_SECONDS * 1000;
  const names = question.sobjects.map(({ name }) => name as Kind);
  const records = (await rowsOf(services, org)).filter(
    ({ type, fields, at }) =>
      names.includes(type) &&
      at.getTime() <= before &&
      String(fields['Phone'] ?? '')
        .replaceAll(/\D/g, '')
        .endsWith(question.q),
  );
  return answer(200, {
    searchRecords: records.map((row) => ({
      attributes: { type: row.type },
      Id: idOf(row),
      ...(row.type === 'Lead' && { IsConverted: false, ConvertedContactId: null }),
    })),
  });
}

const queues = [{ QueueId: '00G000000000001', Queue: { Name: 'Front desk' } }];
/** Of the object reference: contacts are owned by users alone. */
const queueObjects = new Set(['Lead', 'Case', 'Task']);
const batched = z.strictObject({
  // "Up to 25 subrequests", of the REST API guide, Batch.
  batchRequests: z
    .array(z.strictObject({ method: z.literal('GET'), url: z.string() }))
    .min(1)
    .max(25),
});

/** Several queries, each with a status of its own. */
async function batch(services: Services, org: string, body: unknown): Promise<OutboundAnswer> {
  const asked = batched.safeParse(body).data;
  if (!asked) return error(400, 'JSON_PARSER_ERROR', 'The batch is malformed');
  const answers = await Promise.all(
    asked.batchRequests.map(({ url }) =>
      queryRecords(services, org, new URL(url, 'https://x').searchParams.get('q') ?? ''),
    ),
  );
  return answer(200, {
    hasErrors: answers.some(({ status }) => status !== 200),
    results: answers.map((one) => ({
      statusCode: one.status,
      result: one.status === null ? null : (JSON.parse(one.body) as unknown),
    })),
  });
}

/** The queries that are asked: users and queues, and a task or case by one field. */
async function queryRecords(
  services: Services,
  org: string,
  soql: string,
): Promise<OutboundAnswer> {
  const people = peopleFound(await rowsOf(services, org), soql);
  if (people) return people;
  if (/ FROM User /.test(soql))
    return answer(200, { totalSize: users.length, done: true, records: users });
  const [, owned] = / FROM QueueSobject WHERE SobjectType = '(\w+)'/.exec(soql) ?? [];
  if (owned) {
    const records = queueObjects.has(owned) ? queues : [];
    return answer(200, { totalSize: records.length, done: true, records });
  }
  const [, type, field = '', value = ''] =
    /^SELECT Id FROM (\w+) WHERE (\w+) = '(.*)' LIMIT 1$/.exec(soql) ?? [];
  if (!type) return error(400, 'MALFORMED_QUERY', 'unexpected token');
  const records = (await rowsOf(services, org))
    .filter((row) => row.type === type && row.fields[field] === value)
    .map((row) => ({ Id: idOf(row) }));
  return answer(200, { totalSize: records.length, done: true, records: records.slice(0, 1) });
}

/** `/sandbox/salesforce` and `/sandbox/salesforce.json`. */
export const sandboxSalesforcePage = ({ db }: Pick<AppServices, 'db'>) =>
  recordsPage('salesforce', {
    title: 'Simulated Salesforce',
    about: 'Leads, contacts, tasks and cases in the orgs of the demo.',
    empty: 'Nothing yet. Connect Salesforce, choose what to log, and call a number.',
    latest: async () =>
      (
        await sql<Row>`select id::text, type, fields, created_at as at, updated_at as changed
          from sandbox.salesforce_record order by id desc limit 100`.execute(db.unscoped)
      ).rows,
    entryOf: (row) => ({
      ...{ name: row.type, detail: idOf(row), at: row.at },
      facts: Object.fromEntries(
        Object.entries(row.fields).map(([name, value]) => [name, String(value)]),
      ),
    }),
  });
