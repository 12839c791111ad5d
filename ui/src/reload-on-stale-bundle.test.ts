import { afterEach, expect, test, vi } from 'vitest';
import { reloadOnStaleBundle } from './reload-on-stale-bundle.ts';

const stored = new Map<string, string>();
const reload = vi.fn();
vi.stubGlobal('sessionStorage', {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
  removeItem: (key: string) => void stored.delete(key),
});
vi.stubGlobal('window', { location: { reload } });
afterEach(() => {
  stored.clear();
  reload.mockClear();
});

const gone = () => Promise.reject(new Error('Failed to fetch dynamically imported module'));
const settled = (work: Promise<unknown>) =>
  Promise.race([
    work.then(
      () => 'loaded',
      () => 'failed',
    ),
    new Promise((resolve) => setTimeout(resolve, 20, 'waits')),
  ]);

test('a part whose file is gone loads the page again once; if it is still gone, it fails', async () => {
  const load = reloadOnStaleBundle(gone);
  expect(await settled(load())).toBe('waits');
  expect(reload).toHaveBeenCalledTimes(1);
  // The page that was loaded again.
  expect(await settled(load())).toBe('failed');
  expect(reload).toHaveBeenCalledTimes(1);
});

test('after a part that loaded, the next version’s missing file loads the page again, too', async () => {
  await settled(reloadOnStaleBundle(gone)());
  expect(await settled(reloadOnStaleBundle(async () => 'part')())).toBe('loaded');
  expect(await settled(reloadOnStaleBundle(gone)())).toBe('waits');
  expect(reload).toHaveBeenCalledTimes(2);
});
