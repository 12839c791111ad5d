import { useEffect, useRef } from 'react';
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { Answer, AnyEndpoint, Envelope, EventData, EventKind } from '#contract/kit';
import { updateCachedQueries, invalidateQueries, invalidate } from './query-cache.ts';
import type { ApiInput } from './api.ts';
import { resetCursor, firstCursor, newestCursor } from './event-cursor.ts';
import { createStore, useStore } from './store.ts';

/**
 * The live connection: Socket.IO as laravel-echo's connector uses it (A27). It keeps the last
 * event's `seq` (one sequence for all channels, in commit order) and sends it for each channel
 * after a gap; the server then replays the missed events or sends `resync`, after which everything
 * on screen is refetched. Before the first event, and for a new channel, it sends the cursor of a
 * response instead, without replay: the server sends `resync` if there were events since.
 */

/** The part of socket.io-client that is used; tests pass their own. */
export interface SocketLike {
  connected: boolean;
  on(event: string, handler: (...args: never[]) => void): unknown;
  emit(event: string, ...args: unknown[]): unknown;
  disconnect(): unknown;
  connect(): unknown;
}
interface LiveConfig {
  cache: QueryClient;
  headers(): Record<string, string>;
  open(): Promise<SocketLike>;
  eventsByName: ReadonlyMap<string, EventKind>;
  companyId(): number | null;
  /** The server ended this session. */
  onRevoked?(): void;
}
type Handler = (data: unknown, envelope: Envelope) => void;
/** An updater bound to its endpoint: applies an event's data, and reports responses it missed. */
interface CacheUpdater {
  endpointName: string;
  apply: (cache: QueryClient, data: unknown, onMiss: (key: QueryKey) => void) => void;
}

const liveState = createStore<{ state: 'off' | 'connecting' | 'on' | 'lost' }>({
  state: 'off',
});
/** The state of the live connection: `off`, `connecting`, `on` or `lost`. */
export const useLiveState = (): string => useStore(liveState, (s) => s.state);

const handlers = new Map<string, Set<Handler>>();
const cacheUpdaters = new Map<string, CacheUpdater[]>();
let lastSeq: number | null = null;
const seenEventIds = new Set<string>();
const staleEndpoints = new Set<string>();
const staleKeys = new Map<string, QueryKey>();
let channels = new Set<string>();
let socket: SocketLike | null = null;
let config: LiveConfig | null = null;
let flushTimer: ReturnType<typeof setTimeout> | undefined;

/**
 * Registers a pure update of cached responses by an event, instead of refetching. Return
 * `undefined` if the event can't be applied (the response is refetched), or the same response if it
 * is not affected.
 */
export function registerCacheUpdater<K extends EventKind, E extends AnyEndpoint>(
  kind: K,
  endpoint: E,
  update: (
    response: Answer<E>,
    data: EventData<K>,
    input: ApiInput<E>,
    page: number,
  ) => Answer<E> | undefined,
): void {
  cacheUpdaters.set(kind.name, [
    ...(cacheUpdaters.get(kind.name) ?? []).filter((one) => one.endpointName !== endpoint.name),
    {
      endpointName: endpoint.name,
      apply: (cache, data, onMiss) =>
        updateCachedQueries(
          cache,
          endpoint,
          (response, input, page) => update(response, data as EventData<K>, input, page),
          onMiss,
        ),
    },
  ]);
}

/** Subscribes to an event while the screen is mounted. */
export function useLiveEvent<K extends EventKind>(
  kind: K,
  handler: (data: EventData<K>, envelope: Envelope<EventData<K>>) => void,
): void {
  const latest = useRef(handler);
  latest.current = handler;
  useEffect(
    () =>
      onLiveEvent(kind.name, (data, envelope) =>
        latest.current(data as EventData<K>, envelope as Envelope<EventData<K>>),
      ),
    [kind.name],
  );
}
/** Calls the handler for each event of this name. Returns the end of the subscription. */
export function onLiveEvent(event: string, handler: Handler): () => void {
  const set = handlers.get(event) ?? new Set();
  handlers.set(event, set.add(handler));
  return () => void set.delete(handler);
}

/** Connects and stays connected; `setChannels` sets the channels. */
export async function connectLive(liveConfig: LiveConfig): Promise<void> {
  config = liveConfig;
  liveState.set({ state: 'connecting' });
  const opened = await liveConfig.open();
  if (config !== liveConfig) return void opened.disconnect();
  socket = opened;
  opened.on('connect', () => {
    const resumed = liveState.get().state === 'lost';
    liveState.set({ state: 'on' });
    const firstCursorSeen = firstCursor();
    const from =
      resumed && lastSeq !== null
        ? { seq: lastSeq }
        : firstCursorSeen !== null
          ? { seq: firstCursorSeen, replay: false }
          : null;
    for (const channel of channels) subscribeChannel(channel, from);
    // Without a cursor there is nothing to resume from; data on screen may be stale.
    if (resumed && from === null) refetchAll();
  });
  opened.on('disconnect', () => liveState.set({ state: 'lost' }));
  opened.on('connect_error', () => liveState.set({ state: 'lost' }));
  for (const event of [...liveConfig.eventsByName.keys(), 'resync'])
    opened.on(event, (channel: string, envelope: Envelope) =>
      handleEvent(event, channel, envelope),
    );
  if (!opened.connected) opened.connect();
}

/** Closes the live connection and forgets its channels and cursors, at sign-out. */
export function disconnectLive(): void {
  socket?.disconnect();
  socket = config = null;
  clearTimeout(flushTimer);
  flushTimer = undefined;
  staleEndpoints.clear();
  staleKeys.clear();
  paces.clear();
  channels = new Set();
  lastSeq = null;
  resetCursor();
  liveState.set({ state: 'off' });
}

/**
 * Subscribes to exactly these channels, such as `private-conversations.7`; call it before reading
 * their data.
 */
export function setChannels(names: readonly string[]): void {
  const wanted = new Set(names);
  if (socket?.connected) {
    for (const channel of channels)
      if (!wanted.has(channel)) socket.emit('unsubscribe', { channel });
    const cursor = newestCursor();
    for (const channel of wanted)
      if (!channels.has(channel))
        subscribeChannel(channel, cursor === null ? null : { seq: cursor, replay: false });
  }
  channels = wanted;
}
/**
 * The cursor is sent after the subscription is confirmed: the server replays only to subscribers.
 */
const subscribeChannel = (
  channel: string,
  from: { seq: number; replay?: boolean } | null = null,
): void =>
  void socket?.emit(
    'subscribe',
    { channel, auth: { headers: config?.headers() ?? {} } },
    (reply?: { ok: boolean }) => {
      if (from !== null && reply?.ok !== false) socket?.emit('resume', { channel, ...from });
    },
  );

/** Handles an event; duplicates (a resume can overlap) are ignored. */
export function handleEvent(event: string, _channel: unknown, envelope: Envelope): void {
  if (event === 'resync') return refetchAll();
  if (event === 'session-revoked' && !envelope) return config?.onRevoked?.();
  if (!envelope || seenEventIds.has(envelope.id)) return;
  seenEventIds.add(envelope.id);
  if (seenEventIds.size > 2000)
    for (const old of [...seenEventIds].slice(0, 1000)) seenEventIds.delete(old);
  if (envelope.seq > (lastSeq ?? -1)) lastSeq = envelope.seq;
  const kind = config?.eventsByName.get(event);
  const isOwnCompany = envelope.companyId === null || envelope.companyId === config?.companyId();
  if (kind && config)
    for (const name of kind.invalidates)
      if (!(isOwnCompany && updateCaches(event, name, envelope.data))) staleEndpoints.add(name);
  // What was read with other permissions leaves the screen and the cache, then is read again.
  if (event === 'permissions-changed') void config?.cache.resetQueries({ predicate: isNotUser });
  scheduleFlush();
  for (const handler of [...(handlers.get(event) ?? [])]) handler(envelope.data, envelope);
}

/**
 * Applies an event to the endpoint's cached responses; true when it has an updater. Responses that
 * can't apply it, or that were in flight and may lack the event, are refetched.
 */
function updateCaches(event: string, endpointName: string, data: unknown): boolean {
  const updater = cacheUpdaters.get(event)?.find((one) => one.endpointName === endpointName);
  if (!updater || !config) return false;
  updater.apply(config.cache, data, (key) => staleKeys.set(JSON.stringify(key), key));
  return true;
}

/**
 * Events come in bursts: they are collected, and an endpoint is refetched at once, then after a
 * second, and while events go on in ever longer intervals, up to a quarter of a minute. A hidden
 * page waits that long from the start. So the cost of an open page has a bound, however much
 * happens. A random part keeps many pages from asking in the same moment.
 */
const BURST_MS = 60,
  REFETCH_MIN_MS = 1000,
  REFETCH_MAX_MS = 15_000;
const paces = new Map<string, { at: number; everyMs: number }>();
const isDue = (name: string): boolean => {
  const pace = paces.get(name);
  if (!pace) return true;
  const everyMs = isHidden() ? REFETCH_MAX_MS : pace.everyMs;
  return Date.now() >= pace.at + everyMs;
};
const isHidden = (): boolean => globalThis.document?.visibilityState === 'hidden';
function noteRefetch(name: string): void {
  const [now, pace] = [Date.now(), paces.get(name)];
  const isGoingOn = pace && now - pace.at <= 2 * pace.everyMs;
  const everyMs = isGoingOn ? Math.min(REFETCH_MAX_MS, pace.everyMs * 2) : REFETCH_MIN_MS;
  paces.set(name, { at: now, everyMs: isGoingOn ? everyMs * (0.9 + Math.random() / 5) : everyMs });
}
function scheduleFlush(): void {
  flushTimer ??= setTimeout(() => {
    flushTimer = undefined;
    flushInvalidations(isDue);
    if (staleEndpoints.size > 0 || staleKeys.size > 0) scheduleFlush();
  }, BURST_MS);
}
/** Refetches what events made stale, of the allowed endpoints. */
export function flushInvalidations(allowed: (endpointName: string) => boolean = () => true): void {
  if (!config) return void [staleEndpoints.clear(), staleKeys.clear()];
  const names = new Set(
    [...staleEndpoints, ...[...staleKeys.values()].map((key) => String(key[0]))].filter(allowed),
  );
  for (const name of names) noteRefetch(name);
  invalidate(config.cache, ...[...staleEndpoints].filter((name) => names.has(name)));
  for (const [hash, key] of staleKeys) {
    if (!names.has(String(key[0]))) continue;
    staleKeys.delete(hash);
    invalidateQueries(config.cache, { queryKey: key, exact: true });
  }
  for (const name of names) staleEndpoints.delete(name);
}
/** The session itself is refetched, not emptied: without it the whole app would start again. */
const isNotUser = ({ queryKey }: { queryKey: QueryKey }): boolean => queryKey[0] !== 'getUser';
function refetchAll(): void {
  if (config) invalidateQueries(config.cache);
}
