/** What a person chooses from Microsoft Ads: ad accounts with their managers, goals, campaigns. */
import { z } from 'zod';
import type { Lookup, LookupItem } from '../../gateways/lookup.ts';
import { readAnswer } from '../shared/answers.ts';
import {
  campaignApi,
  customerApi,
  failed,
  isEnded,
  microsoftRequest,
  type AdAccount,
} from './api.ts';

/** Accounts of one page, of searchaccounts. */
const PAGE = 1000;
/** Microsoft's 64-bit numbers are text or numbers. */
const id = z.union([z.string(), z.number()]).transform(String);

/** `customer/account`, as an account is named in `parent`. */
function adAccountOf(parent: string | null): AdAccount {
  const [customer = null, account = null] = (parent ?? '').split('/').filter(Boolean);
  return account === null ? { customer: null, account: customer } : { customer, account };
}

const readBy =
  <T>(
    schema: z.ZodType<T>,
    itemsOf: (found: T) => { items: LookupItem[]; next: string | null },
  ): Lookup['read'] =>
  (answer) => {
    if (isEnded(answer)) return { state: 'unauthorized', text: 'The token isn’t valid.' };
    const found = readAnswer(answer, schema);
    if (found) return { state: 'found', ...itemsOf(found) };
    const { state, error } = failed(answer);
    return { state: state === 'refused' ? 'refused' : 'away', text: error };
  };

const accounts = z.object({
  Accounts: z.array(
    z.looseObject({
      Id: id,
      Name: z.string(),
      Number: z.string().nullish(),
      ParentCustomerId: id,
    }),
  ),
});
const goals = z.object({
  ConversionGoals: z.array(
    z.looseObject({ Name: z.string(), Type: z.string().nullish() }).nullable(),
  ),
});
const campaigns = z.object({
  Campaigns: z.array(z.looseObject({ Id: id, Name: z.string(), Status: z.string().nullish() })),
});

/** @param developerToken of the operator, part of every request */
export function microsoftLookups(developerToken: string): Lookup[] {
  /** A list of one ad account, answered whole. */
  const ofAccount = <T>(
    kind: Lookup['kind'],
    path: string,
    bodyOf: (of: AdAccount) => object,
    schema: z.ZodType<T>,
    itemsOf: (found: T) => LookupItem[],
  ): Lookup => ({
    ...{ provider: 'microsoftads', kind },
    ask({ parent }) {
      const of = adAccountOf(parent);
      return microsoftRequest(developerToken, `${campaignApi}/${path}`, bodyOf(of), of);
    },
    read: readBy(schema, (found) => ({ items: itemsOf(found), next: null })),
  });
  return [
    {
      ...{ provider: 'microsoftads', kind: 'ad-accounts' },
      ask: ({ cursor, account: userId }) =>
        microsoftRequest(developerToken, `${customerApi}/Accounts/Search`, {
          Predicates: [{ Field: 'UserId', Operator: 'Equals', Value: userId }],
          Ordering: [{ Field: 'Name', Order: 'Ascending' }],
          PageInfo: { Index: Number(cursor ?? 0), Size: PAGE },
        }),
      // One page is as much as is shown.
      read: readBy(accounts, ({ Accounts: found }) => ({
        items: found.map((one) => ({
          id: `${one.ParentCustomerId}/${one.Id}`,
          ...{ name: one.Name, detail: one.Number ?? null },
        })),
        next: null,
      })),
    },
    ofAccount(
      'conversions',
      'ConversionGoals/QueryByIds',
      () => ({ ConversionGoalIds: null, ConversionGoalTypes: 'OfflineConversion' }),
      goals,
      ({ ConversionGoals: found }) =>
        found.flatMap((goal) =>
          goal ? { id: goal.Name, name: goal.Name, detail: goal.Type ?? null } : [],
        ),
    ),
    ofAccount(
      'campaigns',
      'Campaigns/QueryByAccountId',
      ({ account }) => ({ AccountId: account, CampaignType: 'Search' }),
      campaigns,
      ({ Campaigns: found }) =>
        found.map((one) => ({ id: one.Id, name: one.Name, detail: one.Status ?? null })),
    ),
  ];
}
