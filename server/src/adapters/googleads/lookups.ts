/** What a person chooses from Google Ads, by the Google Ads API, which needs a developer token. */
import { z } from 'zod';
import type { Lookup, LookupItem } from '../../gateways/lookup.ts';
import type { OutboundRequest } from '../../gateways/outbound.ts';
import { jsonRequest, readAnswer } from '../shared/answers.ts';
import { digitsOf, failed } from './api.ts';

const adsApi = 'https://googleads.googleapis.com/v23';

/** A page of a search. Numbers of Google's 64 bits are text. */
const rows = <T extends z.ZodType>(row: T) =>
  z.object({ results: z.array(row).default([]), nextPageToken: z.string().optional() });

/** `111-222-3333`, as Google Ads shows it. */
const shownId = (id: string): string => id.replace(/^(\d{3})(\d{3})(\d{4})$/, '$1-$2-$3');
const word = (name: string): string => name.charAt(0) + name.slice(1).toLowerCase();

const customer = z.object({
  customerClient: z.object({
    id: z.string(),
    descriptiveName: z.string().optional(),
    currencyCode: z.string().optional(),
    manager: z.boolean().optional(),
  }),
});
const campaign = z.object({
  campaign: z.object({ id: z.string(), name: z.string(), status: z.string() }),
});
const action = z.object({
  conversionAction: z.object({ id: z.string(), name: z.string(), category: z.string().optional() }),
});

/** @param login the manager account by which it is reached; null: directly */
const withToken = (
  developerToken: string,
  login: string | null,
  request: OutboundRequest,
): OutboundRequest => ({
  ...request,
  headers: {
    ...request.headers,
    'developer-token': developerToken,
    ...(login && { 'login-customer-id': login }),
  },
});

const readBy =
  <T>(
    schema: z.ZodType<T>,
    itemsOf: (found: T) => { items: LookupItem[]; next: string | null },
  ): Lookup['read'] =>
  (answer) => {
    if (answer.status === 401) return { state: 'unauthorized', text: 'The token isn’t valid.' };
    const found = readAnswer(answer, schema);
    if (found) return { state: 'found', ...itemsOf(found) };
    const { state, error } = failed(answer);
    return { state: state === 'refused' ? 'refused' : 'away', text: error };
  };

/** Searches what belongs to a customer; `parent` can name its manager before a slash. */
const searchBy =
  (developerToken: string) =>
  <T extends z.ZodType>(
    kind: Lookup['kind'],
    query: string,
    row: T,
    itemOf: (found: z.output<T>) => LookupItem,
  ): Lookup => ({
    ...{ provider: 'googleads', kind },
    ask({ parent, cursor }) {
      const [login, own = login] = (parent ?? '').split('/').map(digitsOf);
      const url = `${adsApi}/customers/${own}/googleAds:search`;
      const body = { query, ...(cursor && { pageToken: cursor }) };
      return withToken(developerToken, login || null, jsonRequest('POST', url, body));
    },
    read: readBy(rows(row), ({ results, nextPageToken }) => ({
      items: results.map(itemOf),
      next: nextPageToken || null,
    })),
  });

const readAccessible = readBy(z.object({ resourceNames: z.array(z.string()) }), (found) => ({
  items: found.resourceNames.map((name) => {
    const id = shownId(digitsOf(name));
    return { id, name: id, detail: null };
  }),
  next: null,
}));

/** Those that the person can sign in to; with a parent, those that it manages, with their names. */
function customersBy(developerToken: string): Lookup {
  const clients = searchBy(developerToken)(
    'accessible-customers',
    "SELECT customer_client.id, customer_client.descriptive_name, customer_client.currency_code, customer_client.manager FROM customer_client WHERE customer_client.status = 'ENABLED'",
    customer,
    ({ customerClient: one }) => ({
      id: shownId(one.id),
      name: one.descriptiveName ?? shownId(one.id),
      detail: one.manager ? 'Manager account' : (one.currencyCode ?? null),
    }),
  );
  const accessible = jsonRequest('GET', `${adsApi}/customers:listAccessibleCustomers`);
  return {
    ...clients,
    ask: (question) =>
      question.parent === null
        ? withToken(developerToken, null, accessible)
        : clients.ask(question),
    read: (answer) => {
      const direct = readAccessible(answer);
      return direct.state === 'found' ? direct : clients.read(answer);
    },
  };
}

/** All lists, asked for with a developer token. None is read without one. */
export const googleLookups = (developerToken: string): Lookup[] => [
  customersBy(developerToken),
  searchBy(developerToken)(
    'campaigns',
    "SELECT campaign.id, campaign.name, campaign.status FROM campaign WHERE campaign.status != 'REMOVED' ORDER BY campaign.name",
    campaign,
    ({ campaign: { id, name, status } }) => ({ id, name, detail: word(status) }),
  ),
  // Those that take what is imported.
  searchBy(developerToken)(
    'conversions',
    "SELECT conversion_action.id, conversion_action.name, conversion_action.category FROM conversion_action WHERE conversion_action.status = 'ENABLED' AND conversion_action.type = 'UPLOAD_CLICKS' ORDER BY conversion_action.name",
    action,
    ({ conversionAction: { id, name, category } }) => ({
      ...{ id, name, detail: category ? word(category).replaceAll('_', ' ') : null },
    }),
  ),
];
