import { coversGrant, identity, type Grant, type PermissionKey } from '#contract';
import { accessTo, grantIn, numbersIn } from './access.ts';
import type { Ctx } from './context.ts';
import type { FileGuard } from './file-guard.ts';

/** Permissions that decide about the content of every export beside its own. */
const ofContent = ['exports.make', 'contacts.viewPii'] as const;

const grantsBy = (
  permission: PermissionKey,
  grantOf: (key: PermissionKey) => Grant,
): FileGuard['grants'] =>
  [...new Set([permission, ...ofContent])].flatMap((key): [PermissionKey, Grant][] =>
    grantOf(key) === 'none' ? [] : [[key, grantOf(key)]],
  );

/**
 * The guard of a file that is made for the actor by this permission. `others`: companies that it
 * tells of beside the context's, of these numbers (null: all).
 */
export const guardFor = (
  ctx: Ctx,
  permission: PermissionKey,
  others: readonly { id: number; only: readonly number[] | null }[] = [],
): FileGuard => ({
  userId: ctx.actor.userId,
  grants: grantsBy(permission, ctx.may),
  numbers: ctx.numbers,
  ...(others.length > 0 && {
    elsewhere: others.map(({ id, only }) => {
      const access = accessTo(ctx.actor, id);
      const grants = grantsBy(permission, (key) => grantIn(access, key));
      return { companyId: id, grants, numbers: only };
    }),
  }),
});

/** Whether the actor may have the file's content now; nobody else than whom it was made for may. */
export const mayFetch = ({ actor, companyId }: Ctx, guard: FileGuard): boolean =>
  guard.userId === actor.userId &&
  [{ ...guard, companyId }, ...(guard.elsewhere ?? [])].every((part) => holds(actor, part));

/** Whether the actor has what was taken for granted of one company. */
function holds(
  actor: Ctx['actor'],
  guard: Pick<FileGuard, 'grants' | 'numbers'> & { companyId: number },
): boolean {
  const access = accessTo(actor, guard.companyId);
  const [made] = guard.grants;
  if (!access || !made) return false;
  const isHeld = guard.grants.every(
    ([key, grant]) =>
      coversGrant(grantIn(access, key), grant) &&
      (!actor.scopes || identity.scopeAllows(actor.scopes, readOf(key))),
  );
  const visible = numbersIn(access, grantIn(access, made[0]));
  const hasNumbers =
    visible === null || (guard.numbers?.every((id) => visible.includes(id)) ?? false);
  return isHeld && hasNumbers;
}

const readOf = (permission: PermissionKey) =>
  ({ method: 'GET', path: '/exports', permission }) as const;

/** The address of a guarded file; it opens nothing without a session, key or program that may. */
export const guardedUrl = (companyId: number, fileId: number): string =>
  `/api/companies/${companyId}/exports/${fileId}/file`;
