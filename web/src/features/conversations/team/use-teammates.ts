import { teamwork } from '#contract';
import { useApiQuery } from '#ui';

export interface Teammate {
  id: number;
  name: string;
}
/** Whom a conversation can be given to; with a number, those who see it. */
export function useTeammates(numberId?: number, enabled = true): Teammate[] {
  return (
    useApiQuery(
      teamwork.listTeammates,
      { query: { number_id: numberId ?? null } },
      { staleTime: 300_000, silent: true, enabled },
    ).response?.data ?? []
  );
}
