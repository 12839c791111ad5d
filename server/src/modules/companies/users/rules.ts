import {
  grantOf,
  highestRole,
  roleRank,
  type ApiErrorCode,
  type CompanyRole,
  type EffectiveRole,
  type PermissionKey,
} from '#contract';

export const TRANSFER_DAYS = 7;

/** Who changes whom: roles in the company, and whether both are the same person. */
interface RoleChange {
  actorRoles: readonly EffectiveRole[];
  targetRole: EffectiveRole;
  isSelf: boolean;
}

/** Why this person can't be edited at all (A4 rule 2); null: they can. */
export const editProblem = ({ actorRoles, targetRole }: RoleChange): ApiErrorCode | null =>
  roleRank[targetRole] > roleRank[highestRole(actorRoles)] ? 'user.above_you' : null;

/**
 * Why a role can't be given (A4 rules 1 and 2); null: it can, or it is the one they have.
 * `deactivated` ends the access, any other role of a deactivated person restores it.
 */
export function roleProblem(change: RoleChange, wanted: CompanyRole): ApiErrorCode | null {
  const { actorRoles, targetRole, isSelf } = change;
  if (wanted === targetRole) return editProblem(change);
  const problem = editProblem(change);
  if (problem) return problem;
  if (isSelf) return 'user.own_role';
  if (targetRole === 'owner') return 'owner.required';
  if (wanted === 'owner') return 'ownership.only_transferred';
  if (roleRank[wanted] > roleRank[highestRole(actorRoles)]) return 'user.role_above';
  const needed: PermissionKey =
    wanted === 'administrator' || wanted === 'billing' ? 'users.assignAdministrator' : 'users.edit';
  return grantOf(actorRoles, needed) === 'none' ? 'role.forbidden' : null;
}
