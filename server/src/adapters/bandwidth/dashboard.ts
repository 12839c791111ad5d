import { XMLBuilder, XMLParser } from 'fast-xml-parser';
import { accountProblemError } from '../../gateways/carrier.ts';
import type { BandwidthClient } from './client.ts';

/** Bandwidth's Dashboard API, which speaks XML. */
const parser = new XMLParser({ parseTagValue: false, ignoreAttributes: true });
const builder = new XMLBuilder({});
export type Xml = Record<string, unknown>;
/** A repeated element as a list; empty when it is missing. */
export const asList = (value: unknown): Xml[] =>
  (Array.isArray(value) ? value : value === undefined || value === '' ? [] : [value]) as Xml[];
/** The first element of this name anywhere in a response. Undefined: there is none. */
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
/** The text of a child element; empty when it is missing. */
export const textOf = (element: Xml | undefined, name: string): string =>
  element?.[name] === undefined || typeof element[name] === 'object'
    ? ''
    : String(element[name]).trim();

/** The Dashboard refused a request, with its code and description. */
export class DashboardError extends Error {
  override name = 'Refused';
  constructor(
    readonly status: number,
    readonly code: string,
    description: string,
  ) {
    super(description);
  }
}
interface DashboardResponse {
  status: number;
  xml: Xml;
  location: string | null;
}

/** Throws when Bandwidth fails or refuses our account; any other error status is returned. */
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

/** The same, but throws DashboardError for any error status. */
export async function dashboardRequestOk(
  client: BandwidthClient,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: Xml,
): Promise<DashboardResponse> {
  const response = await dashboardRequest(client, method, path, body);
  if (response.status < 400) return response;
  const error =
    findElement(response.xml, 'ResponseStatus') ??
    findElement(response.xml, 'Error') ??
    findElement(response.xml, 'Status');
  throw new DashboardError(
    response.status,
    textOf(error, 'ErrorCode') || textOf(error, 'Code') || 'refused',
    textOf(error, 'Description') || `Bandwidth’s Dashboard answered ${response.status}.`,
  );
}

/** Reads our account at the Dashboard. Null: it works. Throws when Bandwidth refuses it. */
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
