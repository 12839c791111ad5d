import { z } from 'zod';
import type { StepsVerdict } from '../../gateways/destination.ts';
import type { OutboundAnswer, OutboundRequest } from '../../gateways/outbound.ts';
import { jsonOf, jsonRequest } from '../shared/answers.ts';

const orgHost = /^([a-z0-9-]+\.)+salesforce\.com$/;
/** Whether a host is Salesforce's own: tokens go nowhere else. */
export const isOrgHost = (host: string): boolean => orgHost.test(host);

const version = 'v62.0';

/** A request to an org's REST API; the sandbox answers there in the demo. Throws for another host. */
export function salesforceRequest(
  host: string,
  method: OutboundRequest['method'],
  path: string,
  body?: object,
): OutboundRequest {
  if (!isOrgHost(host)) throw new Error('It is no host of Salesforce.');
  return jsonRequest(method, `https://${host}/services/data/${version}${path}`, body);
}

/** A value in a query: what ends or escapes it is escaped. */
export const quoted = (text: string): string => `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;
/** A query in Salesforce's language. Throws for another host. */
export const query = (host: string, soql: string): OutboundRequest =>
  salesforceRequest(host, 'GET', `/query?${new URLSearchParams({ q: soql }).toString()}`);

/** Several queries in one request. Throws for another host. */
export const batch = (host: string, queries: readonly string[]): OutboundRequest =>
  salesforceRequest(host, 'POST', '/composite/batch', {
    batchRequests: queries.map((soql) => ({
      method: 'GET',
      url: `${version}/query?${new URLSearchParams({ q: soql }).toString()}`,
    })),
  });

const errorBody = z.array(
  z.looseObject({
    errorCode: z.string().optional(),
    message: z.string().optional(),
    fields: z.array(z.string()).optional(),
    duplicateResult: z
      .looseObject({
        matchResults: z.array(
          z.looseObject({
            matchRecords: z.array(z.looseObject({ record: z.looseObject({ Id: z.string() }) })),
          }),
        ),
      })
      .optional(),
  }),
);

/** What Salesforce says went wrong; empty: not in its words. */
export function errorsOf(answer: OutboundAnswer): z.infer<typeof errorBody> {
  return errorBody.safeParse(jsonOf(answer)).data ?? [];
}

/** Fields that don't exist, can't be written or don't take the value. */
export function refusedFields(answer: OutboundAnswer): string[] {
  if (answer.status !== 400) return [];
  return errorsOf(answer).flatMap(({ errorCode, fields = [], message = '' }) =>
    errorCode === 'INVALID_FIELD'
      ? [...fields, ...[...message.matchAll(/column '(\w+)'/g)].flatMap(([, name]) => name ?? [])]
      : fields,
  );
}

/** What an answer means that isn't a good one. Nothing of it is shown but Salesforce's codes. */
export function failed(
  answer: OutboundAnswer,
): Extract<StepsVerdict, { error: string }> & { shown?: string } {
  if (answer.status === null) return { state: 'retry', error: answer.error };
  const [{ errorCode = '', fields = [] } = {}] = errorsOf(answer);
  const shown = JSON.stringify({ errorCode, fields });
  // Of developer.salesforce.com, "Status Codes and Error Responses": the org's requests of the day.
  if (errorCode === 'REQUEST_LIMIT_EXCEEDED')
    return { state: 'wait', seconds: 3600, error: 'Salesforce asked to wait.', shown };
  if (errorCode === 'UNABLE_TO_LOCK_ROW')
    return { state: 'retry', error: 'Salesforce is busy with this record.', shown };
  if (answer.status === 403)
    return {
      state: 'refused',
      error: 'Salesforce doesn’t allow it. Check the permissions of the connected person.',
      shown,
    };
  if (answer.status === 400)
    return {
      state: 'refused',
      error: `Salesforce refused it: ${[errorCode, ...fields].join(' ') || answer.status}.`,
      shown,
    };
  return { state: 'retry', error: `Salesforce answered with status ${answer.status}.`, shown };
}
