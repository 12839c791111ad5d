/**
 * Renders screens without a browser: the real components, request layer and contract, and a mock
 * server. Each request is parsed by its endpoint's schemas and each response must satisfy them, so
 * that tests can't rely on responses that the server would never send.
 */
import { cleanup, configure, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import type { FunctionComponent, ReactNode } from 'react';
import { endpointByName, endpoints, type DescribedEndpoint } from '#contract/catalogue';
import type { Answer, AnyEndpoint } from '#contract/kit';
import { permissionKeys } from '#contract/permissions';
import { unknownIn } from '#contract/unknown-fields';
import '../src/features/index.ts'; // declares the screens that tabs show
import { AppProvider, toast, createQueryClient, session, setNavigator } from '#ui';

export { screen, waitFor, within };
configure({ asyncUtilTimeout: 20_000 });

/** One request as parsed by the endpoint's schemas. */
interface RecordedRequest {
  name: string;
  /* oxlint-disable no-explicit-any -- as many shapes as endpoints */
  params: any;
  query: any;
  body: any;
  /* oxlint-enable no-explicit-any */
  /** Its Idempotency-Key. */
  key: string | null;
}
/** An error response as the server sends it. */
export class ErrorReply {
  constructor(
    readonly status: number,
    readonly body: object,
  ) {}
}
export const errorReply = (status: number, body: object): ErrorReply =>
  new ErrorReply(status, body);

type Reply = (request: RecordedRequest) => unknown;
let replies = new Map<string, Reply>();
let recordedRequests: RecordedRequest[] = [];
let contractViolations: string[] = [];

/** Sets an endpoint's response in this test. Default: its example from the contract. */
export function mockReply<E extends AnyEndpoint>(
  endpoint: E,
  reply: Answer<E> | ErrorReply | ((request: RecordedRequest) => Answer<E> | ErrorReply),
): void {
  replies.set(endpoint.name, typeof reply === 'function' ? (reply as Reply) : () => reply);
}

/** Requests of one endpoint so far, oldest first. */
export const requestsTo = (endpoint: AnyEndpoint): RecordedRequest[] =>
  recordedRequests.filter(({ name }) => name === endpoint.name);

/** The endpoint's example response from the contract. */
export const exampleAnswer = <E extends AnyEndpoint>(endpoint: E): Answer<E> =>
  structuredClone(endpointByName.get(endpoint.name)!.example.answer) as Answer<E>;

/** A page of a list, in its envelope. */
export function pageOf<T>(data: T[], total = data.length, perPage = 25) {
  const last_page = Math.max(1, Math.ceil(total / perPage));
  const meta = {
    current_page: 1,
    from: data.length ? 1 : null,
    last_page,
    path: '/',
    per_page: perPage,
    to: data.length || null,
    total,
  };
  return {
    data,
    links: { first: '/?page=1', last: `/?page=${last_page}`, prev: null, next: null },
    meta,
  };
}

const endpointMatchers = endpoints
  .map((endpoint) => ({
    endpoint,
    names: [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
    pattern: new RegExp(`^/api${endpoint.path.replace(/\{\w+\}/g, '([^/]+)')}$`),
    fixed: endpoint.path.replace(/\{\w+\}/g, '').length,
  }))
  .sort((a, b) => b.fixed - a.fixed);

/** Parses a query as the server does: `name[]` is a list, JSON text its value. */
function parseQuery(search: URLSearchParams): Record<string, unknown> {
  const query: Record<string, unknown> = {};
  const read = (text: string): unknown => (/^\s*[{[]/.test(text) ? JSON.parse(text) : text);
  for (const key of new Set(search.keys())) {
    const array = /^(.+?)\[\d*\]$/.exec(key)?.[1];
    if (array)
      query[array] = [...((query[array] as unknown[]) ?? []), ...search.getAll(key).map(read)];
    else query[key] = read(search.get(key)!);
  }
  return query;
}

/** The contract's example; lists are wrapped in the envelope that the server adds. */
function defaultReply(endpoint: DescribedEndpoint): unknown {
  const example = structuredClone(endpoint.example.answer) as { data?: unknown[] } | undefined;
  return endpoint.paged
    ? {
        ...pageOf(example?.data ?? []),
        ...example,
        ...(example && 'meta' in example
          ? { meta: { ...pageOf(example.data ?? []).meta, ...(example.meta as object) } }
          : {}),
      }
    : example;
}

const json = (status: number, body: unknown): Response =>
  new Response(status === 204 ? null : JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json' },
  });

/**
 * The network. `lostAnswers`: endpoints whose next response is lost after the server processed it.
 */
export const network = { down: false, lostAnswers: new Set<string>() };

/**
 * The mock server: parses the request, returns the response set by the test, and records contract
 * violations.
 */
async function mockFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  if (network.down) throw new TypeError('Failed to fetch');
  const url = new URL(String(input), 'http://localhost');
  const form =
    init?.body instanceof FormData
      ? new URLSearchParams(
          [...init.body].flatMap(([name, value]) =>
            typeof value === 'string' ? [[name, value]] : [],
          ),
        )
      : null;
  const method = form?.get('_method') ?? init?.method ?? 'GET';
  const found = endpointMatchers.find(
    ({ endpoint, pattern }) => endpoint.method === method && pattern.test(url.pathname),
  );
  if (!found) {
    contractViolations.push(`${method} ${url.pathname} is no endpoint`);
    return json(404, { message: 'Not found' });
  }
  const { endpoint, names, pattern } = found;
  const values = pattern.exec(url.pathname)!.slice(1).map(decodeURIComponent);
  const raw = {
    params: Object.fromEntries(names.map((name, i) => [name, values[i]])),
    query: parseQuery(url.searchParams),
    body: form
      ? parseQuery(form)
      : typeof init?.body === 'string'
        ? (JSON.parse(init.body) as unknown)
        : {},
  };
  const key = new Headers(init?.headers).get('idempotency-key');
  const read: RecordedRequest = { name: endpoint.name, params: {}, query: {}, body: {}, key };
  for (const part of ['params', 'query', 'body'] as const) {
    const parsed = endpoint[part].safeParse(raw[part]);
    if (parsed.success) read[part] = parsed.data;
    else
      contractViolations.push(
        `${endpoint.name}: ${part} ${JSON.stringify(raw[part])}: ${parsed.error.message}`,
      );
  }
  for (const path of unknownIn(endpoint, raw))
    contractViolations.push(`${endpoint.name} has no field ${path.join('.')}`);
  const { permission } = endpoint;
  if (
    permission !== 'public' &&
    permission !== 'session' &&
    !(permission in (session.get().user?.permissions ?? {}))
  ) {
    contractViolations.push(`${endpoint.name} was asked without ${permission}`);
    return json(403, { message: 'Forbidden', code: 'role.forbidden' });
  }
  recordedRequests.push(read);
  const reply = replies.get(endpoint.name);
  const response = reply ? reply(read) : defaultReply(endpoint);
  if (network.lostAnswers.delete(endpoint.name)) throw new TypeError('Failed to fetch');
  if (response instanceof ErrorReply) return json(response.status, response.body);
  if (response === undefined && endpoint.status !== 204) {
    contractViolations.push(`${endpoint.name} was requested, and the test has no answer for it`);
    return json(500, { message: 'No answer' });
  }
  const right =
    endpoint.status === 204
      ? null
      : endpoint.answer.safeParse(JSON.parse(JSON.stringify(response)));
  if (right && !right.success)
    contractViolations.push(
      `${endpoint.name}: the answer doesn’t match its schema: ${right.error.message}`,
    );
  return json(endpoint.status, response);
}

/** The screen's address; `leaveGuard` runs before another page is opened. */
export const testLocation = { href: '/', leaveGuard: null as null | (() => Promise<boolean>) };
const listeners = new Set<() => void>();
function goTo(href: string): void {
  testLocation.href = href;
  for (const listener of listeners) listener();
}
async function navigateTo(href: string): Promise<void> {
  const path = (text: string) => text.split(/[?#]/)[0];
  if (
    testLocation.leaveGuard &&
    path(href) !== path(testLocation.href) &&
    !(await testLocation.leaveGuard())
  )
    return;
  goTo(href);
}

/** A screen with a route pattern: `/activity/$kind` at `/activity/calls`. */
export function withRoute(pattern: string, Screen: FunctionComponent, address: string): ReactNode {
  const root = createRootRoute();
  const route = createRoute({ getParentRoute: () => root, path: pattern, component: Screen });
  const history = createMemoryHistory({ initialEntries: [address] });
  return (
    <RouterProvider router={createRouter({ routeTree: root.addChildren([route]), history })} />
  );
}

/** Renders a screen for a person with all permissions, or those in `permissions`. */
export function renderScreen(
  element: ReactNode,
  {
    address = '/',
    permissions = [...permissionKeys],
  }: { address?: string; permissions?: string[] } = {},
) {
  globalThis.fetch = mockFetch;
  testLocation.href = address;
  testLocation.leaveGuard = null;
  window.history.replaceState(null, '', address);
  setNavigator({
    push: (to) => void navigateTo(to),
    replace: (to) => void navigateTo(to),
    location: () => new URL(testLocation.href, 'http://localhost'),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    block: (ask) => {
      testLocation.leaveGuard = ask;
      return () => {
        testLocation.leaveGuard = null;
      };
    },
  });
  document.cookie = 'XSRF-TOKEN=test';
  session.set({
    selectedCompanyId: 1,
    user: {
      id: 7,
      email: 'olive@harbor.test',
      name: 'Olive Owner',
      first_name: 'Olive',
      last_name: 'Owner',
      timezone: 'America/New_York',
      read_whats_new_at: null,
      hasBusinessUnits: false,
      sip_address: null,
      sip_password: null,
      sip_user: null,
      organizations: [],
      is_admin: false,
      created_at: '2026-01-01T00:00:00.000Z',
      companies: [
        {
          id: 1,
          name: 'Harbor Dental',
          slug: 'harbor-dental',
          role: 'owner',
          status: 0,
          organization_id: null,
        },
      ],
      permissions: Object.fromEntries(permissions.map((name) => [name, 'all' as const])),
    },
  });
  const cache = createQueryClient();
  const user = userEvent.setup();
  render(<AppProvider cache={cache}>{element}</AppProvider>);
  return { user, cache };
}

/** After each test (web/test/setup.ts): cleans up, and fails it for contract violations. */
export function resetScreen(): void {
  cleanup();
  toast.clear();
  localStorage.clear();
  sessionStorage.clear();
  // Files share one page: whoever one of them signed in isn't signed in to the next.
  session.set({ tokens: null, isAdmin: false, remote: null, isCurrentUserStale: false });
  document.body.replaceChildren();
  network.down = false;
  network.lostAnswers.clear();
  const violations = contractViolations;
  [replies, recordedRequests, contractViolations] = [new Map(), [], []];
  if (violations.length) throw new Error(`Contract violations: ${violations.join('; ')}`);
}
