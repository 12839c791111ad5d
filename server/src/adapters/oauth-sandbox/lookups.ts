/** Lists of the accounts at simulated providers, answered as a provider would: page by page, by token. */
import { z } from 'zod';
import type { Lookup, LookupItem, Lookups } from '../../gateways/lookup.ts';
import type { OutboundAnswer, OutboundRequest } from '../../gateways/outbound.ts';
import type { GatewayServices } from '../adapter.ts';
import { accountOfToken } from './grants.ts';
import type { ProviderName } from './providers.ts';

/** Where the simulated providers' lists are asked for; the sandbox answers there. */
export const simulatedHost = 'providers.sandbox.invalid';
const PAGE = 2;

const item = (id: string, name: string, detail: string | null = null): LookupItem => ({
  ...{ id, name, detail },
});
type Lists = Partial<Record<ProviderName, Partial<Record<Lookup['kind'], readonly LookupItem[]>>>>;
const lists: Lists = {
  microsoftads: {
    'ad-accounts': [item('F100ABCD', 'Harbor Dental', 'USD')],
    campaigns: [
      item('3101', 'Dentist near me', 'Active'),
      item('3102', 'Brand', 'Active'),
      item('3103', 'Implants', 'Paused'),
    ],
    conversions: [item('Phone call', 'Phone call', 'Offline')],
  },
};

const page = z.object({
  items: z.array(z.object({ id: z.string(), name: z.string(), detail: z.string().nullable() })),
  next: z.string().nullable(),
});

/** One simulated list as the engine asks for it. */
const lookupOf = (provider: string, kind: Lookup['kind']): Lookup => ({
  ...{ provider, kind },
  ask({ parent, cursor }) {
    const url = new URL(`https://${simulatedHost}/${provider}/${kind}`);
    if (parent !== null) url.searchParams.set('parent', parent);
    if (cursor !== null) url.searchParams.set('cursor', cursor);
    return { url: url.href, method: 'GET', headers: {}, body: '' };
  },
  read(answer) {
    if (answer.status === null) return { state: 'away', text: answer.error };
    if (answer.status === 401) return { state: 'unauthorized', text: 'The token isn’t valid.' };
    if (answer.status >= 500) return { state: 'away', text: `It answered ${answer.status}.` };
    const read = page.safeParse(answer.status === 200 ? JSON.parse(answer.body) : null);
    return read.success
      ? { state: 'found', ...read.data }
      : { state: 'refused', text: `It answered ${answer.status}.` };
  },
});

/** All lists of simulated providers. */
export const sandboxLookups: Lookups = Object.entries(lists).flatMap(([provider, kinds]) =>
  Object.keys(kinds).map((kind) => lookupOf(provider, kind as Lookup['kind'])),
);

/** What a simulated provider answers to a request for a list. */
export async function answerLookup(
  { db, now }: Pick<GatewayServices, 'db' | 'now'>,
  { url, headers }: OutboundRequest,
): Promise<OutboundAnswer> {
  const { pathname, searchParams } = new URL(url);
  const [, provider = '', kind = ''] = pathname.split('/');
  const token = /^Bearer (.+)$/.exec(headers['authorization'] ?? '')?.[1] ?? '';
  const answer = (status: number, body: unknown): OutboundAnswer => ({
    ...{ status, body: JSON.stringify(body), retryAfterSeconds: null },
  });
  if (!(await accountOfToken(db, provider, token, now())))
    return answer(401, { error: 'invalid_token' });
  const all = lists[provider as ProviderName]?.[kind as Lookup['kind']];
  if (!all) return answer(404, { error: 'not_found' });
  const from = Number(searchParams.get('cursor') ?? 0) || 0;
  const rest = all.length > from + PAGE ? String(from + PAGE) : null;
  return answer(200, { items: all.slice(from, from + PAGE), next: rest });
}
