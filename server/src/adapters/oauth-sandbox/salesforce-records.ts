/** Records of a simulated Salesforce org, and its answers about people. */
import type { OutboundAnswer } from '../../gateways/outbound.ts';

/** Each kind of record has a prefix of its IDs: the first three characters. */
export const prefixes = { Lead: '00Q', Contact: '003', Task: '00T', Case: '500' } as const;
export type Kind = keyof typeof prefixes;

export interface Row {
  id: string;
  type: Kind;
  fields: Record<string, unknown>;
  at: Date;
  changed: Date;
}

/** An answer with a body as JSON; null: an empty one. */
export const answer = (status: number, body: unknown): OutboundAnswer => ({
  ...{ status, body: body === null ? '' : JSON.stringify(body), retryAfterSeconds: null },
});
/** A list, as "Status Codes and Error Responses" has it. */
export const error = (status: number, errorCode: string, message: string, fields: string[] = []) =>
  answer(status, [{ message, errorCode, fields }]);

const person = [
  ...['Phone', 'MobilePhone', 'FirstName', 'LastName', 'Email', 'OwnerId'],
  ...['Campaign__c', 'Keyword__c'],
];
export const fieldsOf: Readonly<Record<Kind, readonly string[]>> = {
  Lead: [...person, 'Company', 'LeadSource', 'City', 'State'],
  Contact: [...person, 'LeadSource', 'MailingCity', 'MailingState'],
  Task: [
    ...['WhoId', 'Subject', 'Status', 'Description', 'ActivityDate', 'TaskSubtype', 'CallType'],
    ...['CallDurationInSeconds', 'CallObject', 'OwnerId'],
  ],
  Case: ['Subject', 'Origin', 'Description', 'ContactId', 'SuppliedPhone', 'OwnerId'],
};

/** Salesforce's ID of a record. */
export const idOf = ({ type, id }: Pick<Row, 'type' | 'id'>): string => `${prefixes[type]}${id}`;

const peopleQuery =
  /^SELECT (.+) FROM (Lead|Contact)(?: WHERE SystemModstamp > (\S+) OR \(SystemModstamp = \3 AND Id > '(\w+)'\))? ORDER BY SystemModstamp, Id LIMIT (\d+)$/;
const byIdQuery = /^SELECT (.+) FROM (Lead|Contact) WHERE Id IN \((.+)\)$/;

/**
 * Leads or contacts of an org: those that changed after one of them, or some by their IDs. Null: it is
 * another query.
 */
export function peopleFound(rows: readonly Row[], soql: string): OutboundAnswer | null {
  const [, selected = '', kind = '', since, lastId = '', limit] =
    peopleQuery.exec(soql) ?? byIdQuery.exec(soql) ?? [];
  if (!kind) return null;
  const [, , , list = ''] = byIdQuery.exec(soql) ?? [];
  const ids = [...list.matchAll(/'(\w+)'/g)].map(([, id]) => id);
  const isWanted = (row: Row): boolean => {
    if (ids.length > 0) return ids.includes(idOf(row));
    if (since === undefined) return true;
    const at = row.changed.getTime() - Date.parse(since);
    return at > 0 || (at === 0 && idOf(row) > lastId);
  };
  const found = rows
    .filter((row) => row.type === kind && isWanted(row))
    .toSorted((a, b) => a.changed.getTime() - b.changed.getTime() || (idOf(a) < idOf(b) ? -1 : 1))
    .slice(0, limit === undefined ? undefined : Number(limit));
  const names = selected.split(', ');
  const unknown = names.find(
    (name) => !ownFields.has(name) && !fieldsOf[kind as Kind].includes(name),
  );
  if (unknown !== undefined)
    return error(400, 'INVALID_FIELD', `No such column '${unknown}' on entity '${kind}'`);
  return answer(200, {
    totalSize: found.length,
    done: true,
    records: found.map((row) => ({
      ...Object.fromEntries(names.map((name) => [name, row.fields[name] ?? null])),
      ...{ Id: idOf(row), SystemModstamp: row.changed.toISOString().replace('Z', '+0000') },
      ...(kind === 'Contact' && {
        'Account.Name': undefined,
        Account: row.fields['Account'] ?? null,
      }),
      ...(kind === 'Lead' && { IsConverted: row.fields['IsConverted'] ?? false }),
    })),
  });
}
/** Fields of every record, and of a lead and of the company of a contact, that aren't written. */
const ownFields: ReadonlySet<string> = new Set([
  ...['Id', 'SystemModstamp', 'IsConverted', 'Account.Name'],
]);
