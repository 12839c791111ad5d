/**
 * Screens in a DOM without a browser: the real components and request layer, the real contract, and a
 * server that only says what it is told to. Every request is read by its endpoint's schemas and every
 * answer must satisfy them, so that a test cannot rest on what the server would never say.
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
import { endpoints } from '#contract/catalogue';
import type { Answer, AnyEndpoint } from '#contract/kit';
import { permissionKeys } from '#contract/permissions';
import { unknownIn } from '#contract/unknown-fields';
import { Face, flash, makeCache, session, setNavigator } from '#ui';

export { screen, waitFor, within };
configure({ asyncUtilTimeout: 20_000 });

/** One request as the endpoint's schemas read it. */
export interface Asked {
  name: string;
  /* oxlint-disable no-explicit-any -- as many shapes as endpoints */
  params: any;
  query: any;
  body: any;
  /* oxlint-enable no-explicit-any */
  /** Its Idempotency-Key. */
  key: string | null;
}
/** A refusal, as the server words it. */
export class Refused {
  constructor(
    readonly status: number,
    readonly body: object,
  ) {}
}
export const refused = (status: number, body: object): Refused => new Refused(status, body);

type Reply = (asked: Asked) => unknown;
let replies = new Map<string, Reply>();
let asked: Asked[] = [];
let lies: string[] = [];

/** What an endpoint answers from now on, in this test. Without it: its example from the contract. */
export function answers<E extends AnyEndpoint>(
  endpoint: E,
  reply: Answer<E> | Refused | ((asked: Asked) => Answer<E> | Refused),
): void {
  replies.set(endpoint.name, typeof reply === 'function' ? (reply as Reply) : () => reply);
}

/** Requests of one endpoint so far, oldest first. */
export const requests = (endpoint: AnyEndpoint): Asked[] =>
  asked.filter(({ name }) => name === endpoint.name);

/** What an endpoint answers in the contract's example. */
export const exampleOf = <E extends AnyEndpoint>(endpoint: E): Answer<E> =>
  structuredClone(endpoint.example.answer) as Answer<E>;

/** The envelope of a list. */
export function listed<T>(data: T[], total = data.length, perPage = 25) {
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

const matchers = endpoints
  .map((endpoint) => ({
    endpoint,
    names: [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
    pattern: new RegExp(`^/api${endpoint.path.replace(/\{\w+\}/g, '([^/]+)')}$`),
    fixed: endpoint.path.replace(/\{\w+\}/g, '').length,
  }))
  .sort((a, b) => b.fixed - a.fixed);

/** As the server reads a query: `name[]` is a list, JSON text what it says. */
function queryOf(search: URLSearchParams): Record<string, unknown> {
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

/** The contract's example; a list in the envelope that the server puts around it. */
function usual(endpoint: AnyEndpoint): unknown {
  const example = structuredClone(endpoint.example.answer) as { data?: unknown[] } | undefined;
  return endpoint.paged
    ? {
        ...listed(example?.data ?? []),
        ...example,
        ...(example && 'meta' in example
          ? { meta: { ...listed(example.data ?? []).meta, ...(example.meta as object) } }
          : {}),
      }
    : example;
}

const json = (status: number, body: unknown): Response =>
  new Response(status === 204 ? null : JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json' },
  });

/** The way to the server. `lostAnswers`: endpoints whose next answer does not arrive, though the server acted. */
export const network = { down: false, lostAnswers: new Set<string>() };

/** The server: reads, answers by what the test said, and notes what breaks the contract. */
async function serve(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
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
  const found = matchers.find(
    ({ endpoint, pattern }) => endpoint.method === method && pattern.test(url.pathname),
  );
  if (!found) {
    lies.push(`${method} ${url.pathname} is no endpoint`);
    return json(404, { message: 'Not found' });
  }
  const { endpoint, names, pattern } = found;
  const values = pattern.exec(url.pathname)!.slice(1).map(decodeURIComponent);
  const raw = {
    params: Object.fromEntries(names.map((name, i) => [name, values[i]])),
    query: queryOf(url.searchParams),
    body: form
      ? queryOf(form)
      : typeof init?.body === 'string'
        ? (JSON.parse(init.body) as unknown)
        : {},
  };
  const key = new Headers(init?.headers).get('idempotency-key');
  const read: Asked = { name: endpoint.name, params: {}, query: {}, body: {}, key };
  for (const part of ['params', 'query', 'body'] as const) {
    const parsed = endpoint[part].safeParse(raw[part]);
    if (parsed.success) read[part] = parsed.data;
    else
      lies.push(`${endpoint.name}: ${part} ${JSON.stringify(raw[part])}: ${parsed.error.message}`);
  }
  for (const path of unknownIn(endpoint, raw))
    lies.push(`${endpoint.name} knows no ${path.join('.')}`);
  const { permission } = endpoint;
  if (
    permission !== 'public' &&
    permission !== 'session' &&
    !(permission in (session.get().user?.permissions ?? {}))
  ) {
    lies.push(`${endpoint.name} was asked without ${permission}`);
    return json(403, { message: 'Forbidden', code: 'role.forbidden' });
  }
  asked.push(read);
  const reply = replies.get(endpoint.name);
  const answer = reply ? reply(read) : usual(endpoint);
  if (network.lostAnswers.delete(endpoint.name)) throw new TypeError('Failed to fetch');
  if (answer instanceof Refused) return json(answer.status, answer.body);
  if (answer === undefined && endpoint.status !== 204) {
    lies.push(`${endpoint.name} was asked, and the test says no answer`);
    return json(500, { message: 'No answer' });
  }
  const right =
    endpoint.status === 204 ? null : endpoint.answer.safeParse(JSON.parse(JSON.stringify(answer)));
  if (right && !right.success)
    lies.push(`${endpoint.name} would never answer so: ${right.error.message}`);
  return json(endpoint.status, answer);
}

/** Where the screen thinks it is; `leaving` is asked before it goes to another page. */
export const place = { href: '/', leaving: null as null | (() => Promise<boolean>) };
const listeners = new Set<() => void>();
function goTo(href: string): void {
  place.href = href;
  for (const heard of listeners) heard();
}
async function follow(href: string): Promise<void> {
  const path = (text: string) => text.split(/[?#]/)[0];
  if (place.leaving && path(href) !== path(place.href) && !(await place.leaving())) return;
  goTo(href);
}

/** A screen that reads its address by a pattern: `/activity/$kind` at `/activity/calls`. */
export function routed(pattern: string, Screen: FunctionComponent, address: string): ReactNode {
  const root = createRootRoute();
  const route = createRoute({ getParentRoute: () => root, path: pattern, component: Screen });
  const history = createMemoryHistory({ initialEntries: [address] });
  return (
    <RouterProvider router={createRouter({ routeTree: root.addChildren([route]), history })} />
  );
}

/** Shows a screen to a person who may do everything, unless `permissions` says what. */
export function show(
  element: ReactNode,
  {
    address = '/',
    permissions = [...permissionKeys],
  }: { address?: string; permissions?: string[] } = {},
) {
  globalThis.fetch = serve;
  place.href = address;
  place.leaving = null;
  window.history.replaceState(null, '', address);
  setNavigator({
    push: (to) => void follow(to),
    replace: (to) => void follow(to),
    where: () => new URL(place.href, 'http://localhost'),
    subscribe: (heard) => {
      listeners.add(heard);
      return () => void listeners.delete(heard);
    },
    block: (ask) => {
      place.leaving = ask;
      return () => {
        place.leaving = null;
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
  const cache = makeCache();
  const user = userEvent.setup();
  render(<Face cache={cache}>{element}</Face>);
  return { user, cache };
}

/** After each test (web/test/setup.ts): nothing of it stays, and what broke the contract fails it. */
export function finish(): void {
  cleanup();
  flash.clear();
  localStorage.clear();
  sessionStorage.clear();
  document.body.replaceChildren();
  network.down = false;
  network.lostAnswers.clear();
  const told = lies;
  [replies, asked, lies] = [new Map(), [], []];
  if (told.length) throw new Error(`What breaks the contract: ${told.join('; ')}`);
}
