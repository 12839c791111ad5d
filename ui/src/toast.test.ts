import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createToaster, type ToastEvent } from './toast.ts';

describe('toasts (A §4)', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const aFlash = () => {
    const flash = createToaster({
      setTimeout: ((f: () => void, ms: number) => setTimeout(f, ms)) as typeof setTimeout,
      clearTimeout: ((id) => clearTimeout(id)) as typeof clearTimeout,
      now: () => Date.now(),
    });
    const events: ToastEvent[] = [];
    flash.on((e) => void events.push(e));
    return { flash, events, now: () => flash.store.get().notice?.title ?? null };
  };

  it('hides after 5 s, errors after 10 s, loading never', () => {
    const { flash, now } = aFlash();
    flash.success('a');
    vi.advanceTimersByTime(4999);
    expect(now()).toBe('a');
    vi.advanceTimersByTime(1);
    expect(now()).toBeNull();
    flash.danger('b');
    vi.advanceTimersByTime(9999);
    expect(now()).toBe('b');
    vi.advanceTimersByTime(1);
    expect(now()).toBeNull();
    flash.danger('billing', { ms: 30_000 });
    vi.advanceTimersByTime(29_999);
    expect(now()).toBe('billing');
    vi.advanceTimersByTime(1);
    expect(now()).toBeNull();
    flash.loading('c');
    vi.advanceTimersByTime(3_600_000);
    expect(now()).toBe('c');
  });
  it('a new toast replaces the previous one', () => {
    const { flash, events, now } = aFlash();
    flash.neutral('a');
    flash.warn('b');
    expect(now()).toBe('b');
    expect(events).toEqual(['shown', 'cleared', 'shown']);
  });
  it('a loading toast becomes a success toast in place', () => {
    const { flash, events, now } = aFlash();
    const id = flash.loading('working');
    flash.update(id, { type: 'success', title: 'done' });
    expect(now()).toBe('done');
    vi.advanceTimersByTime(5000);
    expect(events).toEqual(['shown', 'updated', 'hidden']);
  });
  it('the timer pauses while hovered', () => {
    const { flash, now } = aFlash();
    flash.success('a');
    vi.advanceTimersByTime(3000);
    flash.pause();
    vi.advanceTimersByTime(60_000);
    expect(now()).toBe('a');
    flash.resume();
    vi.advanceTimersByTime(1999);
    expect(now()).toBe('a');
    vi.advanceTimersByTime(1);
    expect(now()).toBeNull();
  });
});
