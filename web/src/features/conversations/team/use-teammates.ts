import { team } from '#contract';
import { useApiQuery } from '#ui';

export interface Teammate {
  id: number;
  name: string;
}
/** Users to whom a conversation can be assigned; with a number, only those who can see it. */
export function useTeammates(numberId?: number, enabled = true): Teammate[] {
  return (
    useApiQuery(
      team.listTeammates,
      { query: { number_id: numberId ?? null } },
      { staleTime: 300_000, silent: true, enabled },
    ).response?.data ?? []
  );
}
