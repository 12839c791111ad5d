/** What a person chooses from a Meta account: businesses, ad accounts, datasets (pixels), custom conversions. */
import { z } from 'zod';
import type { Lookup, LookupItem } from '../../gateways/lookup.ts';
import { jsonRequest, readAnswer } from '../shared/answers.ts';
import { failed, graphApi, isEnded } from './api.ts';

const named = z.object({ id: z.string(), name: z.string().optional() });
const adAccount = named.extend({ currency: z.string().optional() });
const listOf = <T extends z.ZodType>(item: T) =>
  z.object({
    data: z.array(item),
    paging: z
      .object({
        cursors: z.object({ after: z.string().optional() }).optional(),
        next: z.string().optional(),
      })
      .optional(),
  });

const itemOf = (one: z.infer<typeof named>, detail: string | null = null): LookupItem => ({
  ...{ id: one.id, name: one.name ?? one.id, detail },
});

/** A list of the Graph API, page by page. */
const lookup = <T extends z.ZodType>(
  kind: Lookup['kind'],
  pathOf: (parent: string | null) => { path: string; fields: string },
  item: T,
  itemsOf: (read: z.output<T>) => LookupItem[],
): Lookup => ({
  ...{ provider: 'metaads', kind },
  ask({ parent, cursor }) {
    const { path, fields } = pathOf(parent && encodeURIComponent(parent));
    const query = new URLSearchParams({ fields, limit: '100', ...(cursor && { after: cursor }) });
    return jsonRequest('GET', `${graphApi}/${path}?${query.toString()}`);
  },
  read(answer) {
    if (isEnded(answer)) return { state: 'unauthorized', text: 'The token isn’t valid.' };
    const read = readAnswer(answer, listOf(item));
    if (read) {
      const { paging } = read;
      const next = paging?.next === undefined ? null : (paging.cursors?.after ?? null);
      return { state: 'found', items: read.data.flatMap(itemsOf), next };
    }
    const { state, error } = failed(answer);
    return { state: state === 'refused' ? 'refused' : 'away', text: error };
  },
});

/** What belongs to one ad account, or to all of them. */
const ofAdAccounts = (kind: Lookup['kind'], edge: 'adspixels' | 'customconversions'): Lookup => {
  const own = z.object({ data: z.array(named) }).optional();
  return lookup(
    kind,
    (parent) =>
      parent === null
        ? { path: 'me/adaccounts', fields: `name,${edge}.limit(100){id,name}` }
        : { path: `${parent}/${edge}`, fields: 'id,name' },
    named.extend({ adspixels: own, customconversions: own }),
    // A list of ad accounts has those of each.
    (one) => one[edge]?.data.map((each) => itemOf(each, one.name ?? null)) ?? [itemOf(one)],
  );
};

export const metaLookups: Lookup[] = [
  lookup(
    'business-managers',
    () => ({ path: 'me/businesses', fields: 'id,name' }),
    named,
    (one) => [itemOf(one)],
  ),
  lookup(
    'ad-accounts',
    (business) => ({
      path: business === null ? 'me/adaccounts' : `${business}/owned_ad_accounts`,
      fields: 'id,name,currency',
    }),
    adAccount,
    (one) => [itemOf(one, one.currency ?? null)],
  ),
  ofAdAccounts('pixels', 'adspixels'),
  ofAdAccounts('conversions', 'customconversions'),
];
