import type { Db } from '../../platform/db.ts';
import { companiesWithDevices } from './store-devices.ts';

// The system role: a person’s devices and presence are the same in all of their companies.

/**
 * Companies in which someone has a device or wants emails, so that the relay queues no notification jobs
 * for others. Refreshed every few seconds, and at once in the process that registers a device.
 */
let companiesToNotify: ReadonlySet<number> = new Set();
/** Whether anyone in the company has a device to notify, as of the last refresh. */
export const hasNotificationTargets = (companyId: number | null): boolean =>
  companyId !== null && companiesToNotify.has(companyId);
let lastRequest = 0;
let lastApplied = 0;
/** Reads again which companies have devices to notify. */
export async function refreshNotificationTargets(db: Db): Promise<void> {
  const request = ++lastRequest;
  const found = new Set(await companiesWithDevices(db.unscoped));
  // Requests may finish out of order: an older result must not replace a newer one.
  if (request > lastApplied) [lastApplied, companiesToNotify] = [request, found];
}

/** Starts the refresh in the worker. */
export function startNotificationTargets(db: Db, intervalMs = 4000) {
  const refresh = () => void refreshNotificationTargets(db).catch(() => {}); // database not reachable: keep the last result
  refresh();
  const timer = setInterval(refresh, intervalMs);
  return { stop: () => clearInterval(timer) };
}
