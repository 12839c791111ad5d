import type { Ctx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import {
  createPerson,
  createSipCredentials,
  patchPerson,
  personByEmail,
  personById,
  setEmail,
  type PersonRow,
} from '../../identity/index.ts';
import { auditEverywhere } from '../organizations/in-organization.ts';
import { domainOf } from '../sso/rules.ts';
import { proverOf } from '../sso/store.ts';
import { placeIn } from '../sso/store-sign-in.ts';
import { isKnownOutside } from '../users/store.ts';
import { applyGroups, deactivate, reactivate } from './apply-directory.ts';
import { addressOf, ScimError, scimNotFound, type ScimUserInput } from './messages.ts';
import {
  deleteScimUser,
  insertScimUser,
  patchScimUser,
  scimUser,
  type ScimUserRow,
} from './store.ts';

/** A user the directory names, of its organization. @throws ScimError 404 */
const requireUser = async (ctx: Ctx, tx: Tx, id: string): Promise<ScimUserRow> =>
  (await scimUser(tx, ctx.organizationId, id)) ?? scimNotFound();

/** @throws ScimError 400 unless the organization has proven the domain of the address */
async function requireOwnAddress(ctx: Ctx, tx: Tx, email: string): Promise<void> {
  const prover = await proverOf(tx, domainOf(email));
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || prover?.organization_id !== ctx.organizationId)
    throw new ScimError(
      400,
      `${email.slice(0, 320)} isn’t an email address at a domain that the organization has proven.`,
      'invalidValue',
    );
}

/**
 * Adds a user: someone new gets an account without a password, a person with the address is found by
 * it. @throws ScimError
 */
export async function createUser(ctx: Ctx, tx: Tx, said: ScimUserInput): Promise<ScimUserRow> {
  const { userName, externalId, name, active } = said;
  const email = addressOf(said);
  if (!userName || !email)
    throw new ScimError(400, 'A user needs a userName and an email address.', 'invalidValue');
  await requireOwnAddress(ctx, tx, email);
  const person =
    (await personByEmail(tx, email)) ??
    (await createPerson(tx, {
      email,
      passwordHash: null,
      firstName: name?.givenName ?? '',
      lastName: name?.familyName ?? '',
      timezone: null,
    }));
  if (!person || person.disabled_at) return taken();
  if (!person.sip_user)
    await createSipCredentials(
      tx,
      ctx.settings.appSecrets,
      person,
      new URL(ctx.settings.publicUrl).hostname,
    );
  const row =
    (await insertScimUser(tx, {
      organization_id: ctx.organizationId,
      person_id: person.id,
      user_name: userName,
      external_id: externalId ?? null,
      at: ctx.now,
    })) ?? taken();
  await auditEverywhere(ctx, tx, 'scim.user_added', `user:${person.id}`, {
    after: { user_name: userName },
  });
  const user = await requireUser(ctx, tx, row.id);
  if (active === false) await deactivate(ctx, tx, user);
  else await applyGroups(ctx, tx, user.id);
  return requireUser(ctx, tx, row.id);
}

const taken = (): never => {
  throw new ScimError(409, 'There is a user with this userName or email address.', 'uniqueness');
};

/** Changes what is said of a user. @throws ScimError */
export async function changeUser(
  ctx: Ctx,
  tx: Tx,
  id: string,
  said: ScimUserInput,
): Promise<ScimUserRow> {
  const user = await requireUser(ctx, tx, id);
  const { userName, externalId, active } = said;
  const person = (await personById(tx, user.person_id)) ?? scimNotFound();
  await rename(ctx, tx, person, said);
  if (
    (userName !== undefined && userName !== user.user_name) ||
    (externalId !== undefined && externalId !== user.external_id)
  )
    await patchScimUser(tx, user, {
      user_name: userName ?? user.user_name,
      external_id: externalId ?? user.external_id,
      updated_at: ctx.now,
    }).catch((error: { code?: string }) => {
      if (error.code !== '23505') throw error;
      return taken();
    });
  if (active === false) await deactivate(ctx, tx, user);
  if (active === true) await reactivate(ctx, tx, user);
  return requireUser(ctx, tx, id);
}

/**
 * Changes a person's name and address, if the organization is all they have here: the account of an
 * owner, or of someone with a place elsewhere, is the person's.
 */
async function rename(ctx: Ctx, tx: Tx, person: PersonRow, said: ScimUserInput): Promise<void> {
  const { organizationId } = ctx;
  const email = addressOf(said);
  const moves = email !== undefined && email.toLowerCase() !== person.email.toLowerCase();
  if (moves) await requireOwnAddress(ctx, tx, email);
  const { givenName, familyName } = said.name ?? {};
  const first_name = givenName ?? person.first_name;
  const last_name = familyName ?? person.last_name;
  const isRenamed = first_name !== person.first_name || last_name !== person.last_name;
  if (!moves && !isRenamed) return;
  const isTheirs =
    person.is_individual ||
    (await isKnownOutside(tx, person.id, organizationId)) ||
    (await placeIn(tx, organizationId, person.id)).isOwner;
  if (isTheirs) {
    if (moves)
      throw new ScimError(
        409,
        'This person also works elsewhere or owns a company, and changes the address in their profile.',
        'mutability',
      );
    return;
  }
  if (isRenamed) await patchPerson(tx, person.id, { first_name, last_name });
  if (moves && !(await setEmail(tx, person.id, email))) taken();
  await auditEverywhere(ctx, tx, 'scim.user_renamed', `user:${person.id}`, {
    before: { email: person.email, first_name: person.first_name, last_name: person.last_name },
    after: { email: moves ? email : person.email, first_name, last_name },
  });
}

/** Takes a user's access, and forgets them in the directory. The person stays. @throws ScimError */
export async function removeUser(ctx: Ctx, tx: Tx, id: string): Promise<void> {
  const user = await requireUser(ctx, tx, id);
  await deactivate(ctx, tx, user);
  await deleteScimUser(tx, ctx.organizationId, id);
  await auditEverywhere(ctx, tx, 'scim.user_removed', `user:${user.person_id}`, {
    before: { user_name: user.user_name },
  });
}
