import { companies, teams, type BodyIn } from '#contract';
import { t, toast, useApiMutation } from '#ui';

type Change = BodyIn<typeof teams.changeTeamMembers>;

/** Adds people to a team or removes them, with Undo. `change` is true when it worked. */
export function useChangeMembers(team: { id: number; name: string }): {
  change: (body: Change) => Promise<boolean>;
  isPending: boolean;
} {
  const { mutate, isPending } = useApiMutation(teams.changeTeamMembers, {
    invalidates: [teams.listTeams, companies.listCompanyUsers, companies.getCompanyUser],
  });
  const params = { companyId: ':companyId', teamId: team.id } as const;
  const change = async (body: Change): Promise<boolean> => {
    const answer = await mutate({ params, body });
    if (!answer) return false;
    const { added, removed } = answer;
    const text =
      added.length > 0
        ? t('{n, plural, one {# person added} other {# people added}} to {team}', {
            n: added.length,
            team: team.name,
          })
        : t('{n, plural, one {# person removed} other {# people removed}} from {team}', {
            n: removed.length,
            team: team.name,
          });
    if (added.length + removed.length > 0)
      toast.success(text, {
        action: {
          label: t('Undo'),
          run: () =>
            void mutate({ params, body: { add_user_ids: removed, remove_user_ids: added } }),
        },
      });
    else toast.neutral(t('They are in {team} already.', { team: team.name }));
    return true;
  };
  return { change, isPending };
}
