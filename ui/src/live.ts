import { useEffect, useRef } from 'react';
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { Answer, AnyEndpoint, Envelope, EventData, EventKind } from '#contract/kit';
import { foldAnswers, makeStale, touch } from './use-ask.ts';
import type { AskInput } from './ask.ts';
import { forgetPlace, placeOfFirstAnswer, placeOfNewestAnswer } from './live-place.ts';
import { makeStore, useStore } from './store.ts';

/**
 * The live connection: Socket.IO spoken as laravel-echo's connector does (A27). It remembers the last `seq` it heard (one
 * row of numbers for all channels, in commit order); after a gap it names it for each channel and gets what it missed, or
 * `resync`, upon which everything on screen is refetched. The first time, and of a channel that is new, it asks whether anything
 * happened since one began to read; only then is there a `resync`.
 */

/** The part of socket.io-client this needs; tests bring their own. */
export interface Wire {
  connected: boolean;
  on(event: string, heard: (...args: never[]) => void): unknown;
  emit(event: string, ...args: unknown[]): unknown;
  disconnect(): unknown;
  connect(): unknown;
}
interface Around {
  cache: QueryClient;
  headers(): Record<string, string>;
  open(): Promise<Wire>;
  eventNamed: ReadonlyMap<string, EventKind>;
  companyId(): number | null;
  /** The server ended this session. */ revoked?(): void;
}
type Handler = (data: unknown, envelope: Envelope) => void;
type Fold = {
  endpoint: AnyEndpoint;
  fold: (answer: never, data: never, input: never, page: number) => unknown;
};

export const liveState = makeStore<{ state: 'off' | 'connecting' | 'on' | 'lost' }>({
  state: 'off',
});
export const useLiveState = (): string => useStore(liveState, (s) => s.state);

const handlers = new Map<string, Set<Handler>>();
const folds = new Map<string, Fold[]>();
let lastSeq: number | null = null;
const seen = new Set<string>();
const stale = new Set<string>();
const staleKeys = new Map<string, QueryKey>();
let channels = new Set<string>();
let wire: Wire | null = null;
let around: Around | null = null;
let flushTimer: ReturnType<typeof setTimeout> | undefined;

/**
 * A pure fold for a hot list: the cached answers change at once instead of being refetched. Return `undefined` when the
 * event cannot be folded in (the answer is then refetched), the same answer when it does not concern it.
 */
// oxlint-disable-next-line no-explicit-any -- an event of any data
export function registerFold<K extends EventKind<any>, E extends AnyEndpoint>(
  kind: K,
  endpoint: E,
  fold: (
    answer: Answer<E>,
    data: EventData<K>,
    input: AskInput<E>,
    page: number,
  ) => Answer<E> | undefined,
): void {
  folds.set(kind.name, [
    ...(folds.get(kind.name) ?? []).filter((f) => f.endpoint.name !== endpoint.name),
    { endpoint, fold: fold as unknown as Fold['fold'] },
  ]);
}

/** Hear an event while the screen stands. */
// oxlint-disable-next-line no-explicit-any -- an event of any data
export function useLive<K extends EventKind<any>>(
  kind: K,
  heard: (data: EventData<K>, envelope: Envelope<EventData<K>>) => void,
): void {
  const latest = useRef(heard);
  latest.current = heard;
  useEffect(
    () =>
      listen(kind.name, (data, envelope) =>
        latest.current(data as EventData<K>, envelope as Envelope<EventData<K>>),
      ),
    [kind.name],
  );
}
export function listen(event: string, handler: Handler): () => void {
  const set = handlers.get(event) ?? new Set();
  handlers.set(event, set.add(handler));
  return () => void set.delete(handler);
}

/** Connect and stay connected. `subscribeTo` says to what. */
export async function connectLive(surroundings: Around): Promise<void> {
  around = surroundings;
  liveState.set({ state: 'connecting' });
  const opened = await surroundings.open();
  if (around !== surroundings) return void opened.disconnect();
  wire = opened;
  opened.on('connect', () => {
    const again = liveState.get().state === 'lost';
    liveState.set({ state: 'on' });
    const place = placeOfFirstAnswer();
    const from =
      again && lastSeq !== null
        ? { seq: lastSeq }
        : place !== null
          ? { seq: place, replay: false }
          : null;
    for (const channel of channels) join(channel, from);
    // Without a remembered place there is nothing to resume from: what is on screen may be old.
    if (again && from === null) refetchAll();
  });
  opened.on('disconnect', () => liveState.set({ state: 'lost' }));
  opened.on('connect_error', () => liveState.set({ state: 'lost' }));
  for (const event of [...surroundings.eventNamed.keys(), 'resync'])
    opened.on(event, ((channel: string, envelope: Envelope) =>
      hear(event, channel, envelope)) as never);
  if (!opened.connected) opened.connect();
}

export function disconnectLive(): void {
  wire?.disconnect();
  wire = around = null;
  clearTimeout(flushTimer);
  flushTimer = undefined;
  stale.clear();
  staleKeys.clear();
  readAgainAt.clear();
  channels = new Set();
  lastSeq = null;
  forgetPlace();
  liveState.set({ state: 'off' });
}

/** Exactly these channels from now on, e.g. `private-conversations.7`; to be said before anything of them is read. */
export function subscribeTo(names: readonly string[]): void {
  const wanted = new Set(names);
  if (wire?.connected) {
    for (const gone of channels) if (!wanted.has(gone)) wire.emit('unsubscribe', { channel: gone });
    const read = placeOfNewestAnswer();
    for (const come of wanted)
      if (!channels.has(come)) join(come, read === null ? null : { seq: read, replay: false });
  }
  channels = wanted;
}
/** A place to resume from is named once the server has let us in: it replays only to listeners. */
const join = (channel: string, from: { seq: number; replay?: boolean } | null = null): void =>
  void wire?.emit(
    'subscribe',
    { channel, auth: { headers: around?.headers() ?? {} } },
    (entered?: { ok: boolean }) => {
      if (from !== null && entered?.ok !== false) wire?.emit('resume', { channel, ...from });
    },
  );
/** Whisper to the server on a channel (`client event`, as laravel-echo does). */
export const whisper = (channel: string, event: string, data: unknown): void =>
  void wire?.emit('client event', { channel, event: `client-${event}`, data });

/** One event arrived. Told twice (a resume may overlap), it is heard once. */
export function hear(event: string, _channel: unknown, envelope: Envelope): void {
  if (event === 'resync') return refetchAll();
  if (event === 'session-revoked' && !envelope) return around?.revoked?.();
  if (!envelope || seen.has(envelope.id)) return;
  seen.add(envelope.id);
  if (seen.size > 2000) for (const old of [...seen].slice(0, 1000)) seen.delete(old);
  if (envelope.seq > (lastSeq ?? -1)) lastSeq = envelope.seq;
  const kind = around?.eventNamed.get(event);
  const mine = envelope.companyId === null || envelope.companyId === around?.companyId();
  if (kind && around)
    for (const name of kind.touches)
      if (!(mine && foldIn(event, name, envelope.data))) stale.add(name);
  flushSoon();
  for (const handler of [...(handlers.get(event) ?? [])]) handler(envelope.data, envelope);
}

/**
 * True when the endpoint has a fold: each cached answer then took the event in, or is read again alone. An answer that was
 * just on its way may or may not know the event already and is read again too.
 */
function foldIn(event: string, endpointName: string, data: unknown): boolean {
  const found = folds.get(event)?.find((f) => f.endpoint.name === endpointName);
  if (!found || !around) return false;
  const { cache } = around;
  foldAnswers(
    cache,
    found.endpoint,
    (answer, input, page) =>
      found.fold(answer as never, data as never, input as never, page) as typeof answer | undefined,
    (key) => staleKeys.set(JSON.stringify(key), key),
  );
  return true;
}

/** Events come in bursts: they wait for company, and an endpoint is read again once a second at most, however busy the company. */
const BURST_MS = 60,
  AGAIN_MS = 1000;
const readAgainAt = new Map<string, number>();
function flushSoon(): void {
  flushTimer ??= setTimeout(() => {
    flushTimer = undefined;
    const early = Date.now() - AGAIN_MS;
    flush((name) => (readAgainAt.get(name) ?? 0) <= early);
    if (stale.size > 0 || staleKeys.size > 0) flushSoon();
  }, BURST_MS);
}
/** Read again what the news made stale, of the endpoints that may be. */
export function flush(may: (endpointName: string) => boolean = () => true): void {
  if (!around) return void [stale.clear(), staleKeys.clear()];
  const names = new Set(
    [...stale, ...[...staleKeys.values()].map((key) => String(key[0]))].filter(may),
  );
  for (const name of names) readAgainAt.set(name, Date.now());
  touch(around.cache, ...[...stale].filter((name) => names.has(name)));
  for (const [hash, key] of staleKeys) {
    if (!names.has(String(key[0]))) continue;
    staleKeys.delete(hash);
    makeStale(around.cache, { queryKey: key, exact: true });
  }
  for (const name of names) stale.delete(name);
}
function refetchAll(): void {
  if (around) makeStale(around.cache);
}
