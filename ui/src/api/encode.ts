/** Encoding of requests (A §7); pure. */

/**
 * Fills placeholders: `:companyId` and `{companyId}` with the selected company, `{name}` and
 * `:name` with the parameter.
 */
export function fillPath(path: string, params: object = {}, companyId: number | null): string {
  const given = params as Record<string, unknown>;
  return path.replace(
    /\{(\w+)\}|:(\w+)/g,
    (whole, inBraces: string | undefined, afterColon: string | undefined) => {
      const name = inBraces ?? afterColon ?? '';
      const value =
        resolveCompany(given[name], companyId) ?? (name === 'companyId' ? companyId : null);
      if (value === null || value === undefined)
        throw new Error(`The address ${path} needs ${whole}`);
      return encodeURIComponent(String(value as string | number));
    },
  );
}

/** A value that is the placeholder itself means the selected company. */
const resolveCompany = (value: unknown, companyId: number | null): unknown =>
  value === ':companyId' || value === '{companyId}' ? companyId : value;

const toText = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean);
const isoDate = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : value);

/** Objects as JSON text, arrays as `key[]=`, nulls skipped (A §7). */
export function encodeQuery(query: object = {}, companyId: number | null): string {
  const out = new URLSearchParams();
  for (const [key, raw] of Object.entries(query)) {
    const value = resolveCompany(isoDate(raw), companyId);
    if (value === null || value === undefined) continue;
    if (Array.isArray(value)) {
      for (const each of value)
        if (each !== null && each !== undefined)
          out.append(`${key}[]`, toText(resolveCompany(isoDate(each), companyId)));
    } else out.append(key, toText(value));
  }
  const text = out.toString();
  return text ? `?${text}` : '';
}

/**
 * A multipart body: arrays as `key[]`, files unchanged, objects as JSON text, nulls skipped. PATCH
 * and PUT are sent as POST with `_method`.
 */
export function encodeForm(body: object, method: string): FormData {
  const form = new FormData();
  if (method === 'PATCH' || method === 'PUT') form.append('_method', method);
  const put = (key: string, value: unknown): void => {
    if (value === null || value === undefined) return;
    if (value instanceof Blob) form.append(key, value, value instanceof File ? value.name : key);
    else
      form.append(key, typeof value === 'boolean' ? (value ? '1' : '0') : toText(isoDate(value)));
  };
  for (const [key, value] of Object.entries(body)) {
    if (Array.isArray(value)) for (const each of value) put(`${key}[]`, each);
    else put(key, value);
  }
  return form;
}

/**
 * Whether an address names its own host. Such requests get neither our bearer token nor the XSRF
 * token.
 */
export const isAbsolute = (url: string): boolean =>
  /^[a-z][a-z\d+.-]*:\/\//i.test(url) || url.startsWith('//');

/** The XSRF-TOKEN cookie's value, decoded; null when there is none. */
export function readXsrfToken(cookies: string): string | null {
  const found = /(?:^|;\s*)XSRF-TOKEN=([^;]*)/.exec(cookies)?.[1];
  return found ? decodeURIComponent(found) : null;
}
