import type { Tx } from '../../platform/db.ts';

/** The sessions of a sign-in that have not ended, locked: one, but for races. */
export const liveSessionsOfFamily = (tx: Tx, family: string) =>
  tx
    .selectFrom('session')
    .selectAll()
    .where('family', '=', family)
    .where('ended_at', 'is', null)
    .forUpdate()
    .execute();
