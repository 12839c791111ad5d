import type { InputContext } from './endpoint-inputs.ts';
import type { TestApp } from './test-app.ts';

let counter = 0;

/** A team of a company with these people; its ID. */
export const insertTeam = (
  app: TestApp,
  companyId: number,
  userIds: readonly number[] = [],
): Promise<number> =>
  app.services.db.systemTransaction(async (tx) => {
    const { id } = await tx
      .insertInto('team')
      .values({ company_id: companyId, name: `Team ${++counter}`, created_at: app.clock.value })
      .returning('id')
      .executeTakeFirstOrThrow();
    for (const user_id of userIds)
      await tx
        .insertInto('team_member')
        .values({ company_id: companyId, team_id: id, user_id })
        .execute();
    return id;
  });

/** A name that no other request has taken. */
const freshName = (s: InputContext) => ({
  body: { ...(s.example.body as object), name: `Team ${++counter}` },
});

/** What the endpoints of teams need beyond their examples. */
export const teamInputs = {
  createTeam: async (s: InputContext) => freshName(s),
  renameTeam: async (s: InputContext) => freshName(s),
  deleteTeam: async (s: InputContext) => ({
    params: { companyId: s.company.id, teamId: await insertTeam(s.app, s.company.id) },
  }),
};
