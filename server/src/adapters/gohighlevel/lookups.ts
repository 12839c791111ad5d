/** What a person chooses from a location of GoHighLevel, which the connected account is. */
import { z } from 'zod';
import type { Lookup, LookupItem } from '../../gateways/lookup.ts';
import { readAnswer } from '../shared/answers.ts';
import { failed, highLevelRequest } from './api.ts';

const lookup = <T>(
  kind: Lookup['kind'],
  pathOf: (location: string) => string,
  schema: z.ZodType<T>,
  itemsOf: (read: T) => LookupItem[],
): Lookup => ({
  ...{ provider: 'gohighlevel', kind },
  ask: ({ account }) => highLevelRequest('GET', pathOf(encodeURIComponent(account))),
  read(answer) {
    if (answer.status === 401) return { state: 'unauthorized', text: 'The token isn’t valid.' };
    const read = readAnswer(answer, schema);
    if (read) return { state: 'found', items: itemsOf(read), next: null };
    const { state, error } = failed(answer);
    return { state: state === 'refused' ? 'refused' : 'away', text: error };
  },
});

const named = z.looseObject({ id: z.string(), name: z.string() });
/** Custom fields that take text. */
const textual = new Set(['TEXT', 'LARGE_TEXT']);

export const highLevelLookups: Lookup[] = [
  lookup(
    'locations',
    (id) => `/locations/${id}`,
    z.object({ location: named }),
    ({ location: { id, name } }) => [{ id, name, detail: null }],
  ),
  // A stage is named with its pipeline before a slash.
  lookup(
    'pipelines',
    (id) => `/opportunities/pipelines?locationId=${id}`,
    z.object({ pipelines: z.array(named.extend({ stages: z.array(named) })) }),
    ({ pipelines }) =>
      pipelines.flatMap(({ id, name: detail, stages }) =>
        stages.map((stage) => ({ id: `${id}/${stage.id}`, name: stage.name, detail })),
      ),
  ),
  lookup(
    'tags',
    (id) => `/locations/${id}/tags`,
    z.object({ tags: z.array(named) }),
    ({ tags }) => tags.map(({ name }) => ({ id: name, name, detail: null })),
  ),
  lookup(
    'properties',
    (id) => `/locations/${id}/customFields?model=contact`,
    z.object({ customFields: z.array(named.extend({ dataType: z.string() })) }),
    ({ customFields }) =>
      customFields
        .filter(({ dataType }) => textual.has(dataType))
        .map(({ id, name, dataType }) => ({ id, name, detail: dataType })),
  ),
];
