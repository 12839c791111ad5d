/** What a person chooses from a Salesforce org. A look-up's parent is its host, and for fields its object. */
import { z } from 'zod';
import type { Lookup, LookupItem } from '../../gateways/lookup.ts';
import type { OutboundRequest } from '../../gateways/outbound.ts';
import { readAnswer } from '../shared/answers.ts';
import { failed, isOrgHost, query, salesforceRequest } from './api.ts';

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

const people = z.object({
  records: z.array(
    z.looseObject({ Id: z.string(), Name: z.string(), Email: z.string().nullish() }),
  ),
});
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
  lookup(
    'owners',
    (host) =>
      query(host, 'SELECT Id, Name, Email FROM User WHERE IsActive = true ORDER BY Name LIMIT 500'),
    people,
    ({ records }) =>
      records.map(({ Id: id, Name: name, Email: email }) => ({ id, name, detail: email ?? null })),
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
