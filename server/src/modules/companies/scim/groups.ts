import type { Ctx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { auditEverywhere } from '../organizations/in-organization.ts';
import { applyGroups } from './apply-directory.ts';
import { ScimError, scimNotFound, type ScimGroupInput } from './messages.ts';
import type { GroupPatch } from './patch.ts';
import {
  addMembers,
  deleteScimGroup,
  insertScimGroup,
  patchScimGroup,
  removeMembers,
  scimGroup,
  type ScimGroupRow,
} from './store-groups.ts';

// A group of a directory gives what a rule of access with its name gives, as a group of single
// sign-on does.

const requireGroup = async (ctx: Ctx, tx: Tx, id: string): Promise<ScimGroupRow> =>
  (await scimGroup(tx, ctx.organizationId, id)) ?? scimNotFound();

const taken = (): never => {
  throw new ScimError(409, 'There is a group with this displayName.', 'uniqueness');
};

/** Adds a group. @throws ScimError */
export async function createGroup(ctx: Ctx, tx: Tx, said: ScimGroupInput): Promise<ScimGroupRow> {
  const { displayName, externalId, members } = said;
  if (!displayName) throw new ScimError(400, 'A group needs a displayName.', 'invalidValue');
  const { id } =
    (await insertScimGroup(tx, {
      organization_id: ctx.organizationId,
      display_name: displayName,
      external_id: externalId ?? null,
      at: ctx.now,
    })) ?? taken();
  await auditEverywhere(ctx, tx, 'scim.group_added', `organization:${ctx.organizationId}`, {
    after: { group: displayName },
  });
  return changeGroup(ctx, tx, id, {
    members: members ? [{ op: 'add', ids: members.map((m) => m.value) }] : [],
  });
}

/** Changes a group, and the access of everyone whom that concerns. @throws ScimError */
export async function changeGroup(
  ctx: Ctx,
  tx: Tx,
  id: string,
  { displayName, externalId, members }: GroupPatch,
): Promise<ScimGroupRow> {
  const before = await requireGroup(ctx, tx, id);
  const { organizationId } = ctx;
  await patchScimGroup(tx, before, {
    display_name: displayName ?? before.display_name,
    external_id: externalId ?? before.external_id,
    updated_at: ctx.now,
  }).catch((error: { code?: string }) => {
    if (error.code !== '23505') throw error;
    return taken();
  });
  for (const { op, ids } of members) {
    if (op === 'replace') {
      const now = (await requireGroup(ctx, tx, id)).members.map((m) => m.value);
      await removeMembers(tx, organizationId, id, now);
    }
    if (op === 'remove') await removeMembers(tx, organizationId, id, ids);
    else await addMembers(tx, organizationId, id, ids);
  }
  const after = await requireGroup(ctx, tx, id);
  const [was, is] = [idsOf(before), idsOf(after)];
  const isRenamed = before.display_name !== after.display_name;
  const changed = [...new Set([...was, ...is])].filter(
    (user) => isRenamed || was.has(user) !== is.has(user),
  );
  for (const user of changed) await applyGroups(ctx, tx, user);
  if (isRenamed)
    await auditEverywhere(ctx, tx, 'scim.group_renamed', `organization:${organizationId}`, {
      before: { group: before.display_name },
      after: { group: after.display_name },
    });
  return after;
}

const idsOf = ({ members }: ScimGroupRow): Set<string> => new Set(members.map((m) => m.value));

/** Removes a group: what it gave is taken back. @throws ScimError */
export async function removeGroup(ctx: Ctx, tx: Tx, id: string): Promise<void> {
  const group = await requireGroup(ctx, tx, id);
  await deleteScimGroup(tx, ctx.organizationId, id);
  for (const { value } of group.members) await applyGroups(ctx, tx, value);
  await auditEverywhere(ctx, tx, 'scim.group_removed', `organization:${ctx.organizationId}`, {
    before: { group: group.display_name },
  });
}
