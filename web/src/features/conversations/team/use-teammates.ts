import { teamwork } from '#contract';
import { useAsk } from '#ui';

export interface Teammate {
  id: number;
  name: string;
}
/** Whom a conversation can be given to; with a number, those who see it. */
export function useTeammates(numberId?: number, when = true): Teammate[] {
  return (
    useAsk(
      teamwork.listTeammates,
      { query: { number_id: numberId ?? null } },
      { freshMs: 300_000, quiet: true, when },
    ).answer?.data ?? []
  );
}
