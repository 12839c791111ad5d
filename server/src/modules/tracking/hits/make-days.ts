import type { Ctx } from '../../../platform/context.ts';
import { makeDay } from './store.ts';

const DAY_MS = 86_400_000;

/** Makes the partitions of today and the next two days, before anyone needs them. */
export async function makeDays({ db, now }: Pick<Ctx, 'db' | 'now'>): Promise<void> {
  for (let days = 0; days <= 2; days++) await makeDay(db, new Date(now.getTime() + days * DAY_MS));
}
