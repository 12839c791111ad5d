import type { Db } from '../../platform/db.ts';
import { companiesDelivering } from './store.ts';

// The system role: asks of all companies at once which of them deliver anything.

/**
 * Companies that deliver somewhere, so that the relay queues nothing for the others. Null until it is
 * first known: then everything is looked at.
 */
let delivering: ReadonlySet<number> | null = null;
/** Companies whose destinations changed since the last refresh began. */
const heeded = new Set<number>();

/** Whether the company delivers anything, as of the last refresh. */
export const deliversAnything = (companyId: number | null): boolean =>
  companyId !== null && (delivering === null || delivering.has(companyId) || heeded.has(companyId));

/**
 * Looks at all events of this company until the next refresh. The relay calls it as it reads the event
 * of a change, so that nothing published after it is missed.
 */
export function heedCompany(companyId: number | null): void {
  if (companyId !== null) heeded.add(companyId);
}

async function refreshDelivering(db: Db): Promise<void> {
  const known = [...heeded];
  delivering = new Set(await companiesDelivering(db.unscoped));
  for (const companyId of known) heeded.delete(companyId);
}

/** Starts the refresh in the worker. */
export function startDelivering(db: Db, intervalMs = 4000) {
  let isReading = false;
  const refresh = (): void => {
    // One after another: an older result must not replace a newer one.
    if (isReading) return;
    isReading = true;
    void refreshDelivering(db)
      // Not reachable: the last result stays.
      .catch(() => {})
      .finally(() => {
        isReading = false;
      });
  };
  refresh();
  const timer = setInterval(refresh, intervalMs);
  return { stop: () => clearInterval(timer) };
}
