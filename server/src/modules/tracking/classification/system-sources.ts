import { systemSources, type SystemSourceKey } from '#contract/tracking/rules';
import type { KnownSource } from './types.ts';

/** The sources every company has, with the ID that is their place in the list. */
export const knownSystemSources: readonly KnownSource[] = systemSources.map((source, index) => ({
  id: index + 1,
  rules: [],
  ...source,
}));

const byKey = new Map(knownSystemSources.map((source) => [source.key, source]));

/** A source that every company has. Throws for a key that isn't in the list. */
export function systemSource(key: SystemSourceKey): KnownSource {
  const found = byKey.get(key);
  if (!found) throw new Error(`no system source ${key}`);
  return found;
}
