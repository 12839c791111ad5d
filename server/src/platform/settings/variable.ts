import { isIP } from 'node:net';
import { z } from 'zod';

/** One environment variable. Its value is parsed by `schema`; without one it is `default`. */
export interface Variable<S extends z.ZodType = z.ZodType> {
  schema: S;
  /** Empty: none. */
  default: string;
  /** The sentence in the README's table. */
  description: string;
  /** Shown when the value is wrong: "Try PORT=3000". */
  example: string;
  /** Set by our own processes or tests; not in the README. */
  internal: boolean;
  /** Never shown on a screen or in a log. Secrets, and URLs that may hold a password. */
  secret: boolean;
}
export type Variables = Readonly<Record<string, Variable>>;

interface VariableOptions {
  /** The default when left out. */
  example?: string;
  internal?: true;
  secret?: true;
}

/** Declares a variable. `fallback`: its default, as text; empty: none. */
export const variable = <S extends z.ZodType>(
  schema: S,
  fallback: string,
  description: string,
  { example = fallback, internal, secret }: VariableOptions = {},
): Variable<S> => ({
  schema,
  default: fallback,
  description,
  example,
  internal: internal ?? false,
  secret: secret ?? false,
});

// ---- The kinds of values that variables have ----------------------------------------------------

export const text = z.string();
export const port = z.coerce
  .number('must be a number')
  .int('must be a whole number')
  .min(0)
  .max(65535, 'must be at most 65535');
export const atLeastOne = z.coerce
  .number('must be a number')
  .int('must be a whole number')
  .min(1, 'must be at least 1');
export const cents = z.coerce
  .number('must be a number')
  .int('must be a whole number')
  .min(0)
  .max(1_000_000);
export const booleanFlag = z
  .enum(['1', '0', 'true', 'false', 'on', 'off', 'yes', 'no'], 'must be 1 or 0')
  .transform((value) => ['1', 'true', 'on', 'yes'].includes(value));

/** @param schemes with their colon: `https:` */
export const url = (...schemes: string[]) =>
  text.refine((value) => URL.canParse(value) && schemes.includes(new URL(value).protocol), {
    message: `must be an address that begins with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`,
  });

const split = (value: string): string[] =>
  value
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean);
/** Values separated by commas; an empty list when not set. */
export const list = text.optional().transform((value) => split(value ?? ''));

/** One or more of these names, separated by commas, without repetition. */
export const namesOf = <N extends string>(names: readonly N[]) =>
  text
    .transform((value) => [...new Set(split(value))])
    .pipe(
      z
        .array(z.enum(names, `may name only ${names.join(', ')}`))
        .min(1, `must name at least one of ${names.join(', ')}`),
    );

export const addresses = list.refine(
  (each) =>
    each.every(
      (one) => /^[0-9a-f.:]+(\/\d{1,3})?$/i.test(one) && isIP(one.replace(/\/.*$/s, '')) !== 0,
    ),
  'must hold addresses or networks such as 192.0.2.0/24',
);
/** Addresses, networks, or the words that @fastify/proxy-addr knows. */
export const proxies = list.refine(
  (each) => each.every((one) => /^(loopback|linklocal|uniquelocal)$/.test(one) || isNetwork(one)),
  'must hold addresses or networks such as 10.0.0.0/8, or loopback, linklocal, uniquelocal',
);
function isNetwork(value: string): boolean {
  const [address = '', bits, ...rest] = value.split('/');
  const version = isIP(address);
  const isPrefix = (length: string) =>
    /^\d{1,3}$/.test(length) && Number(length) >= 1 && Number(length) <= (version === 4 ? 32 : 128);
  return version !== 0 && rest.length === 0 && (bits === undefined || isPrefix(bits));
}

/** `host:port`, as others reach it. */
export const hostAndPort = text
  .regex(
    /^(\d{1,3}(\.\d{1,3}){3}|[a-z0-9]([a-z0-9.-]*[a-z0-9])?):\d{1,5}$/i,
    'must be a host and a port',
  )
  .transform((value) => ({
    host: value.slice(0, value.lastIndexOf(':')),
    port: Number(value.slice(value.lastIndexOf(':') + 1)),
  }))
  .refine(
    (place) => place.port >= 1 && place.port <= 65_535,
    'must name a port between 1 and 65535',
  );
export const portRange = text
  .regex(/^\d{1,5}-\d{1,5}$/, 'must be two ports separated by a dash')
  .transform((value): [number, number] => [
    Number(value.split('-')[0]),
    Number(value.split('-')[1]),
  ])
  .refine(
    ([from, to]) => from >= 1024 && to <= 65_535 && to - from >= 9,
    'must be ten ports or more between 1024 and 65535',
  );

/** A key of 32 bytes, written as 64 hexadecimal digits or as base64. */
export const key = text
  .transform((value) => Buffer.from(value, /^[0-9a-f]{64}$/i.test(value) ? 'hex' : 'base64'))
  .refine((bytes) => bytes.length === 32, 'must hold 32 bytes as 64 hexadecimal digits or base64');
export const keys = list.pipe(z.array(key));

/** `table=days` with commas. `retention.ts` of each module says which tables there are. */
export const daysByTable = list
  .pipe(
    z.array(
      text.regex(/^[a-z_.]+=\d{1,5}$/, 'must hold a table and days, such as login_attempt=90'),
    ),
  )
  .transform((each) =>
    Object.fromEntries(
      each.map((one): [string, number] => {
        const [table = '', days] = one.split('=');
        return [table, Number(days)];
      }),
    ),
  );
