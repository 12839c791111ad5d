import type { TxCtx } from '../../../platform/context.ts';
import { invalid } from '../../../platform/errors.ts';
import { insertTags, tagsByKeys, type TagRow } from './store.ts';

/**
 * Theme colors; a new tag gets one by its name, so that the same name has the same color
 * everywhere.
 */
const colors = ['teal', 'blue', 'grape', 'orange', 'green', 'pink', 'cyan', 'indigo'] as const;
/** The color of a tag that nobody chose one for; the same for the same name. */
export const colorOf = (name: string) =>
  // The remainder is an index of the list.
  colors[[...name.toLowerCase()].reduce((sum, c) => sum + c.charCodeAt(0), 0) % colors.length]!;

/**
 * Tags by name, ignoring case. Unknown names are created when the user can edit tags (A9.2), else
 * fail with a field error.
 */
export async function tagsByName(
  ctx: TxCtx,
  names: readonly string[],
  onMissing: 'create' | 'ignore' = 'create',
): Promise<TagRow[]> {
  const wanted = new Map(names.map((n) => [n.trim().toLowerCase(), n.trim()]));
  const found = await tagsByKeys(ctx.tx, ctx.companyId, [...wanted.keys()]);
  const unknown = [...wanted]
    .filter(([key]) => !found.some((t) => t.name.toLowerCase() === key))
    .map(([, name]) => name);
  if (!unknown.length || onMissing === 'ignore') return found;
  if (ctx.may('tags.edit') === 'none')
    invalid({
      tags: `There’s no tag named ${unknown.join(', ')}. Ask an administrator to add it.`,
    });
  await insertTags(
    ctx.tx,
    ctx.companyId,
    unknown.map((name) => ({ name, color: colorOf(name) })),
    ctx.actor.userId || null,
    ctx.now,
  );
  return tagsByKeys(ctx.tx, ctx.companyId, [...wanted.keys()]);
}
