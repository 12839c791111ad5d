import { team } from '#contract';
import { useApiQuery } from '#ui';

export interface Teammate {
  id: number;
  name: string;
}
/** A person or a team that a conversation can be assigned to. */
export interface Assignee extends Teammate {
  isTeam?: true;
}

function useAssignable(numberId?: number, enabled = true) {
  return useApiQuery(
    team.listTeammates,
    { query: { number_id: numberId ?? null } },
    { staleTime: 300_000, silent: true, enabled },
  ).response;
}
/** Users to whom a conversation can be assigned; with a number, only those who can see it. */
export const useTeammates = (numberId?: number, enabled = true): Teammate[] =>
  useAssignable(numberId, enabled)?.data ?? [];

/** Teams to which a conversation can be assigned; with a number, only those with a person who can see it. */
export const useTeams = (numberId?: number): Assignee[] =>
  (useAssignable(numberId)?.teams ?? []).map((one) => ({ ...one, isTeam: true }));
