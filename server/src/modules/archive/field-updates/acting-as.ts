import type { UpdatableType } from '#contract/archive/field-updates/rules';
import { accessTo, grantIn, type Access } from '../../../platform/access.ts';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { fail } from '../../../platform/errors.ts';
import { actingAs, personNow } from '../../companies/index.ts';
import { kinds, typeOfId } from './kinds.ts';
import type { UpdateRow } from './store.ts';

/** Whoever started a run, as far as they still may. */
export interface Starter {
  /** The step's transaction in their name, with their rights of this moment. */
  acting(t: TxCtx): TxCtx;
}

/**
 * Who started a run, if they may still change such objects. Null: they left, were lowered or
 * deactivated, so the run ends.
 */
export async function starterOf(
  ctx: Ctx,
  row: UpdateRow,
  by: number | null,
): Promise<Starter | null> {
  const actor = by === null ? null : await personNow(ctx.db, by);
  const access = actor && accessTo(actor, ctx.companyId);
  if (!actor || !access || !mayChange(access, row)) return null;
  return { acting: (t) => actingAs({ ...t, valueSource: 'import' as const }, actor, access) };
}

const mayChange = (access: Access, { entity_type_id }: UpdateRow): boolean =>
  grantIn(access, 'fields.edit') === 'all' &&
  grantIn(access, kinds[typeOfId(entity_type_id)].permission) === 'all';

/** Fails with `role.forbidden` for objects of which the actor can't change many. */
export function requireChanging(ctx: Pick<Ctx, 'may'>, type: UpdatableType): void {
  if (ctx.may(kinds[type].permission) !== 'all') fail('role.forbidden');
}
