import type { Db } from '../../platform/db.ts';
import { companiesWithDevices } from './store.ts';

/**
 * Companies in which somebody has a device. A busy company without one pays nothing for pushes: the relay asks here before
 * it makes a job of every text. Read anew every few seconds, and at once by the process that registers a device.
 */
let companiesToNotify: ReadonlySet<number> = new Set();
export const hasNotificationTargets = (companyId: number | null): boolean =>
  companyId !== null && companiesToNotify.has(companyId);
let lastRequest = 0;
let lastApplied = 0;
export async function refreshNotificationTargets(db: Db): Promise<void> {
  const request = ++lastRequest;
  const found = new Set(await companiesWithDevices(db.unscoped));
  // Two looks may overtake each other: what an older one saw must not undo what a newer one knows.
  if (request > lastApplied) [lastApplied, companiesToNotify] = [request, found];
}

/** For the worker. */
export function startNotificationTargets(db: Db, intervalMs = 4000) {
  const refresh = () => void refreshNotificationTargets(db).catch(() => {}); // the database is away; what was known stands
  refresh();
  const timer = setInterval(refresh, intervalMs);
  return { stop: () => clearInterval(timer) };
}
