/** What a person chooses from a HubSpot account. */
import { z } from 'zod';
import type { Lookup, LookupItem } from '../../gateways/lookup.ts';
import { readAnswer } from '../shared/answers.ts';
import { errorOf, hubspotRequest } from './api.ts';

const paging = z.object({ next: z.object({ after: z.string() }).optional() }).optional();
const list = <T extends z.ZodType>(item: T) => z.object({ results: z.array(item), paging });

/** A list of HubSpot's, page by page. */
const lookup = <T extends z.ZodType>(
  kind: Lookup['kind'],
  path: string,
  item: T,
  itemsOf: (read: z.output<T>) => LookupItem[],
): Lookup => ({
  ...{ provider: 'hubspot', kind },
  ask({ cursor }) {
    const url = new URL(path, 'https://x');
    if (cursor !== null) url.searchParams.set('after', cursor);
    return hubspotRequest('GET', url.pathname + url.search);
  },
  read(answer) {
    if (answer.status === null) return { state: 'away', text: answer.error };
    if (answer.status === 401) return { state: 'unauthorized', text: 'HubSpot answered 401.' };
    const read = readAnswer(answer, list(item));
    if (read)
      return {
        state: 'found',
        items: read.results.flatMap(itemsOf),
        next: read.paging?.next?.after ?? null,
      };
    const text = `HubSpot answered ${answer.status} ${errorOf(answer).category ?? ''}`.trim();
    const isAway = answer.status === 429 || answer.status >= 500;
    return { state: isAway ? 'away' : 'refused', text };
  },
});

const owner = z.object({
  id: z.string(),
  email: z.string().nullish(),
  firstName: z.string().nullish(),
  lastName: z.string().nullish(),
  archived: z.boolean().optional(),
});
const pipeline = z.object({
  label: z.string(),
  archived: z.boolean().optional(),
  stages: z.array(z.object({ id: z.string(), label: z.string() })),
});
const property = z.object({
  name: z.string(),
  label: z.string(),
  type: z.string(),
  archived: z.boolean().optional(),
  hidden: z.boolean().optional(),
  calculated: z.boolean().optional(),
  modificationMetadata: z.object({ readOnlyValue: z.boolean().optional() }).optional(),
});

export const hubspotLookups: Lookup[] = [
  lookup('owners', '/crm/v3/owners?limit=100&archived=false', owner, (one) => {
    const name = [one.firstName, one.lastName].filter(Boolean).join(' ');
    return [{ id: one.id, name: name || one.email || one.id, detail: one.email ?? null }];
  }),
  // The stages that a contact goes through; HubSpot keeps them as pipelines.
  lookup('pipelines', '/crm/v3/pipelines/contacts', pipeline, ({ label, stages }) =>
    stages.map((stage) => ({ id: stage.id, name: stage.label, detail: label })),
  ),
  // Those that can be written.
  lookup('properties', '/crm/v3/properties/contacts?archived=false', property, (one) =>
    one.hidden || one.calculated || one.modificationMetadata?.readOnlyValue
      ? []
      : [{ id: one.name, name: one.label, detail: one.type }],
  ),
];
