import { coversGrant, identity, type Grant, type PermissionKey } from '#contract';
import { accessTo, grantIn, numbersIn } from './access.ts';
import type { Ctx } from './context.ts';
import type { FileGuard } from './file-guard.ts';

/** Permissions that decide about the content of every export beside its own. */
const ofContent = ['exports.make', 'contacts.viewPii'] as const;

/** The guard of a file that is made for the actor by this permission. */
export const guardFor = (ctx: Ctx, permission: PermissionKey): FileGuard => ({
  userId: ctx.actor.userId,
  grants: [...new Set([permission, ...ofContent])].flatMap((key): [PermissionKey, Grant][] =>
    ctx.may(key) === 'none' ? [] : [[key, ctx.may(key)]],
  ),
  numbers: ctx.numbers,
});

/** Whether the actor may have the file's content now; nobody else than whom it was made for may. */
export function mayFetch(ctx: Ctx, guard: FileGuard): boolean {
  const { actor, companyId } = ctx;
  const access = accessTo(actor, companyId);
  const [made] = guard.grants;
  if (!access || !made || guard.userId !== actor.userId) return false;
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
