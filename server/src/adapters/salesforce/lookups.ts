/** What a person chooses from a Salesforce org. A look-up's parent is its host, and for fields its object. */
import { z } from 'zod';
import type { Lookup, LookupItem } from '../../gateways/lookup.ts';
import type { OutboundRequest } from '../../gateways/outbound.ts';
import { readAnswer } from '../shared/answers.ts';
import { batch, failed, isOrgHost, quoted, salesforceRequest } from './api.ts';

const lookup = <T>(
  kind: Lookup['kind'],
  ask: (host: string, object: string) => OutboundRequest,
  schema: z.ZodType<T>,
  itemsOf: (read: T) => LookupItem[],
): Lookup => ({
  ...{ provider: 'salesforce', kind },
  ask({ parent }) {
    const [host = '', object = 'Lead'] = (parent ?? '').split('/');
    // Another host is asked for nothing: the answer is that there is none of it.
    return ask(isOrgHost(host) ? host : 'login.salesforce.com', object);
  },
  read(answer) {
    if (answer.status === 401) return { state: 'unauthorized', text: 'The session isn’t valid.' };
    const read = readAnswer(answer, schema);
    if (read) return { state: 'found', items: itemsOf(read), next: null };
    const { state, error } = failed(answer);
    return { state: state === 'refused' ? 'refused' : 'away', text: error };
  },
});

/** Results of a batch, in the order of its requests. */
const owners = z.object({
  results: z.array(
    z.object({
      statusCode: z.number(),
      result: z.unknown(),
    }),
  ),
});
const user = z
  .looseObject({ Id: z.string(), Name: z.string(), Email: z.string().nullish() })
  .transform(({ Id: id, Name: name, Email: email }) => ({ id, name, detail: email ?? null }));
const queue = z
  .looseObject({ QueueId: z.string(), Queue: z.looseObject({ Name: z.string() }) })
  .transform(({ QueueId: id, Queue }) => ({ id, name: Queue.Name, detail: 'Queue' }));
const ownerRecords = z.object({ records: z.array(z.union([user, queue])) });

const described = z.object({
  fields: z.array(
    z.looseObject({
      name: z.string(),
      label: z.string(),
      type: z.string(),
      createable: z.boolean(),
    }),
  ),
});
/** Types that take text. */
const textual = new Set(['string', 'textarea', 'picklist', 'phone', 'email', 'url', 'combobox']);

export const salesforceLookups: Lookup[] = [
  // Users, and the queues that can own the object.
  lookup(
    'owners',
    (host, object) =>
      batch(host, [
        'SELECT Id, Name, Email FROM User WHERE IsActive = true ORDER BY Name LIMIT 500',
        `SELECT QueueId, Queue.Name FROM QueueSobject WHERE SobjectType = ${quoted(object)} ORDER BY Queue.Name LIMIT 500`,
      ]),
    owners,
    ({ results }) =>
      results.flatMap(({ result }) => ownerRecords.safeParse(result).data?.records ?? []),
  ),
  lookup(
    'properties',
    (host, object) =>
      salesforceRequest(host, 'GET', `/sobjects/${encodeURIComponent(object)}/describe`),
    described,
    ({ fields }) =>
      fields
        .filter(({ createable, type }) => createable && textual.has(type))
        .map(({ name: id, label: name, type: detail }) => ({ id, name, detail })),
  ),
];
