import { beforeEach, describe, expect, it, vi } from 'vitest';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import type { AnyEndpoint, Envelope, EventKind } from '#contract/kit';
import {
  connectLive,
  disconnectLive,
  flushInvalidations,
  handleEvent,
  onLiveEvent,
  registerCacheUpdater,
  setChannels,
  type SocketLike,
} from './live.ts';
import { recordCursor } from './event-cursor.ts';
import { queryKeyOf } from './query-cache.ts';
import { session } from './session.ts';

interface Things {
  data: { id: number; label: string }[];
}
const list = { name: 'listThings', company: 'path' } as AnyEndpoint;
const other = { name: 'getThing', company: 'path' } as AnyEndpoint;
const updated = {
  name: 'thing-updated',
  channel: 'conversations',
  invalidates: ['listThings', 'getThing'],
} as unknown as EventKind<{ id: number; label: string }>;
interface Things {
  data: { id: number; label: string }[];
}
let count = 0;
const envelope = (data: unknown, more: Partial<Envelope> = {}): Envelope => ({
  event: 'thing-updated',
  id: `e${++count}`,
  at: '',
  companyId: 7,
  seq: count,
  data,
  ...more,
});

/** A socket that records what was emitted and lets the test confirm subscriptions. */
function mockSocket() {
  const heard = new Map<string, (...args: never[]) => void>();
  const emitted: [string, unknown][] = [];
  const socket: SocketLike = {
    connected: false,
    on: (event, f) => heard.set(event, f),
    disconnect: () => {},
    connect: () => {
      socket.connected = true;
      heard.get('connect')?.();
    },
    emit: (event, payload, ack) => {
      emitted.push([event, payload]);
      if (typeof ack === 'function') (ack as (v: unknown) => void)({ ok: true });
    },
  };
  return {
    wire: socket,
    emitted,
    drop: () => {
      socket.connected = false;
      heard.get('disconnect')?.();
    },
    back: () => {
      socket.connected = true;
      heard.get('connect')?.();
    },
    server: (event: string, ...args: unknown[]) => heard.get(event)?.(...(args as never[])),
  };
}

describe('the live connection (A27)', () => {
  let cache: QueryClient;
  let line: ReturnType<typeof mockSocket>;
  beforeEach(async () => {
    disconnectLive();
    vi.useFakeTimers();
    session.set({ selectedCompanyId: 7 });
    cache = new QueryClient();
    line = mockSocket();
    setChannels(['private-conversations.7']);
    await connectLive({
      cache,
      headers: () => ({ Authorization: 'Bearer t' }),
      open: async () => line.wire,
      eventsByName: new Map([[updated.name, updated]]),
      companyId: () => 7,
    });
    return () => {
      vi.useRealTimers();
    };
  });

  it('subscribes as laravel-echo does, with the session’s headers', () => {
    expect(line.emitted).toEqual([
      [
        'subscribe',
        { channel: 'private-conversations.7', auth: { headers: { Authorization: 'Bearer t' } } },
      ],
    ]);
  });
  it('leaves the previous company’s channels when another company is selected', () => {
    setChannels(['private-conversations.8']);
    expect(line.emitted.slice(1).map(([e, p]) => [e, (p as { channel: string }).channel])).toEqual([
      ['unsubscribe', 'private-conversations.7'],
      ['subscribe', 'private-conversations.8'],
    ]);
  });
  it('resumes a new company’s channel from the newest cursor, without replay', () => {
    for (const seq of ['52', '61', '57']) recordCursor(new Headers({ 'live-seq': seq }));
    setChannels(['private-conversations.8']);
    expect(line.emitted.at(-1)).toEqual([
      'resume',
      { channel: 'private-conversations.8', seq: 61, replay: false },
    ]);
  });
  it('changed permissions empty what was read with the old ones, except the session', () => {
    cache.setQueryData(['listNumbers', 7, {}], { data: [{ id: 1 }] });
    cache.setQueryData(['getUser', null, {}], { data: { id: 1 } });
    handleEvent('permissions-changed', '', envelope({}, { seq: 42 }));
    expect(cache.getQueryData(['listNumbers', 7, {}])).toBeUndefined();
    expect(cache.getQueryData(['getUser', null, {}])).toBeDefined();
  });
  it('after a reconnect it resumes from the last event', () => {
    handleEvent('thing-updated', '', envelope({ id: 1 }, { seq: 41 }));
    line.drop();
    line.back();
    expect(line.emitted.at(-1)).toEqual([
      'resume',
      { channel: 'private-conversations.7', seq: 41 },
    ]);
  });
  it('the first connection resumes from the cursor of the first response', async () => {
    disconnectLive();
    recordCursor(new Headers({ 'live-seq': '52' }));
    recordCursor(new Headers({ 'live-seq': '57' }));
    recordCursor(new Headers());
    line = mockSocket();
    setChannels(['private-conversations.7']);
    await connectLive({
      cache,
      headers: () => ({}),
      open: async () => line.wire,
      eventsByName: new Map([[updated.name, updated]]),
      companyId: () => 7,
    });
    expect(line.emitted.at(-1)).toEqual([
      'resume',
      { channel: 'private-conversations.7', seq: 52, replay: false },
    ]);
    // From then on the cursor comes from events, not from responses.
    handleEvent('thing-updated', '', envelope({ id: 1 }, { seq: 60 }));
    line.drop();
    line.back();
    expect(line.emitted.at(-1)).toEqual([
      'resume',
      { channel: 'private-conversations.7', seq: 60 },
    ]);
  });
  it('an event invalidates its endpoints, once per burst', () => {
    const spy = vi.spyOn(cache, 'invalidateQueries');
    for (let i = 0; i < 5; i++)
      line.server('thing-updated', 'private-conversations.7', envelope({ id: i }));
    vi.advanceTimersByTime(100);
    expect(spy.mock.calls.map(([c]) => c?.queryKey)).toEqual([['listThings'], ['getThing']]);
  });
  it('an endpoint is refetched at most once a second, and the last refetch is never lost', () => {
    const spy = vi.spyOn(cache, 'invalidateQueries');
    for (let i = 0; i < 30; i++) {
      line.server('thing-updated', 'private-conversations.7', envelope({ id: i }));
      vi.advanceTimersByTime(100);
    }
    const during = spy.mock.calls.length;
    vi.advanceTimersByTime(5000);
    expect(during / 2).toBeLessThanOrEqual(4);
    expect(spy.mock.calls.length).toBeGreaterThan(during);
  });
  it('a minute of events every 50 ms costs an endpoint at most eight refetches; after a pause the next comes at once', () => {
    const spy = vi.spyOn(cache, 'invalidateQueries');
    const refetches = () =>
      spy.mock.calls.filter(([c]) => c?.queryKey?.[0] === 'listThings').length;
    let id = 0;
    const say = () =>
      line.server('thing-updated', 'private-conversations.7', envelope({ id: ++id }));
    for (let n = 0; n < 1200; n++) {
      say();
      vi.advanceTimersByTime(50);
    }
    expect(refetches()).toBeLessThanOrEqual(8);
    vi.advanceTimersByTime(60_000);
    const before = refetches();
    say();
    vi.advanceTimersByTime(100);
    expect(refetches()).toBe(before + 1);
  });
  it('a duplicate event is handled once', () => {
    const heard = vi.fn();
    const stop = onLiveEvent('thing-updated', heard);
    const twice = envelope({ id: 1 });
    handleEvent('thing-updated', '', twice);
    handleEvent('thing-updated', '', twice);
    expect(heard).toHaveBeenCalledTimes(1);
    stop();
  });
  it('refetches everything on resync', () => {
    const spy = vi.spyOn(cache, 'invalidateQueries');
    line.server('resync', 'private-conversations.7', {});
    expect(spy).toHaveBeenCalledWith(undefined);
  });
  it('a first response in flight when the event came is fetched again, with or without an updater', async () => {
    vi.useRealTimers();
    for (const folds of [false, true]) {
      if (folds) registerCacheUpdater(updated, list, () => undefined);
      const key = queryKeyOf(list, 7, { query: { folds } });
      const answers: ((answer: unknown) => void)[] = [];
      const observer = new QueryObserver(cache, {
        queryKey: key,
        queryFn: () =>
          new Promise((answer) => {
            answers.push(answer);
          }),
        retry: false,
      });
      const stop = observer.subscribe(() => {});
      handleEvent('thing-updated', '', envelope({ id: 1 }));
      flushInvalidations();
      answers[0]!({ data: ['before'] });
      await vi.waitFor(() => expect(answers).toHaveLength(2));
      answers[1]!({ data: ['after'] });
      await vi.waitFor(() => expect(cache.getQueryData(key)).toEqual({ data: ['after'] }));
      stop();
    }
  });
  it('an updater changes its list in place and only the rest is refetched; never another company’s', () => {
    registerCacheUpdater(updated, list, (answer, data) => ({
      data: (answer as Things).data.map((row) =>
        row.id === data.id ? { ...row, label: data.label } : row,
      ),
    }));
    cache.setQueryData(queryKeyOf(list, 7, {}), { data: [{ id: 1, label: 'old' }] });
    cache.setQueryData(queryKeyOf(list, 8, {}), { data: [{ id: 1, label: 'old' }] });
    cache.setQueryData(queryKeyOf(other, 7, {}), { data: {} });
    const spy = vi.spyOn(cache, 'invalidateQueries');
    // Only a cached response that can't apply the event is refetched.
    cache.setQueryData(queryKeyOf(list, 7, { query: { counts: 1 } }), { data: [] });
    registerCacheUpdater(updated, list, (answer, data, input) =>
      input.query
        ? undefined
        : {
            data: (answer as Things).data.map((row) =>
              row.id === data.id ? { ...row, label: data.label } : row,
            ),
          },
    );
    handleEvent('thing-updated', '', envelope({ id: 1, label: 'new' }));
    vi.advanceTimersByTime(100);
    expect(cache.getQueryData(queryKeyOf(list, 7, {}))).toEqual({
      data: [{ id: 1, label: 'new' }],
    });
    expect(cache.getQueryData(queryKeyOf(list, 8, {}))).toEqual({
      data: [{ id: 1, label: 'old' }],
    });
    expect(spy.mock.calls.map(([c]) => c?.queryKey)).toEqual([
      ['getThing'],
      ['listThings', 7, { query: { counts: 1 } }],
    ]);
  });
});
