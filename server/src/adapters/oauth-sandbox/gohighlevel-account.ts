/** GoHighLevel, simulated: a location with contacts, their notes, opportunities, tags and custom fields. */
import { sql } from 'kysely';
import { z } from 'zod';
import type { OutboundAnswer, OutboundRequest } from '../../gateways/outbound.ts';
import type { Services as AppServices } from '../../platform/context.ts';
import type { GatewayServices } from '../adapter.ts';
import { accountOfToken } from './grants.ts';
import { answer, customFields, error, listOf, pipelines } from './gohighlevel-lists.ts';
import { recordsPage } from './records-page.ts';

// The system role: the simulated locations’ own tables have no company.

export const highLevelHost = 'services.leadconnectorhq.com';
type Services = Pick<GatewayServices, 'db' | 'now'>;
type Kind = 'contact' | 'note' | 'opportunity';

interface Row {
  id: string;
  type: Kind;
  fields: Record<string, unknown>;
  at: Date;
}

const text = z.string().nullable().optional();
/** Of CreateContactDto and UpdateContactDto. */
const written = z.strictObject({
  ...{ firstName: text, lastName: text, phone: text, email: text, address1: text },
  ...{ city: text, state: text, postalCode: text, source: text },
  tags: z.array(z.string()).optional(),
  customFields: z
    .array(z.strictObject({ id: z.string(), key: z.string().optional(), field_value: z.string() }))
    .optional(),
});
const created = written.extend({ locationId: z.string(), companyName: text });
const noted = z.strictObject({ body: z.string().min(1) });
const opened = z.strictObject({
  ...{ locationId: z.string(), pipelineId: z.string(), pipelineStageId: z.string() },
  ...{ contactId: z.string(), name: z.string().min(1), status: z.literal('open') },
  monetaryValue: z.number().optional(),
});

/** What the simulated GoHighLevel answers to a call of its API. */
export async function answerHighLevel(
  services: Services,
  { url, method, headers, body }: OutboundRequest,
): Promise<OutboundAnswer> {
  // A required header of each operation.
  if (headers['version'] !== '2021-07-28') return error(401, 'version header was not found.');
  const token = /^Bearer (.+)$/.exec(headers['authorization'] ?? '')?.[1] ?? '';
  const account = await accountOfToken(services.db, 'gohighlevel', token, services.now());
  if (!account) return error(401, 'Invalid JWT');
  const at: Location = { services, location: account.externalId };
  const { pathname, searchParams: asked } = new URL(url);
  const locationId = asked.get('locationId') ?? asked.get('location_id');
  if (locationId !== null && locationId !== at.location)
    return error(403, 'The token does not have access to this location.');
  const [, , id = '', sub, subId] = pathname.split('/');
  const sent: unknown = JSON.parse(body || 'null');
  if (pathname.startsWith('/locations/')) return listOf(at.location, account.name, id, sub);
  if (pathname === '/opportunities/pipelines') return answer(200, { pipelines });
  if (pathname.startsWith('/opportunities'))
    return answerOpportunity(at, { method, id }, asked, sent);
  if (pathname === '/contacts/search/duplicate') return findDuplicate(at, asked);
  if (sub === 'notes') return answerNote(at, { method, contactId: id, id: subId }, sent);
  if (sub === 'tags') return addTags(at, id, sent);
  return answerContact(at, { method, id }, sent);
}

interface Location {
  services: Services;
  location: string;
}

const rowsOf = async ({ services, location }: Location, kind: Kind): Promise<Row[]> =>
  (
    await sql<Row>`select id::text, type, fields, created_at as at
      from sandbox.gohighlevel_object where location = ${location} and type = ${kind}
      order by id`.execute(services.db.unscoped)
  ).rows;
const rowOf = async (at: Location, kind: Kind, id: string): Promise<Row | undefined> =>
  (await rowsOf(at, kind)).find((row) => row.id === id);

async function insert({ services, location }: Location, kind: Kind, fields: object): Promise<Row> {
  const now = services.now();
  const { rows } = await sql<Row>`insert into sandbox.gohighlevel_object
      (location, type, fields, created_at, updated_at)
    values (${location}, ${kind}, ${JSON.stringify(fields)}, ${now}, ${now})
    returning id::text, type, fields, created_at as at`.execute(services.db.unscoped);
  const [row] = rows;
  if (!row) throw new Error('Nothing was stored.');
  return row;
}

async function change({ services }: Location, row: Row, fields: object): Promise<Row> {
  await sql`update sandbox.gohighlevel_object
    set fields = fields || ${JSON.stringify(fields)}::jsonb, updated_at = ${services.now()}
    where id = ${row.id}::bigint`.execute(services.db.unscoped);
  return { ...row, fields: { ...row.fields, ...fields } };
}

const shown = ({ id, fields }: Row): object => ({ id, ...fields });
const digitsOf = (phone: unknown): string =>
  String(phone ?? '')
    .replaceAll(/\D/g, '')
    .slice(-10);

async function findDuplicate(at: Location, asked: URLSearchParams): Promise<OutboundAnswer> {
  const [number, email] = [asked.get('number'), asked.get('email')];
  const found = await duplicateOf(at, { phone: number, email });
  return answer(200, { contact: found ? shown(found) : null });
}

/** "The global unique identifier will be used for searching", where a location takes no duplicates. */
const duplicateOf = async (
  at: Location,
  { phone, email }: { phone?: string | null | undefined; email?: string | null | undefined },
): Promise<Row | undefined> =>
  (await rowsOf(at, 'contact')).find(
    ({ fields }) =>
      (phone && digitsOf(fields['phone']) === digitsOf(phone)) ||
      (email && String(fields['email'] ?? '').toLowerCase() === email.toLowerCase()),
  );

/** As it stores a contact: tags in small letters, and of custom fields those that it has. */
function storedOf(sent: z.infer<typeof written>, before: Row | undefined): object {
  const { customFields: given, tags: tagged, ...fields } = sent;
  const there = (before?.fields['customFields'] ?? []) as { id: string; value: string }[];
  const known = (given ?? []).filter(({ id }) => customFields.some((one) => one.id === id));
  return {
    ...fields,
    ...(given && {
      customFields: [
        ...there.filter(({ id }) => !known.some((one) => one.id === id)),
        ...known.map(({ id, field_value: value }) => ({ id, value })),
      ],
    }),
    ...(tagged && { tags: tagged.map((tag) => tag.toLowerCase()) }),
  };
}

async function answerContact(
  at: Location,
  { method, id }: { method: string; id: string },
  sent: unknown,
): Promise<OutboundAnswer> {
  if (method === 'POST') {
    const read = created.safeParse(sent).data;
    if (!read) return error(422, ['property should not exist']);
    const { locationId, companyName, ...rest } = read;
    if (locationId !== at.location) return error(403, 'No access to this location.');
    const found = await duplicateOf(at, rest);
    if (found)
      return error(400, 'This location does not allow duplicated contacts.', {
        meta: { contactId: found.id },
      });
    const stored = { ...storedOf(rest, undefined), ...(companyName && { companyName }) };
    return answer(201, { contact: shown(await insert(at, 'contact', stored)) });
  }
  const row = await rowOf(at, 'contact', id);
  if (!row) return error(400, `Contact with id ${id} not found`);
  if (method === 'GET') return answer(200, { contact: shown(row) });
  const read = written.safeParse(sent).data;
  if (!read) return error(422, ['property should not exist']);
  const contact = shown(await change(at, row, storedOf(read, row)));
  return answer(200, { succeded: true, contact });
}

async function addTags(at: Location, id: string, sent: unknown): Promise<OutboundAnswer> {
  const row = await rowOf(at, 'contact', id);
  const read = z.strictObject({ tags: z.array(z.string()) }).safeParse(sent).data;
  if (!row || !read) return error(400, `Contact with id ${id} not found`);
  const there = (row.fields['tags'] ?? []) as string[];
  const all = [...new Set([...there, ...read.tags.map((tag) => tag.toLowerCase())])];
  await change(at, row, { tags: all });
  return answer(201, { tags: all });
}

async function answerNote(
  at: Location,
  { method, contactId, id }: { method: string; contactId: string; id: string | undefined },
  sent: unknown,
): Promise<OutboundAnswer> {
  if (!(await rowOf(at, 'contact', contactId)))
    return error(400, `Contact with id ${contactId} not found`);
  if (method === 'GET') {
    const own = (await rowsOf(at, 'note')).filter(
      ({ fields }) => fields['contactId'] === contactId,
    );
    return answer(200, { notes: own.map(shown) });
  }
  const read = noted.safeParse(sent).data;
  if (!read) return error(422, ['body must be a string']);
  if (method === 'POST')
    return answer(201, { note: shown(await insert(at, 'note', { ...read, contactId })) });
  const row = await rowOf(at, 'note', id ?? '');
  if (!row) return error(404, 'Note not found');
  return answer(200, { note: shown(await change(at, row, read)) });
}

async function answerOpportunity(
  at: Location,
  { method, id }: { method: string; id: string },
  asked: URLSearchParams,
  sent: unknown,
): Promise<OutboundAnswer> {
  if (id === 'search') {
    const found = (await rowsOf(at, 'opportunity')).filter(
      ({ fields }) =>
        fields['contactId'] === asked.get('contact_id') &&
        fields['pipelineId'] === asked.get('pipeline_id') &&
        fields['status'] === asked.get('status'),
    );
    return answer(200, { opportunities: found.map(shown) });
  }
  if (method === 'GET') {
    const row = await rowOf(at, 'opportunity', id);
    return row
      ? answer(200, { opportunity: shown(row) })
      : error(400, `Opportunity with id ${id} not found`);
  }
  const read = opened.safeParse(sent).data;
  const pipeline = pipelines.find((one) => one.id === read?.pipelineId);
  if (!read || !pipeline?.stages.some((stage) => stage.id === read.pipelineStageId))
    return error(422, ['pipelineStageId must be a stage of the pipeline']);
  const { locationId: _, ...fields } = read;
  return answer(201, { opportunity: shown(await insert(at, 'opportunity', fields)) });
}

/** `/sandbox/gohighlevel` and `/sandbox/gohighlevel.json`. */
export const sandboxHighLevelPage = ({ db }: Pick<AppServices, 'db'>) =>
  recordsPage('gohighlevel', {
    title: 'Simulated GoHighLevel',
    about: 'Contacts, notes and opportunities in the locations of the demo.',
    empty: 'Nothing yet. Connect GoHighLevel, choose what to log, and call a number.',
    latest: async () =>
      (
        await sql<Row>`select id::text, type, fields, created_at as at
          from sandbox.gohighlevel_object order by id desc limit 100`.execute(db.unscoped)
      ).rows,
    entryOf: ({ id, type, fields, at }) => ({
      ...{ name: type, detail: id, at },
      facts: Object.fromEntries(
        Object.entries(fields).map(([name, value]) => [
          name,
          typeof value === 'string' ? value : JSON.stringify(value),
        ]),
      ),
    }),
  });
