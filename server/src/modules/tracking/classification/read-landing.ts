import { toStorableText } from '../../../platform/http/request-fields.ts';
import type { Landing, ParameterNames } from './types.ts';

/** A parameter of an address as it was written, with its decoded value. */
interface Parameter {
  name: string;
  value: string;
}
export interface Address {
  host: string;
  /** The host with its port, where one is written. */
  address: string;
  path: string;
  /** Scheme of an app instead of a website: `android-app`. */
  app: boolean;
}
export interface ReadLanding {
  /** Null: the address can't be read. */
  page: Address | null;
  /** The address without what doesn't matter to rules: lower case, no scheme, no fragment. */
  comparable: string;
  /** First value of each parameter, by lower-case name; an empty value gives way to a later one. */
  parameters: ReadonlyMap<string, Parameter>;
  referrer: Address | null;
  /** A referrer was sent that can't be read. */
  isReferrerBroken: boolean;
}

/** Longest part of an address that is read; what follows can't decide a source. */
const MAX_LENGTH = 8192;
const MAX_PARAMETERS = 500;

/** Reads the address and the referrer of a visit. Never throws, whatever they contain. */
export function readLanding({ url, referrer }: Landing): ReadLanding {
  const written = url.slice(0, MAX_LENGTH).trim();
  const parsed = parseAddress(written);
  const said = (referrer ?? '').slice(0, MAX_LENGTH).trim();
  const from = noReferrer.has(said.toLowerCase()) ? null : parseAddress(said);
  return {
    page: parsed && addressOf(parsed),
    comparable: comparableAddress(written),
    parameters: parametersOf(written),
    referrer: from && addressOf(from),
    isReferrerBroken: from === null && !noReferrer.has(said.toLowerCase()),
  };
}

/** What browsers and scripts send when there is no referrer. */
const noReferrer = new Set([
  '',
  'null',
  'undefined',
  'about:blank',
  'about:client',
  '-',
  '(direct)',
]);

/** Null when it is no address of a website or an app. A missing scheme is https (B §5). */
function parseAddress(text: string): URL | null {
  const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text) ?? [];
  if (scheme && !/^(https?|android-app|ios-app)$/i.test(scheme)) return null;
  const whole = scheme ? text : `https://${text.replace(/^\/\//, '')}`;
  try {
    const url = new URL(whole);
    return url.hostname === '' || (!scheme && !url.hostname.includes('.')) ? null : url;
  } catch {
    return null;
  }
}

const hostOf = ({ hostname, port }: URL): Pick<Address, 'host' | 'address'> => {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  return { host, address: port === '' ? host : `${host}:${port}` };
};
const addressOf = (url: URL): Address => ({
  ...hostOf(url),
  path: url.pathname.toLowerCase(),
  app: /-app:$/.test(url.protocol),
});

/** An address for comparing: scheme, `www.`, fragment and a slash at the end don't matter. */
export const comparableAddress = (address: string): string =>
  address
    .trim()
    .toLowerCase()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//, '')
    .replace(/^www\./, '')
    .replace(/#.*$/s, '')
    .replace(/\/$/, '');

/**
 * Parameters of the query, then of a fragment that is written like one. Read by hand, because an
 * address that can't be parsed as a whole still says what was clicked.
 */
function parametersOf(address: string): Map<string, Parameter> {
  const [beforeHash = '', ...hash] = address.split('#');
  const query = beforeHash.split('?').slice(1).join('&');
  const fragment = hash.join('#').replace(/^[^=&]*\?/, '');
  const found = new Map<string, Parameter>();
  // A page that escaped its links twice writes &amp; between parameters.
  const pieces = [query, fragment.includes('=') ? fragment : '']
    .join('&')
    .replaceAll('&amp;', '&')
    .split('&');
  for (const piece of pieces.slice(0, MAX_PARAMETERS)) {
    const [rawName = '', ...rest] = piece.split('=');
    const name = decode(rawName).trim();
    const key = name.toLowerCase();
    if (key === '' || found.get(key)?.value) continue;
    found.set(key, { name, value: decode(rest.join('=')).trim() });
  }
  return found;
}

/** Decodes once, and again what was encoded twice. What isn't valid stays as it is; NUL goes. */
const decode = (text: string): string => toStorableText(decodeTwice(text.replaceAll('+', ' ')));

function decodeTwice(text: string): string {
  let value = text;
  for (let time = 0; time < 2 && /%[0-9a-f]{2}/i.test(value); time++) {
    try {
      value = decodeURIComponent(value);
    } catch {
      return value;
    }
  }
  return value;
}

/** The word that tables of tokens know: lower case, one space between words. */
export const tokenOf = (value: string): string =>
  value
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
    .trim();

/** The visit's value of one of our fields; null when none of its parameters has one. */
export function fieldOf(
  landing: ReadLanding,
  names: ParameterNames,
  field: keyof ParameterNames,
): Parameter | null {
  const own = names[field] ?? [];
  for (const name of own.length ? own : [`utm_${field}`]) {
    const found = landing.parameters.get(name.toLowerCase());
    if (found?.value) return found;
  }
  return null;
}
