import { z } from 'zod';
import type { StepsVerdict } from '../../gateways/destination.ts';
import type { OutboundAnswer, OutboundRequest } from '../../gateways/outbound.ts';
import { jsonOf, jsonRequest } from '../shared/answers.ts';

/** The services of the API; the sandbox answers there in the demo. */
export const campaignApi = 'https://campaign.api.bingads.microsoft.com/CampaignManagement/v13';
export const customerApi = 'https://clientcenter.api.bingads.microsoft.com/CustomerManagement/v13';

/** Whose ads it is about: the manager account (customer) and the ad account in it. */
export interface AdAccount {
  customer: string | null;
  account: string | null;
}

/** A request as Microsoft takes it; the token is the engine's. */
export const microsoftRequest = (
  developerToken: string,
  url: string,
  body: object,
  { customer, account }: AdAccount = { customer: null, account: null },
): OutboundRequest => {
  const request = jsonRequest('POST', url, body);
  return {
    ...request,
    headers: {
      ...request.headers,
      developertoken: developerToken,
      ...(customer && { customerid: customer }),
      ...(account && { customeraccountid: account }),
    },
  };
};

const fault = z.looseObject({
  Code: z.coerce.number().catch(0),
  ErrorCode: z.string().nullish(),
});
const faults = z.array(fault.nullable()).nullish();
/** AdApiFaultDetail and ApiFaultDetail; errors of one of several come with status 200. */
const faultBody = z.looseObject({
  Errors: faults,
  OperationErrors: faults,
  BatchErrors: faults,
  PartialErrors: faults,
});

/** What Microsoft says went wrong, with its number and name. */
export function errorsOf(answer: OutboundAnswer): { code: number; name: string }[] {
  const read = faultBody.safeParse(jsonOf(answer)).data;
  if (!read) return [];
  return [read.Errors, read.OperationErrors, read.BatchErrors, read.PartialErrors]
    .flatMap((list) => list ?? [])
    .flatMap((one) =>
      one ? { code: one.Code, name: (one.ErrorCode ?? '').replace(/^CampaignService/, '') } : [],
    );
}

/** Numbers of guides/operation-error-codes. */
const codes = {
  // InvalidCredentials, AuthenticationTokenExpired.
  ended: new Set([105, 109]),
  // UserIsNotAuthorized, UserLoginAccessDenied, and the wrong kind of sign-in.
  notAllowed: new Set([106, 120, 122, 123, 124, 125]),
  // CallRateExceeded: calls of a minute.
  limited: new Set([117]),
};
/** Its token isn’t taken (any more). */
export const isEnded = (answer: OutboundAnswer): boolean =>
  answer.status !== null &&
  (answer.status === 401 || errorsOf(answer).some(({ code }) => codes.ended.has(code)));

/** Names of offline conversions' errors, of campaign-management-service/dailysummary, and what to do. */
const meanings: Readonly<Record<string, string>> = {
  OfflineConversionNameInvalid:
    'Microsoft knows no goal of this name in the account. Choose another one.',
  OfflineConversionMSClickIdInvalid:
    'Microsoft doesn’t know the click. Choose the account whose ad it was.',
  OfflineConversionTimeOutOfWindow: 'The call is too old for Microsoft.',
  ClickIdDateTimeOutsideGoalConversionWindow:
    'The click is too old for this goal. Set a longer conversion window there.',
  ConversionTimeEarlierThanClickTime: 'Microsoft has the click at a later time than the call.',
  OfflineConversionRestateRetractNotSupported:
    'This goal takes no corrections. Choose an offline conversion goal.',
};
/** "wait two hours before sending Microsoft Advertising any offline conversions", of applyofflineconversions. */
const NEW_GOAL_SECONDS = 7200;

/** What an answer means that isn't a good one. Nothing of it is shown but Microsoft's names and numbers. */
export function failed(
  answer: OutboundAnswer,
): Extract<StepsVerdict, { error: string }> & { shown?: string } {
  if (answer.status === null) return { state: 'retry', error: answer.error };
  const errors = errorsOf(answer);
  const shown = JSON.stringify(errors);
  const [{ code, name } = { code: -1, name: '' }] = errors;
  if (codes.limited.has(code) || answer.status === 429) {
    const seconds = Math.max(60, answer.retryAfterSeconds ?? 0);
    return { state: 'wait', seconds, error: 'Microsoft asked to wait.', shown };
  }
  if (name === 'OfflineConversionGoalTooRecent')
    return {
      ...{ state: 'wait', seconds: NEW_GOAL_SECONDS, shown },
      error: 'Microsoft takes conversions two hours after a goal was created.',
    };
  if (codes.notAllowed.has(code) || answer.status === 403)
    return {
      state: 'refused',
      error: 'Microsoft doesn’t allow it. Connect with a person who can edit this ad account.',
      shown,
    };
  // InternalError, and what isn't in Microsoft's words.
  if (code <= 0 || answer.status >= 500)
    return { state: 'retry', error: `Microsoft answered with status ${answer.status}.`, shown };
  return {
    state: 'refused',
    error: meanings[name] ?? `Microsoft refused it: ${name || code}.`,
    shown,
  };
}
