import type { Answer, AnyEndpoint, BodyIn, Params, Query } from '#contract/kit';
import { toast } from './toast.ts';
import { clearSession, canRead, readsOnly, session } from './session.ts';
import { errorToast } from './api/error-toast.ts';
import { recordCursor } from './event-cursor.ts';
import { forbiddenError, toApiError } from './api/error.ts';
import { createRequest, type ApiResponse, type ApiCall, type Renewal } from './api/request.ts';

export { forbiddenError, ApiError, toApiError } from './api/error.ts';
export { errorToast } from './api/error-toast.ts';

/** Fields of a multipart body: files and text instead of the contract's parsed types. */
export class FormFields {
  constructor(readonly fields: Record<string, unknown>) {}
}
/** Marks a body to be sent as `multipart/form-data`, files included. */
export const formFields = (fields: Record<string, unknown>): FormFields => new FormFields(fields);

type Loose<T> = unknown extends T
  ? Record<string, unknown>
  : Partial<{ [K in keyof T]: T[K] | string | number | null }>;
/**
 * What a screen passes. The selected company is added automatically; all query parameters are
 * optional.
 */
export interface ApiInput<E> {
  params?: Loose<Params<E>>;
  query?: Loose<Query<E>>;
  body?: BodyIn<E> | FormFields;
}
export type ApiOptions = Pick<
  ApiCall,
  | 'silent'
  | 'failure'
  | 'idempotencyKey'
  | 'retryOn429'
  | 'ifMatch'
  | 'signal'
  | 'skipsSessionCheck'
> & {
  /**
   * A write that no one asked for by a click, such as having read or being present. Platform staff
   * whose admin mode only reads leave no such trace: it isn't sent, and answers nothing.
   */
  background?: boolean;
};

let afterLogoutHook: () => void = () => {};
let clearStateHook: () => void = () => {};
/**
 * Registers what happens on sign-out: `clearState` clears the app's data of the person,
 * `afterLogout` navigates.
 */
export function onLogout(clearState: () => void, afterLogout: () => void): void {
  clearStateHook = clearState;
  afterLogoutHook = afterLogout;
}

let renewSession: () => Promise<Renewal> = () => Promise.resolve('ended');
/** Registers what gets new tokens when a call is answered 401; the call is then repeated. */
export const onSessionExpired = (renew: () => Promise<Renewal>): void =>
  void (renewSession = renew);

let askIdentity: () => Promise<boolean> = () => Promise.resolve(false);
/** Registers what asks people to confirm who they are before a dangerous action; returns its removal. */
export function onConfirmIdentity(ask: () => Promise<boolean>): () => void {
  askIdentity = ask;
  return () => {
    askIdentity = () => Promise.resolve(false);
  };
}

const request = createRequest({
  base: '/api',
  fetch: (...args) => globalThis.fetch(...args),
  cookies: () => document.cookie,
  token: () => session.get().tokens?.access_token ?? null,
  isAdmin: () => session.get().isAdmin,
  companyId: () => session.get().selectedCompanyId,
  supportEmail: () => session.get().supportEmail,
  notify: (notice, isRead) => {
    if (!isRead || !toast.isInPlace(notice.title)) toast.show(notice);
  },
  logOut: () => {
    clearSession();
    clearStateHook();
  },
  afterLogout: () => afterLogoutHook(),
  renewSession: () => renewSession(),
  confirmIdentity: () => askIdentity(),
  wait: (ms) => new Promise((done) => setTimeout(done, ms)),
  newKey: () =>
    crypto.randomUUID?.() ?? `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`,
});

/**
 * Adds the company where the endpoint expects it: in the path, otherwise in query or body unless
 * given.
 */
export function toApiCall(
  endpoint: AnyEndpoint,
  input: ApiInput<AnyEndpoint>,
  companyId: number | null,
): Pick<ApiCall, 'method' | 'path' | 'params' | 'query' | 'body' | 'multipart'> {
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
  const namesCompany = (v: unknown): boolean =>
    typeof v === 'object' && v !== null && ('companyId' in v || 'company_id' in v);
  if (namesCompany(call.query) || namesCompany(body)) return call;
  if (method === 'GET' || method === 'DELETE')
    return { ...call, query: { ...call.query, companyId } };
  return { ...call, body: { ...(body as object | undefined), company_id: companyId } };
}

/**
 * Calls the API. Resolves to the response body (`{data, …}`); rejects with an ApiError after its
 * toast was shown.
 */
export async function api<E extends AnyEndpoint>(
  endpoint: E,
  input: ApiInput<E> = {},
  options: ApiOptions = {},
): Promise<Answer<E>> {
  return (await apiWithHeaders(endpoint, input, options)).body as Answer<E>;
}

/** Like `api`, with the response headers (ETag, Idempotency-Replayed). */
async function apiWithHeaders<E extends AnyEndpoint>(
  endpoint: E,
  input: ApiInput<E> = {},
  options: ApiOptions = {},
): Promise<ApiResponse> {
  if (
    endpoint.method === 'GET' &&
    !canRead(endpoint, input as ApiInput<AnyEndpoint>, session.get())
  ) {
    const error = forbiddenError();
    if (!(typeof options.silent === 'function' ? options.silent(error) : options.silent))
      toast.show(errorToast(error, ''));
    throw error;
  }
  if (session.get().remote === 'ended' && endpoint.permission !== 'public') {
    afterLogoutHook();
    throw toApiError(401, null);
  }
  const { background, ...callOptions } = options;
  if (background && readsOnly()) return { body: {}, headers: new Headers() };
  const skips = options.skipsSessionCheck ?? endpoint.skipsSessionCheck;
  const answered = await request({
    ...toApiCall(endpoint, input as ApiInput<AnyEndpoint>, session.get().selectedCompanyId),
    ...callOptions,
    skipsSessionCheck: skips,
    sendsCookies: endpoint.sendsCookies,
  });
  const { user, isOwnAccount } = session.get();
  if (user || isOwnAccount) recordCursor(answered.headers);
  return answered;
}
