import type { Settings } from '../../src/platform/settings.ts';

/** The same settings with one adapter's value changed. */
export const withAdapterSettings = (
  settings: Settings,
  name: string,
  value: unknown,
): Settings => ({
  ...settings,
  adapters: { ...settings.adapters, [name]: value },
});
