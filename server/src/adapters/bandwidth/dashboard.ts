import { XMLBuilder, XMLParser } from 'fast-xml-parser';
import { refusedBy } from '../../ports/carrier.ts';
import type { Desk } from './desk.ts';

/** Bandwidth's Dashboard API, which speaks XML. */
const parser = new XMLParser({ parseTagValue: false, ignoreAttributes: true });
const builder = new XMLBuilder({});
export type Xml = Record<string, unknown>;
export const list = (value: unknown): Xml[] =>
  (Array.isArray(value) ? value : value === undefined || value === '' ? [] : [value]) as Xml[];
/** The element of this name, wherever it stands in an answer. */
export function within(said: unknown, name: string): Xml | undefined {
  if (typeof said !== 'object' || said === null) return undefined;
  for (const [key, value] of Object.entries(said)) {
    if (key === name && typeof value === 'object')
      return (Array.isArray(value) ? value[0] : value) as Xml;
    const found = within(value, name);
    if (found) return found;
  }
  return undefined;
}
export const textOf = (of: Xml | undefined, name: string): string =>
  of?.[name] === undefined || typeof of[name] === 'object' ? '' : String(of[name]).trim();

/** The Dashboard said no: its code and words. */
export class Refused extends Error {
  override name = 'Refused';
  constructor(
    readonly status: number,
    readonly code: string,
    words: string,
  ) {
    super(words);
  }
}
export interface Said {
  status: number;
  said: Xml;
  location: string | null;
}

export async function ask(
  desk: Pick<Desk, 'api' | 'settings'>,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: Xml,
): Promise<Said> {
  const text = body && `<?xml version="1.0" encoding="UTF-8"?>${builder.build(body) as string}`;
  const {
    status,
    body: bytes,
    location,
  } = await desk.api.ask(
    'dashboard',
    method,
    `/accounts/${encodeURIComponent(desk.settings.accountId)}${path}`,
    text === undefined ? undefined : { type: 'application/xml; charset=utf-8', text },
  );
  if (status === 401) throw refusedBy('Bandwidth', 'credentials');
  if (status === 403) throw refusedBy('Bandwidth', 'permission');
  if (status >= 500 || status === 429) throw new Error(`Bandwidth’s Dashboard answered ${status}.`);
  return {
    status,
    said: bytes.length ? (parser.parse(bytes.toString('utf8')) as Xml) : {},
    location,
  };
}
/** The same for what must go well: anything else is thrown as `Refused`. */
export async function must(
  desk: Desk,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: Xml,
): Promise<Said> {
  const answer = await ask(desk, method, path, body);
  if (answer.status < 400) return answer;
  const error =
    within(answer.said, 'ResponseStatus') ??
    within(answer.said, 'Error') ??
    within(answer.said, 'Status');
  throw new Refused(
    answer.status,
    textOf(error, 'ErrorCode') || textOf(error, 'Code') || 'refused',
    textOf(error, 'Description') || `Bandwidth’s Dashboard answered ${answer.status}.`,
  );
}

/** Reads our own account at the Dashboard. Null: all is well. Throws `CarrierRefused` when Bandwidth refuses it. */
export async function checkBandwidthAccount(desk: Pick<Desk, 'api' | 'settings'>): Promise<null> {
  const { status } = await ask(desk, 'GET', '');
  if (status >= 400)
    throw refusedBy(
      'Bandwidth',
      'other',
      `it knows no account ${desk.settings.accountId} for this user`,
    );
  return null;
}
