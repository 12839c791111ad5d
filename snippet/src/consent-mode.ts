import { safely } from './when-ready.ts';

/** What one entry of the data layer says about consent; undefined: nothing. */
function saidIn(entry: unknown): boolean | undefined {
  const [command, kind, states] = entry as [unknown, unknown, Record<string, unknown>];
  // A default for some regions: whether it is about this visitor, only Google knows.
  if (command !== 'consent' || (kind === 'default' && states.region)) return undefined;
  const state = states.analytics_storage ?? states.ad_storage;
  return state ? state === 'granted' : undefined;
}

/**
 * Hears what the page's consent banner tells Google: first what it said already, then each change.
 * False: the page has no data layer yet.
 */
export function followConsentMode(tell: (given: boolean) => void): boolean {
  const page = window as unknown as { dataLayer?: unknown[] };
  const layer = page.dataLayer;
  if (!Array.isArray(layer)) return false;
  const read = (entries: unknown[]): void =>
    entries.forEach((entry) =>
      // What isn't a command throws.
      safely(() => {
        const said = saidIn(Array.from(entry as ArrayLike<unknown>));
        if (said !== undefined) tell(said);
      }),
    );
  read(layer);
  const push = layer.push;
  layer.push = function (...entries: unknown[]) {
    const length = push.apply(this, entries);
    read(entries);
    return length;
  };
  return true;
}
