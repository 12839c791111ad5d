import type { Answer, AnyEndpoint, Body, Params, Query } from '#contract/kit';
import { flash } from './flash-store.ts';
import { clearSession, mayRead, session } from './session.ts';
import { notePlace } from './live-place.ts';
import { notAllowed } from './ask/refusal.ts';
import { makeRequest, noticeOf, type Answered, type Call } from './ask/request.ts';

export { notAllowed, Refusal, refusalOf, type Problem } from './ask/refusal.ts';
export { noticeOf } from './ask/request.ts';

/** Fields for a multipart body, where files and texts stand in for the parsed shapes of the contract. */
export class FormFields {
  constructor(readonly fields: Record<string, unknown>) {}
}
export const formFields = (fields: Record<string, unknown>): FormFields => new FormFields(fields);

type Loose<T> = unknown extends T
  ? Record<string, unknown>
  : Partial<{ [K in keyof T]: T[K] | string | number | null }>;
/** What a screen passes. The company is filled in by itself; query parts are all optional. */
export interface AskInput<E> {
  params?: Loose<Params<E>>;
  query?: Loose<Query<E>>;
  body?: Body<E> | FormFields;
}
export type AskOptions = Pick<
  Call,
  'quiet' | 'failure' | 'once' | 'waits' | 'ifMatch' | 'signal' | 'skipsSessionCheck'
>;

let whatFollowsLogout: () => void = () => {};
let whatClearsState: () => void = () => {};
/** The app says where to go after a forced log-out, and what else of the person's data to forget. */
export function onLogout(clearState: () => void, afterLogout: () => void): void {
  whatClearsState = clearState;
  whatFollowsLogout = afterLogout;
}

const request = makeRequest({
  base: '/api',
  fetch: (...args) => globalThis.fetch(...args),
  cookies: () => document.cookie,
  token: () => session.get().tokens?.access_token ?? null,
  isAdmin: () => session.get().isAdmin,
  companyId: () => session.get().selectedCompanyId,
  supportEmail: () => session.get().supportEmail,
  notify: (notice, isRead) => {
    if (!isRead || !flash.isInPlace(notice.title)) flash.show(notice);
  },
  logOut: () => {
    clearSession();
    whatClearsState();
  },
  afterLogout: () => whatFollowsLogout(),
  wait: (ms) => new Promise((done) => setTimeout(done, ms)),
  newKey: () =>
    crypto.randomUUID?.() ?? `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`,
});

/** The company goes where the endpoint expects it: in the path, else in query or body unless already given. */
export function callOf(
  endpoint: AnyEndpoint,
  input: AskInput<AnyEndpoint>,
  companyId: number | null,
): Pick<Call, 'method' | 'path' | 'params' | 'query' | 'body' | 'multipart'> {
  const { method, path, multipart } = endpoint;
  const body = input.body instanceof FormFields ? input.body.fields : input.body;
  const asForm = input.body instanceof FormFields || (multipart && body !== undefined);
  const call = {
    method,
    path,
    params: input.params,
    query: input.query as object | undefined,
    body,
    multipart: asForm,
  };
  if (endpoint.company !== 'given' || companyId === null) return call;
  const said = (v: unknown): boolean =>
    typeof v === 'object' && v !== null && ('companyId' in v || 'company_id' in v);
  if (said(call.query) || said(body)) return call;
  if (method === 'GET' || method === 'DELETE')
    return { ...call, query: { ...call.query, companyId } };
  return { ...call, body: { ...(body as object | undefined), company_id: companyId } };
}

/** Ask the API. Resolves to the whole answer (`{data, …}`); rejects with a Refusal after the notice was shown. */
export async function ask<E extends AnyEndpoint>(
  endpoint: E,
  input: AskInput<E> = {},
  options: AskOptions = {},
): Promise<Answer<E>> {
  return (await askFully(endpoint, input, options)).body as Answer<E>;
}

/** As `ask`, with the headers (ETag, Idempotency-Replayed). */
export async function askFully<E extends AnyEndpoint>(
  endpoint: E,
  input: AskInput<E> = {},
  options: AskOptions = {},
): Promise<Answered> {
  if (
    endpoint.method === 'GET' &&
    !mayRead(endpoint, input as AskInput<AnyEndpoint>, session.get())
  ) {
    const refusal = notAllowed();
    if (!(typeof options.quiet === 'function' ? options.quiet(refusal) : options.quiet))
      flash.show(noticeOf(refusal, ''));
    throw refusal;
  }
  const skips = options.skipsSessionCheck ?? endpoint.skipsSessionCheck;
  const answered = await request({
    ...callOf(endpoint, input as AskInput<AnyEndpoint>, session.get().selectedCompanyId),
    ...options,
    skipsSessionCheck: skips,
  });
  if (session.get().user) notePlace(answered.headers);
  return answered;
}

/** For the few calls that stand in no contract (demo people, sandbox). */
export const askPlainly = async (call: Call): Promise<unknown> => (await request(call)).body;
