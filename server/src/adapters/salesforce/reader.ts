/** Leads and contacts of Salesforce, read back: whoever changed, and those that a call was logged with. */
import { z } from 'zod';
import { oauthConfigs } from '#contract/integrations/oauth-integrations/configs';
import type { CrmOwner, CrmPerson, CrmReader, CrmReading } from '../../gateways/crm-reader.ts';
import { readAnswer } from '../shared/answers.ts';
import { settledBefore } from '../shared/crm-cursor.ts';
import { batch, failed, isOrgHost, query, quoted } from './api.ts';
import { unknownCompany, unknownName } from './records.ts';

const PAGE = 200;
type Kind = 'Contact' | 'Lead';
/** Who is a contact already goes before a lead with the same number. */
const kinds = ['Contact', 'Lead'] as const;
const fields: Readonly<Record<Kind, string>> = {
  Contact: 'Id, FirstName, LastName, Account.Name, Phone, MobilePhone, OwnerId, SystemModstamp',
  Lead: 'Id, FirstName, LastName, Company, Phone, MobilePhone, OwnerId, IsConverted, SystemModstamp',
};

/** The last record read: when it was changed, ms, and its ID. */
const place = z.object({ at: z.number(), id: z.string() });
const cursorShape = z.partialRecord(z.enum(kinds), place);
type Cursor = z.infer<typeof cursorShape>;

const record = z.looseObject({
  Id: z.string(),
  FirstName: z.string().nullish(),
  LastName: z.string().nullish(),
  Company: z.string().nullish(),
  Account: z.looseObject({ Name: z.string().nullish() }).nullish(),
  Phone: z.string().nullish(),
  MobilePhone: z.string().nullish(),
  OwnerId: z.string().nullish(),
  IsConverted: z.boolean().optional(),
  SystemModstamp: z.string(),
});
type SalesforceRecord = z.infer<typeof record>;
const batched = z.object({
  results: z.array(
    z.object({ statusCode: z.number(), result: z.object({ records: z.array(record) }) }),
  ),
});
const users = z.object({
  records: z.array(
    z.looseObject({ Id: z.string(), Name: z.string(), Email: z.string().nullish() }),
  ),
});

/** Before any ID of a moment. */
const lowestId = '000000000000000';

type Config = z.infer<typeof oauthConfigs.salesforce>;

export const salesforceReader: CrmReader<Config> = {
  provider: 'salesforce',
  config: oauthConfigs.salesforce,
  *changed({ instance }, { cursor, now }) {
    const host = hostOf(instance);
    if (host === null) return noHost;
    const from = cursor === null ? {} : cursorShape.parse(JSON.parse(cursor));
    const found = yield* ask(
      host,
      kinds.map((kind) => changedSince(kind, from[kind])),
    );
    if ('state' in found) return found;
    const people = yield* withOwners(host, found.flat());
    if ('state' in people) return people;
    const more = found.some((records) => records.length === PAGE);
    const to = follow(from, found, now);
    return { state: 'read', people, cursor: JSON.stringify(to), more };
  },
  *byIds({ instance }, ids) {
    const host = hostOf(instance);
    if (host === null) return noHost;
    const of = (kind: Kind, prefix: string): string[] => {
      const own = ids.filter((id) => id.startsWith(prefix));
      if (own.length === 0) return [];
      return [`SELECT ${fields[kind]} FROM ${kind} WHERE Id IN (${own.map(quoted).join(', ')})`];
    };
    const queries = [...of('Contact', '003'), ...of('Lead', '00Q')];
    if (queries.length === 0) return { state: 'read', people: [] };
    const found = yield* ask(host, queries);
    if ('state' in found) return found;
    const people = yield* withOwners(host, found.flat());
    return 'state' in people ? people : { state: 'read', people };
  },
};

const hostOf = (instance: string | null): string | null =>
  instance !== null && isOrgHost(instance) ? instance : null;
const noHost = { state: 'refused', error: 'Enter the host of the org.' } as const;

/** Those that changed after the last one that was read, in an order in which none is passed over. */
function changedSince(kind: Kind, last: Cursor[Kind]): string {
  const at = last && new Date(last.at).toISOString();
  const where = last
    ? ` WHERE SystemModstamp > ${at} OR (SystemModstamp = ${at} AND Id > ${quoted(last.id)})`
    : '';
  return `SELECT ${fields[kind]} FROM ${kind}${where} ORDER BY SystemModstamp, Id LIMIT ${PAGE}`;
}

function follow(from: Cursor, found: readonly SalesforceRecord[][], now: Date): Cursor {
  const to: Cursor = { ...from };
  for (const [i, kind] of kinds.entries()) {
    const records = found[i] ?? [];
    const last = records.at(-1);
    if (!last) continue;
    const at = Date.parse(last.SystemModstamp);
    const settled = settledBefore(at, now);
    // What was just changed is read again, from the beginning of its moment.
    if (records.length === PAGE || settled === at) to[kind] = { at, id: last.Id };
    else if (settled > (from[kind]?.at ?? 0)) to[kind] = { at: settled, id: lowestId };
  }
  return to;
}

/** Asks queries in one request, and returns the records of each. */
function* ask(host: string, queries: readonly string[]): CrmReading<SalesforceRecord[][]> {
  const answer = yield batch(host, queries);
  const read = readAnswer(answer, batched);
  if (read && read.results.every(({ statusCode }) => statusCode === 200))
    return read.results.map(({ result }) => result.records);
  // A part was refused although the whole wasn't: for a field or an object that they may not see.
  if (answer.status === 200)
    return { state: 'refused', error: 'Salesforce doesn’t show the fields that are read.' };
  return failedReading(answer);
}

function* withOwners(host: string, found: readonly SalesforceRecord[]): CrmReading<CrmPerson[]> {
  // A queue owns nothing for anyone.
  const ids = [...new Set(found.flatMap(({ OwnerId: id }) => (id?.startsWith('005') ? id : [])))];
  const byId = new Map<string, CrmOwner>();
  if (ids.length > 0) {
    const answer = yield query(
      host,
      `SELECT Id, Name, Email FROM User WHERE Id IN (${ids.map(quoted).join(', ')})`,
    );
    const read = readAnswer(answer, users);
    if (!read) return failedReading(answer);
    for (const { Id, Name, Email } of read.records)
      byId.set(Id, { name: Name, email: Email ?? null });
  }
  return found
    .filter(({ IsConverted }) => !IsConverted)
    .map((one) => ({
      id: one.Id,
      phones: [one.Phone, one.MobilePhone].flatMap((phone) => phone || []),
      name: nameOf(one),
      companyName: companyOf(one),
      owner: byId.get(one.OwnerId ?? '') ?? null,
    }));
}

/** What is written where nothing is known isn't a name. */
const nameOf = ({ FirstName: first, LastName: last }: SalesforceRecord): string =>
  last === unknownName
    ? (first?.trim() ?? '')
    : [first, last].flatMap((word) => word?.trim() || []).join(' ');
const companyOf = ({ Company: own, Account: account }: SalesforceRecord): string => {
  const company = own ?? account?.Name ?? '';
  return company === unknownCompany ? '' : company.trim();
};

function failedReading(answer: Parameters<typeof failed>[0]) {
  const verdict = failed(answer);
  return verdict.state === 'wait'
    ? { state: verdict.state, seconds: verdict.seconds, error: verdict.error }
    : {
        state: verdict.state === 'refused' ? ('refused' as const) : ('retry' as const),
        error: verdict.error,
      };
}
