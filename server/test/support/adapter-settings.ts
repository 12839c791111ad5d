import type { Settings } from '../../src/platform/settings.ts';

/** The same settings, with another value for what one adapter reads. */
export const withAdapterSettings = (
  settings: Settings,
  name: string,
  value: unknown,
): Settings => ({
  ...settings,
  adapters: { ...settings.adapters, [name]: value },
});
