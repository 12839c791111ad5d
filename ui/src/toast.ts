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

/**
 * Shows at most one toast: a new one replaces it (A §4). `pause` stops its timer while it is
 * hovered or focused.
 */
export function createToaster(
  clock: Pick<typeof globalThis, 'setTimeout' | 'clearTimeout'> & { now(): number },
) {
  const store = createStore<{ notice: ShownToast | null }>({ notice: null });
  const listeners = new Set<Listener>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Sentences currently shown inline, with their counts. */
  const inlineCounts = new Map<string, number>();
  let remainingMs = 0,
    startedAt = 0,
    count = 0,
    paused = false;
  const emit = (event: ToastEvent, notice: ShownToast | null) => {
    for (const l of [...listeners]) l(event, notice);
  };

  function startTimer(ms: number): void {
    clock.clearTimeout(timer);
    remainingMs = ms;
    startedAt = clock.now();
    if (Number.isFinite(ms) && !paused) timer = clock.setTimeout(() => hide(), ms);
  }
  function complete(notice: ToastContent, id: number): ShownToast {
    const type = notice.type ?? 'neutral';
    return { ...notice, id, type, ms: notice.ms ?? defaultMs[type] };
  }
  function show(notice: ToastContent): number {
    if (store.get().notice) clear();
    const shown = complete(notice, ++count);
    store.set({ notice: shown });
    startTimer(shown.ms);
    emit('shown', shown);
    return shown.id;
  }
  /** Changes a toast in place, such as loading to success; shows it again when it was hidden. */
  function update(id: number, notice: ToastContent): number {
    if (store.get().notice?.id !== id) return show(notice);
    const shown = complete(notice, id);
    store.set({ notice: shown });
    startTimer(shown.ms);
    emit('updated', shown);
    return id;
  }
  function hide(id?: number): void {
    const { notice } = store.get();
    if (!notice || (id !== undefined && notice.id !== id)) return;
    clock.clearTimeout(timer);
    paused = false;
    store.set({ notice: null });
    emit('hidden', notice);
  }
  function clear(): void {
    clock.clearTimeout(timer);
    paused = false;
    store.set({ notice: null });
    emit('cleared', null);
  }
  /** Suppresses toasts with a sentence that is shown inline; returns a function that ends it. */
  function suppressWhileInline(title: string): () => void {
    inlineCounts.set(title, (inlineCounts.get(title) ?? 0) + 1);
    if (store.get().notice?.title === title) clear();
    return () => void inlineCounts.set(title, inlineCounts.get(title)! - 1);
  }
  const isInline = (title: string): boolean => (inlineCounts.get(title) ?? 0) > 0;
  function pause(): void {
    if (paused || !store.get().notice) return;
    paused = true;
    clock.clearTimeout(timer);
    remainingMs -= clock.now() - startedAt;
  }
  function resume(): void {
    if (!paused) return;
    paused = false;
    if (store.get().notice) startTimer(Math.max(remainingMs, 0));
  }
  return {
    store,
    show,
    update,
    hide,
    clear,
    pause,
    resume,
    suppressWhileInline: suppressWhileInline,
    isInPlace: isInline,
    neutral: (title: string, more?: Partial<ToastContent>) =>
      show({ ...more, title, type: 'neutral' }),
    success: (title: string, more?: Partial<ToastContent>) =>
      show({ ...more, title, type: 'success' }),
    warn: (title: string, more?: Partial<ToastContent>) => show({ ...more, title, type: 'warn' }),
    danger: (title: string, more?: Partial<ToastContent>) =>
      show({ ...more, title, type: 'danger' }),
    loading: (title: string, more?: Partial<ToastContent>) =>
      show({ ...more, title, type: 'loading' }),
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
