import type { AnyEndpoint } from '#contract';

/** An id that no table holds. */
export const MISSING = 8_999_999_999_999;

/** The endpoint's example as a request of one company. Ids of objects are ones that exist nowhere unless replaced. */
export function request(e: AnyEndpoint, companyId: number, ids = MISSING) {
  const fill = (key: string) => (key === 'companyId' || (key === 'id' && e.company === 'path' && !e.path.includes('{companyId}')) ? companyId : (typeof (e.example.params as Record<string, unknown>)?.[key] === 'string' ? String((e.example.params as Record<string, unknown>)[key]) : ids));
  const path = e.path.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(String(fill(key))));
  const example = { ...(e.example.body as object) } as Record<string, unknown>;
  if ('companyId' in example) example['companyId'] = companyId;
  if ('company_id' in example) example['company_id'] = companyId;
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries((e.example.query ?? {}) as Record<string, unknown>)) {
    if (value === undefined || value === null) continue;
    const said = key === 'companyId' || key === 'company_id' ? companyId : value;
    if (Array.isArray(said)) for (const v of said) query.append(`${key}[]`, String(v));
    else query.append(key, typeof said === 'object' ? JSON.stringify(said) : String(said));
  }
  if (e.company === 'given') query.set('companyId', String(companyId));
  return { method: e.method, url: `/api${path}${query.size ? `?${query}` : ''}`, ...(e.method === 'GET' || e.method === 'DELETE' && !e.example.body ? {} : { payload: example }) };
}
