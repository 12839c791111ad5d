import type { Db } from '../../platform/db.ts';
import { companiesWithDevices } from './store.ts';

/**
 * Companies in which somebody has a device. A busy company without one pays nothing for pushes: the relay asks here before
 * it makes a job of every text. Read anew every few seconds, and at once by the process that registers a device.
 */
let companies: ReadonlySet<number> = new Set();
export const isListening = (companyId: number | null): boolean =>
  companyId !== null && companies.has(companyId);
let asked = 0;
let known = 0;
export async function listenAgain(db: Db): Promise<void> {
  const mine = ++asked;
  const found = new Set(await companiesWithDevices(db.directory));
  // Two looks may overtake each other: what an older one saw must not undo what a newer one knows.
  if (mine > known) [known, companies] = [mine, found];
}

/** For the worker. */
export function startListening(db: Db, everyMs = 4000) {
  const look = () => void listenAgain(db).catch(() => {}); // the database is away; what was known stands
  look();
  const timer = setInterval(look, everyMs);
  return { stop: () => clearInterval(timer) };
}
