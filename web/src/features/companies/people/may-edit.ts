import { roleRank, type Answer, type companies, type EffectiveRole } from '#contract';
import { usePermission, useSession, useUser } from '#ui';

export type Person = Answer<typeof companies.getCompanyUser>['data'];

/** The signed-in person's role in the selected company. */
const useOwnRole = () =>
  useSession((s) => s.user?.companies.find((c) => c.id === s.selectedCompanyId)?.role) as
    | EffectiveRole
    | undefined;

/** Why this person can't be edited; null: they can. */
export function useEditProblem(person: Person): 'role' | 'above' | null {
  const mayEditUsers = usePermission('users.edit');
  const isAdmin = useSession((s) => s.isAdmin);
  const mine = useOwnRole();
  if (isAdmin) return null;
  if (!mayEditUsers || mine === undefined) return 'role';
  return roleRank[person.role] > roleRank[mine] ? 'above' : null;
}

/** Whether this is the signed-in person. */
export const useIsSelf = (person: Person): boolean => useUser()?.id === person.id;
