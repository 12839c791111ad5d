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

/** Whose own provider a session began through; null: none's. */
export const ssoOrganizationOf = async (tx: Tx, sessionId: number): Promise<number | null> =>
  (
    await tx
      .selectFrom('session')
      .select('sso_organization_id')
      .where('id', '=', sessionId)
      .executeTakeFirst()
  )?.sso_organization_id ?? null;
