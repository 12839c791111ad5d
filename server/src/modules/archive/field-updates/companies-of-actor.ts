import type { UpdatableType } from '#contract/archive/field-updates/rules';
import { accessTo, grantIn, type Access } from '../../../platform/access.ts';
import type { Ctx } from '../../../platform/context.ts';
import { kinds } from './kinds.ts';
import { companiesOf } from './store-organization.ts';

// The system role: organizations are above companies; dispatch has checked that the actor
// administers it.

export interface OwnCompany {
  id: number;
  name: string;
  access: Access;
}

/** The companies of the request's organization where the actor can change many such objects. */
export async function companiesOfActor(ctx: Ctx, type?: UpdatableType): Promise<OwnCompany[]> {
  const companies = await companiesOf(ctx.db.unscoped, ctx.organizationId);
  return companies.flatMap(({ id, name }) => {
    const access = accessTo(ctx.actor, id);
    const mayAll =
      grantIn(access, 'fields.edit') === 'all' &&
      (!type || grantIn(access, kinds[type].permission) === 'all');
    return access && mayAll ? [{ id, name, access }] : [];
  });
}
