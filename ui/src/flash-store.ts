import { makeStore } from './store.ts';

export type FlashType = 'neutral' | 'success' | 'warn' | 'danger' | 'loading';
/** A flash message. `ms` until it hides by itself: 5000 unless said, 10 000 for danger; loading stays until replaced. */
export interface Notice {
  type?: FlashType;
  title: string;
  detail?: string;
  lines?: string[];
  ms?: number;
  /** One thing to do, usually "Undo". */
  action?: { label: string; run: () => void };
}
export interface ShownNotice extends Notice {
  id: number;
  type: FlashType;
  ms: number;
}
export type FlashEvent = 'shown' | 'updated' | 'hidden' | 'cleared';
type Listener = (event: FlashEvent, notice: ShownNotice | null) => void;

const defaultMs: Record<FlashType, number> = {
  neutral: 5000,
  success: 5000,
  warn: 5000,
  danger: 10_000,
  loading: Infinity,
};

/** At most one message: a new one clears the earlier (A §4). Time stands still while somebody reads it (`pause`). */
export function makeFlash(
  clock: Pick<typeof globalThis, 'setTimeout' | 'clearTimeout'> & { now(): number },
) {
  const store = makeStore<{ notice: ShownNotice | null }>({ notice: null });
  const listeners = new Set<Listener>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Sentences that stand on the screen itself, and how often. */
  const inPlace = new Map<string, number>();
  let left = 0,
    since = 0,
    count = 0,
    paused = false;
  const said = (event: FlashEvent, notice: ShownNotice | null) => {
    for (const l of [...listeners]) l(event, notice);
  };

  function run(ms: number): void {
    clock.clearTimeout(timer);
    left = ms;
    since = clock.now();
    if (Number.isFinite(ms) && !paused) timer = clock.setTimeout(() => hide(), ms);
  }
  function complete(notice: Notice, id: number): ShownNotice {
    const type = notice.type ?? 'neutral';
    return { ...notice, id, type, ms: notice.ms ?? defaultMs[type] };
  }
  function show(notice: Notice): number {
    if (store.get().notice) clear();
    const shown = complete(notice, ++count);
    store.set({ notice: shown });
    run(shown.ms);
    said('shown', shown);
    return shown.id;
  }
  /** Change a message in place, as a loading one that became a success. Shows it anew when it has gone meanwhile. */
  function update(id: number, notice: Notice): number {
    if (store.get().notice?.id !== id) return show(notice);
    const shown = complete(notice, id);
    store.set({ notice: shown });
    run(shown.ms);
    said('updated', shown);
    return id;
  }
  function hide(id?: number): void {
    const { notice } = store.get();
    if (!notice || (id !== undefined && notice.id !== id)) return;
    clock.clearTimeout(timer);
    paused = false;
    store.set({ notice: null });
    said('hidden', notice);
  }
  function clear(): void {
    clock.clearTimeout(timer);
    paused = false;
    store.set({ notice: null });
    said('cleared', null);
  }
  /** This sentence stands where its content would be: it is not said over it, too. Returns the end of that. */
  function standsInPlace(title: string): () => void {
    inPlace.set(title, (inPlace.get(title) ?? 0) + 1);
    if (store.get().notice?.title === title) clear();
    return () => void inPlace.set(title, inPlace.get(title)! - 1);
  }
  const isInPlace = (title: string): boolean => (inPlace.get(title) ?? 0) > 0;
  function pause(): void {
    if (paused || !store.get().notice) return;
    paused = true;
    clock.clearTimeout(timer);
    left -= clock.now() - since;
  }
  function resume(): void {
    if (!paused) return;
    paused = false;
    if (store.get().notice) run(Math.max(left, 0));
  }
  return {
    store,
    show,
    update,
    hide,
    clear,
    pause,
    resume,
    standsInPlace,
    isInPlace,
    neutral: (title: string, more?: Partial<Notice>) => show({ ...more, title, type: 'neutral' }),
    success: (title: string, more?: Partial<Notice>) => show({ ...more, title, type: 'success' }),
    warn: (title: string, more?: Partial<Notice>) => show({ ...more, title, type: 'warn' }),
    danger: (title: string, more?: Partial<Notice>) => show({ ...more, title, type: 'danger' }),
    loading: (title: string, more?: Partial<Notice>) => show({ ...more, title, type: 'loading' }),
    on(listener: Listener): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export const flash = makeFlash({
  setTimeout: ((run: () => void, ms: number) =>
    globalThis.setTimeout(run, ms)) as typeof setTimeout,
  clearTimeout: ((id) => globalThis.clearTimeout(id)) as typeof clearTimeout,
  now: () => Date.now(),
});
