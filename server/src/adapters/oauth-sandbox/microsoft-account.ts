/** Microsoft Ads, simulated: ad accounts with goals, and the rules of its offline conversions. */
import { sql } from 'kysely';
import { z } from 'zod';
import type { OutboundAnswer, OutboundRequest } from '../../gateways/outbound.ts';
import type { GatewayServices } from '../adapter.ts';
import { countConversion } from './conversions.ts';
import { accountOfToken } from './grants.ts';

// The system role: the simulated accounts’ own tables have no company.

export const campaignHost = 'campaign.api.bingads.microsoft.com';
export const customerHost = 'clientcenter.api.bingads.microsoft.com';
type Services = Pick<GatewayServices, 'db' | 'now'>;

const answer = (status: number, body: unknown): OutboundAnswer => ({
  ...{ status, body: JSON.stringify(body), retryAfterSeconds: null },
});
/** AdApiFaultDetail, of guides/handle-service-errors-exceptions. */
const fault = (status: number, code: number, name: string) =>
  answer(status, {
    Type: 'AdApiFaultDetail',
    TrackingId: '3f2a',
    Errors: [{ Code: code, ErrorCode: name, Message: name, Detail: null }],
  });
/** BatchError: what isn't taken of a list comes with status 200, and names its place in the list. */
const partial = (at: number, name: string) => ({
  ...{ Index: at, Code: 4300 + at, ErrorCode: name, Message: name, Type: 'BatchError' },
});

const accounts = [
  { Id: 141002, Name: 'Harbor Dental', Number: 'F100ABCD', ParentCustomerId: 251001 },
  {
    Id: 141003,
    Name: 'Harbor Dental, second location',
    Number: 'F100ABCE',
    ParentCustomerId: 251001,
  },
];
/** By account: goals are found by their names in the account that has them. */
const goals: Readonly<Record<string, readonly string[]>> = {
  '141002': ['Phone call', 'Qualified call'],
  '141003': ['Second location call'],
};
/** A goal that was created less than two hours ago. */
const NEW_GOAL = 'New goal';
const campaigns = [
  { Id: 3101, Name: 'Dentist near me', Status: 'Active' },
  { Id: 3102, Name: 'Brand', Status: 'Active' },
  { Id: 3103, Name: 'Implants', Status: 'Paused' },
];

const searched = z.strictObject({
  // "You must include exactly one predicate", of searchaccounts.
  Predicates: z
    .array(z.strictObject({ Field: z.string(), Operator: z.literal('Equals'), Value: z.string() }))
    .length(1),
  Ordering: z.array(z.strictObject({ Field: z.string(), Order: z.string() })).max(1),
  PageInfo: z.strictObject({ Index: z.int().min(0), Size: z.int().min(1).max(1000) }),
});

/** What the simulated API of Microsoft Ads answers. */
export async function answerMicrosoft(
  services: Services,
  { url, method, headers, body }: OutboundRequest,
): Promise<OutboundAnswer> {
  const token = /^Bearer (.+)$/.exec(headers['authorization'] ?? '')?.[1] ?? '';
  // Each request has one, of guides/get-started.
  if (!headers['developertoken']) return fault(401, 105, 'InvalidCredentials');
  const signedIn = await accountOfToken(services.db, 'microsoftads', token, services.now());
  if (!signedIn) return fault(401, 109, 'AuthenticationTokenExpired');
  const path = new URL(url).pathname.replace(/^\/\w+\/v13\//, '');
  const sent: unknown = JSON.parse(body || 'null');
  if (method === 'POST' && path === 'Accounts/Search') {
    const asked = searched.safeParse(sent).data;
    if (!asked) return fault(400, 201, 'ApiInputValidationError');
    const isOwn = asked.Predicates[0]?.Value === signedIn.externalId;
    return answer(200, { Accounts: isOwn ? accounts : [] });
  }
  const id = headers['customeraccountid'] ?? '';
  const own = accounts.find((one) => String(one.Id) === id);
  // Of get-started#customeraccountid: both name whose ads they are.
  if (!own || headers['customerid'] !== String(own.ParentCustomerId))
    return fault(400, 106, 'UserIsNotAuthorized');
  const lists: Readonly<Record<string, object>> = {
    'ConversionGoals/QueryByIds': {
      ConversionGoals: (goals[id] ?? []).map((Name) => ({ Name, Type: 'OfflineConversion' })),
    },
    'Campaigns/QueryByAccountId': { Campaigns: campaigns },
  };
  if (method === 'POST' && lists[path]) return answer(200, { ...lists[path], PartialErrors: [] });
  if (method === 'POST' && path === 'OfflineConversions/Apply') return apply(services, id, sent);
  if (method === 'POST' && path === 'OfflineConversionAdjustments/Apply')
    return adjust(services, id, sent);
  return fault(404, 204, 'OperationNotSupported');
}

const currency = z
  .string()
  .regex(/^[A-Z]{3}$/)
  .optional();
/** Of offlineconversion and offlineconversionadjustment; times are UTC. */
const named = z.strictObject({
  MicrosoftClickId: z.string().nullable(),
  ConversionName: z.string().min(1),
  ConversionTime: z.iso.datetime(),
});
const conversion = named.extend({
  ConversionValue: z.number().min(0).optional(),
  ConversionCurrencyCode: currency,
});
const adjustment = named.extend({
  AdjustmentType: z.enum(['Restate', 'Retract']),
  AdjustmentTime: z.iso.datetime(),
  AdjustmentValue: z.number().min(0).optional(),
  AdjustmentCurrencyCode: currency,
});
// "You can add a maximum of 1,000 offline conversions per service request", of applyofflineconversions.
const conversions = z.strictObject({ OfflineConversions: z.array(conversion).min(1).max(1000) });
const adjustments = z.strictObject({
  OfflineConversionAdjustments: z.array(adjustment).min(1).max(1000),
});
type Named = z.infer<typeof named>;
const DAY_MS = 86_400_000;

/** Names of dailysummary. Null: it is taken. */
function refusal(account: string, one: Named, now: Date): string | null {
  const at = Date.parse(one.ConversionTime);
  if (one.ConversionName === NEW_GOAL) return 'OfflineConversionGoalTooRecent';
  if (!goals[account]?.includes(one.ConversionName)) return 'OfflineConversionNameInvalid';
  if (!one.MicrosoftClickId) return 'OfflineConversionMSClickIdNullOrEmpty';
  // Ours: what begins so is another account's.
  if (one.MicrosoftClickId.startsWith('other')) return 'OfflineConversionMSClickIdInvalid';
  if (at > now.getTime() + 60_000) return 'FutureConversionTimeCannotBeSet';
  // "The date and time must be within the last 90 days."
  return at < now.getTime() - 90 * DAY_MS ? 'OfflineConversionTimeOutOfWindow' : null;
}

/** "Only the first conversion for a given MicrosoftClickId and ConversionTime will be counted." */
const keyOf = (one: Named): string => `${one.MicrosoftClickId} ${one.ConversionTime}`;
const placeOf = (account: string, one: Named): string => `${account}/${one.ConversionName}`;

async function apply({ db, now }: Services, account: string, sent: unknown) {
  const read = conversions.safeParse(sent).data;
  if (!read) return fault(400, 201, 'ApiInputValidationError');
  const errors: object[] = [];
  for (const [at, one] of read.OfflineConversions.entries()) {
    const refused = refusal(account, one, now());
    if (refused) errors.push(partial(at, refused));
    else
      await countConversion(
        db,
        {
          ...{ provider: 'microsoftads', place: placeOf(account, one), key: keyOf(one) },
          details: one,
        },
        now(),
      );
  }
  return answer(200, { PartialErrors: errors });
}

async function adjust({ db, now }: Services, account: string, sent: unknown) {
  const read = adjustments.safeParse(sent).data;
  if (!read) return fault(400, 201, 'ApiInputValidationError');
  const errors: object[] = [];
  for (const [at, one] of read.OfflineConversionAdjustments.entries()) {
    const isRestated = one.AdjustmentType === 'Restate';
    const refused =
      refusal(account, one, now()) ??
      (isRestated && one.AdjustmentValue === undefined
        ? 'OfflineConversionAdjustmentValueRequired'
        : !isRestated && one.AdjustmentValue !== undefined
          ? 'OfflineConversionAdjustmentValueNotExpected'
          : one.AdjustmentTime < one.ConversionTime
            ? 'OfflineConversionAdjustmentTimeEarlierThanConversionTime'
            : null);
    if (refused) errors.push(partial(at, refused));
    else {
      const details = isRestated ? { ConversionValue: one.AdjustmentValue } : {};
      // What it doesn't have is matched to nothing, hours later: the answer says nothing of it.
      await sql`update sandbox.conversion set taken_back = taken_back or ${!isRestated},
          details = details || ${JSON.stringify(details)}::jsonb
        where provider = 'microsoftads' and place = ${placeOf(account, one)}
          and key = ${keyOf(one)}`.execute(db.unscoped);
    }
  }
  return answer(200, { PartialErrors: errors });
}
