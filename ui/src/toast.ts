import { createStore } from './store.ts';

export type ToastType = 'neutral' | 'success' | 'warn' | 'danger' | 'loading';
/**
 * A toast. `ms` until it hides: 5000 by default, 10 000 for danger; loading stays until replaced.
 */
export interface ToastContent {
  type?: ToastType;
  title: string;
  detail?: string;
  lines?: string[];
  ms?: number;
  /** One action, usually "Undo". */
  action?: { label: string; run: () => void };
}
export interface ShownToast extends ToastContent {
  id: number;
  type: ToastType;
  ms: number;
}
export type ToastEvent = 'shown' | 'updated' | 'hidden' | 'cleared';
type Listener = (event: ToastEvent, notice: ShownToast | null) => void;

const defaultMs: Record<ToastType, number> = {
  neutral: 5000,
  success: 5000,
  warn: 5000,
  danger: 10_000,
  loading: Infinity,
};

type Clock = Pick<typeof globalThis, 'setTimeout' | 'clearTimeout'> & { now(): number };

/** A timer that calls `onEnd`. While it is paused, a new start waits for `resume`, too. */
function pausableTimer(clock: Clock, onEnd: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let remainingMs = 0,
    startedAt = 0,
    paused = false;
  const start = (ms: number): void => {
    clock.clearTimeout(timer);
    remainingMs = ms;
    startedAt = clock.now();
    if (Number.isFinite(ms) && !paused) timer = clock.setTimeout(onEnd, ms);
  };
  return {
    start,
    stop(): void {
      clock.clearTimeout(timer);
      paused = false;
    },
    pause(): void {
      if (paused) return;
      paused = true;
      clock.clearTimeout(timer);
      remainingMs -= clock.now() - startedAt;
    },
    resume(): void {
      if (!paused) return;
      paused = false;
      start(Math.max(remainingMs, 0));
    },
  };
}

/** Sentences that are shown inline at the moment, each perhaps in several places. */
function inlineSentences() {
  const counts = new Map<string, number>();
  const has = (title: string): boolean => (counts.get(title) ?? 0) > 0;
  const add = (title: string, by: 1 | -1): void =>
    void counts.set(title, (counts.get(title) ?? 0) + by);
  return { has, add };
}

const complete = (notice: ToastContent, id: number): ShownToast => {
  const type = notice.type ?? 'neutral';
  return { ...notice, id, type, ms: notice.ms ?? defaultMs[type] };
};

/** A function for each type that shows a sentence, with further content. */
function showersByType(show: (notice: ToastContent) => number) {
  const showAs =
    (type: ToastType) =>
    (title: string, more?: Partial<ToastContent>): number =>
      show({ ...more, title, type });
  return {
    neutral: showAs('neutral'),
    success: showAs('success'),
    warn: showAs('warn'),
    danger: showAs('danger'),
    loading: showAs('loading'),
  };
}

/**
 * Shows at most one toast: a new one replaces it (A §4). `pause` stops its timer while it is
 * hovered or focused.
 */
export function createToaster(clock: Clock) {
  const store = createStore<{ notice: ShownToast | null }>({ notice: null });
  const timer = pausableTimer(clock, () => hide());
  const inline = inlineSentences();
  const listeners = new Set<Listener>();
  let count = 0;

  function put(event: ToastEvent, notice: ShownToast): number {
    store.set({ notice });
    timer.start(notice.ms);
    emit(event, notice);
    return notice.id;
  }
  function remove(event: ToastEvent, notice: ShownToast | null): void {
    timer.stop();
    store.set({ notice: null });
    emit(event, notice);
  }
  function emit(event: ToastEvent, notice: ShownToast | null): void {
    for (const l of [...listeners]) l(event, notice);
  }
  const clear = (): void => remove('cleared', null);
  function show(notice: ToastContent): number {
    if (store.get().notice) clear();
    return put('shown', complete(notice, ++count));
  }
  /** Changes a toast in place, such as loading to success; shows it again when it was hidden. */
  function update(id: number, notice: ToastContent): number {
    if (store.get().notice?.id !== id) return show(notice);
    return put('updated', complete(notice, id));
  }
  function hide(id?: number): void {
    const { notice } = store.get();
    if (notice && (id === undefined || notice.id === id)) remove('hidden', notice);
  }
  return {
    store,
    show,
    update,
    hide,
    clear,
    pause: (): void => {
      if (store.get().notice) timer.pause();
    },
    resume: timer.resume,
    /** Suppresses toasts with a sentence that is shown inline; returns a function that ends it. */
    suppressWhileInline(title: string): () => void {
      inline.add(title, 1);
      if (store.get().notice?.title === title) clear();
      return () => inline.add(title, -1);
    },
    isInPlace: inline.has,
    ...showersByType(show),
    on(listener: Listener): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export const toast = createToaster({
  setTimeout: ((run: () => void, ms: number) =>
    globalThis.setTimeout(run, ms)) as typeof setTimeout,
  clearTimeout: ((id) => globalThis.clearTimeout(id)) as typeof clearTimeout,
  now: () => Date.now(),
});
