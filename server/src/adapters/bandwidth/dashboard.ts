import { XMLBuilder, XMLParser } from 'fast-xml-parser';
import { accountProblemError } from '../../gateways/carrier.ts';
import type { BandwidthClient } from './client.ts';

/** Bandwidth's Dashboard API, which speaks XML. */
const parser = new XMLParser({ parseTagValue: false, ignoreAttributes: true });
const builder = new XMLBuilder({});
export type Xml = Record<string, unknown>;
export const asList = (value: unknown): Xml[] =>
  (Array.isArray(value) ? value : value === undefined || value === '' ? [] : [value]) as Xml[];
/** The element of this name, wherever it stands in an answer. */
export function findElement(xml: unknown, name: string): Xml | undefined {
  if (typeof xml !== 'object' || xml === null) return undefined;
  for (const [key, value] of Object.entries(xml)) {
    if (key === name && typeof value === 'object')
      return (Array.isArray(value) ? value[0] : value) as Xml;
    const found = findElement(value, name);
    if (found) return found;
  }
  return undefined;
}
export const textOf = (element: Xml | undefined, name: string): string =>
  element?.[name] === undefined || typeof element[name] === 'object'
    ? ''
    : String(element[name]).trim();

/** The Dashboard said no: its code and words. */
export class DashboardError extends Error {
  override name = 'Refused';
  constructor(
    readonly status: number,
    readonly code: string,
    words: string,
  ) {
    super(words);
  }
}
export interface DashboardResponse {
  status: number;
  xml: Xml;
  location: string | null;
}

export async function dashboardRequest(
  client: Pick<BandwidthClient, 'api' | 'settings'>,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: Xml,
): Promise<DashboardResponse> {
  const text = body && `<?xml version="1.0" encoding="UTF-8"?>${builder.build(body) as string}`;
  const {
    status,
    body: bytes,
    location,
  } = await client.api.request(
    'dashboard',
    method,
    `/accounts/${encodeURIComponent(client.settings.accountId)}${path}`,
    text === undefined ? undefined : { type: 'application/xml; charset=utf-8', text },
  );
  if (status === 401) throw accountProblemError('Bandwidth', 'credentials');
  if (status === 403) throw accountProblemError('Bandwidth', 'permission');
  if (status >= 500 || status === 429) throw new Error(`Bandwidth’s Dashboard answered ${status}.`);
  return {
    status,
    xml: bytes.length ? (parser.parse(bytes.toString('utf8')) as Xml) : {},
    location,
  };
}
/** The same for what must go well: anything else is thrown as `Refused`. */
export async function dashboardRequestOk(
  client: BandwidthClient,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: Xml,
): Promise<DashboardResponse> {
  const answer = await dashboardRequest(client, method, path, body);
  if (answer.status < 400) return answer;
  const error =
    findElement(answer.xml, 'ResponseStatus') ??
    findElement(answer.xml, 'Error') ??
    findElement(answer.xml, 'Status');
  throw new DashboardError(
    answer.status,
    textOf(error, 'ErrorCode') || textOf(error, 'Code') || 'refused',
    textOf(error, 'Description') || `Bandwidth’s Dashboard answered ${answer.status}.`,
  );
}

/** Reads our own account at the Dashboard. Null: all is well. Throws `CarrierRefused` when Bandwidth refuses it. */
export async function checkBandwidthAccount(
  client: Pick<BandwidthClient, 'api' | 'settings'>,
): Promise<null> {
  const { status } = await dashboardRequest(client, 'GET', '');
  if (status >= 400)
    throw accountProblemError(
      'Bandwidth',
      'other',
      `it knows no account ${client.settings.accountId} for this user`,
    );
  return null;
}
