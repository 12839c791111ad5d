import type { Answer, Body } from '#contract';
import { companies as contract } from '#contract';
import { entityOf } from '#contract/fields/rules';
import { canonicalZone } from '#contract/routing/schedules/rules';
import { audit } from '../../platform/audit.ts';
import type { Http } from '../../platform/routes.ts';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import type { Tx } from '../../platform/db.ts';
import { ApiError, invalid, notFound, fail } from '../../platform/errors.ts';
import { setValues, valuesOf } from '../fields/index.ts';
import {
  presentPerson,
  createPerson,
  createSipCredentials,
  hashPassword,
  openSession,
  sendSignupCode,
  consumeFirstOwnerKey,
  consumeSignupCode,
  passwordProblem,
} from '../identity/index.ts';
import { presentCompany } from './present.ts';
import { getCompany } from './read.ts';
import {
  anyCompanyExists,
  companyRow,
  insertCompany,
  insertMembership,
  isOrganizationAdmin,
  patchCompany,
  removeCompany,
  type CompanyPatch,
  type SettingsPatch,
} from './store.ts';

/** Known IANA zone names only (A §5), kept by their canonical name (A29); anything else is refused at its field. */
export const isKnownZone = (zone: string): boolean => canonicalZone(zone) !== null;
const requireZone = (zone: string): string =>
  canonicalZone(zone) ?? invalid({ timezone: 'Choose a time zone from the list.' });

function companyPatchOf(body: Body<typeof contract.updateCompany>): CompanyPatch {
  const {
    address,
    eav_attribute_values: _,
    email,
    texting_requires_verification: __,
    settings: ___,
    ...plain
  } = body;
  return {
    ...Object.fromEntries(Object.entries(plain).filter(([, v]) => v !== undefined)),
    ...(plain.timezone !== undefined ? { timezone: requireZone(plain.timezone) } : {}),
    ...(email !== undefined ? { email: email || null } : {}),
    ...(address ? { address: JSON.stringify(address) } : {}),
  };
}
/** What is turned, and what goes back to its default (null). */
function settingsPatchOf({
  settings = {},
  texting_requires_verification,
}: Body<typeof contract.updateCompany>): SettingsPatch {
  const said = Object.entries(settings).filter(([, value]) => value !== undefined);
  return {
    set: {
      ...Object.fromEntries(said.filter(([, value]) => value !== null)),
      ...(typeof texting_requires_verification === 'boolean' && { texting_requires_verification }),
    },
    reset: [
      ...said.filter(([, value]) => value === null).map(([name]) => name),
      ...(texting_requires_verification === null ? ['texting_requires_verification'] : []),
    ],
  };
}

export async function updateCompany(
  ctx: TxCtx,
  body: Body<typeof contract.updateCompany>,
): Promise<Answer<typeof contract.updateCompany>> {
  const before = (await companyRow(ctx.tx, ctx.companyId)) ?? notFound();
  if (body.settings && ctx.may('settings.edit') === 'none') fail('role.forbidden');
  const values = body.eav_attribute_values
    ? await setValues(ctx, entityOf.company, ctx.companyId, body.eav_attribute_values, {
        at: 'eav_attribute_values',
      })
    : [];
  const settings = settingsPatchOf(body);
  const after = await patchCompany(ctx.tx, ctx.companyId, companyPatchOf(body), settings, ctx.now);
  const changed = Object.keys(body).filter(
    (k) => k in before && k !== 'settings',
  ) as (keyof typeof before)[];
  // Of the settings only those that were named: the rest is none of this change's business.
  const names = [...Object.keys(settings.set), ...settings.reset];
  const settingsIn = (row: typeof before) =>
    names.map((name) => [name, (row.settings as Record<string, unknown>)[name] ?? null] as const);
  await audit(ctx, 'company.updated', `company:${ctx.companyId}`, {
    before: Object.fromEntries([
      ...changed.map((k) => [k, before[k]] as const),
      ...settingsIn(before),
      ...values.map((v) => [v.field.key, v.before] as const),
    ]),
    after: Object.fromEntries([
      ...changed.map((k) => [k, after[k]] as const),
      ...settingsIn(after),
      ...values.map((v) => [v.field.key, v.after] as const),
    ]),
  });
  await ctx.publish(contract.companyChanged, { companyId: ctx.companyId });
  return getCompany(ctx);
}

/** A company made by its owner: act_as is owner (A §4). */
export async function createCompany(
  ctx: Ctx,
  body: Body<typeof contract.createCompany>,
): Promise<Answer<typeof contract.createCompany>> {
  const { organization_id, name, ...info } = body.company_info;
  if (organization_id && !ctx.actor.adminMode) {
    if (!(await isOrganizationAdmin(ctx.db.unscoped, organization_id, ctx.actor.userId)))
      notFound();
  }
  const row = await ctx.db.systemTransaction(async (tx) => {
    const company = await insertCompany(tx, {
      ...companyPatchOf(info),
      name,
      timezone: info.timezone ?? 'UTC',
      organization_id: organization_id ?? null,
      settings: JSON.stringify(settingsPatchOf(info).set),
      billing_info: JSON.stringify(withoutCard(body.billing_info ?? {})),
      created_at: ctx.now,
    });
    await insertMembership(tx, {
      company_id: company.id,
      user_id: ctx.actor.userId,
      role: 'owner',
    });
    const scope = { tx, companyId: company.id, actor: ctx.actor, now: ctx.now };
    await setValues(
      scope,
      entityOf.company,
      company.id,
      body.eav_attributes ?? info.eav_attribute_values ?? [],
      { at: 'eav_attributes' },
    );
    return {
      made: company,
      values: (await valuesOf(scope, entityOf.company, [company.id])).get(company.id)!,
    };
  });
  return {
    data: presentCompany(row.made, 'owner', 1, { numbers: 0, contacts: 0, unread: 0 }, row.values),
  };
}
/** Card numbers are never stored (A19.3). */
const withoutCard = (billing: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(billing).filter(([k]) => !k.startsWith('cc_')));

export async function deleteCompany(ctx: Ctx): Promise<void> {
  try {
    await ctx.transaction((t) => removeCompany(t.tx, t.companyId));
  } catch (error) {
    // The database knows every table that refers to a company: numbers, calls, messages, contacts, files.
    if ((error as { code?: string }).code === '23503') fail('company.has_activity');
    throw error;
  }
}

/**
 * Sign-up in two steps: without a code one is mailed (202); with it the person, and their company, are made. Who has an account
 * already hears of it by mail, never from this answer. The first owner of a server without mail brings a key instead.
 */
export async function signup(
  ctx: Ctx,
  body: Body<typeof contract.signup>,
  http: Http,
): Promise<Answer<typeof contract.signup>> {
  const problem = passwordProblem(body.password, body.email);
  if (problem) invalid({ password: problem });
  if (body.timezone !== undefined) body = { ...body, timezone: requireZone(body.timezone) };
  if (body.owner_key !== undefined)
    return createAccount(ctx, body, http, async (tx) => {
      if (!(await consumeFirstOwnerKey(tx, body.owner_key!, ctx.now))) fail('signup.link_used');
    });
  if (!ctx.settings.canMail) fail('mail.not_set_up');
  if (!body.code) {
    const sent = await sendSignupCode(ctx, body.email);
    if (!sent) {
      void http.reply.header('retry-after', '3600');
      throw new ApiError('rate.limited', { seconds: 3600 });
    }
    void http.reply.code(202);
    return { data: { sent: true, masked: sent.masked, expires_in: sent.expiresIn, resend_in: 30 } };
  }
  // In a transaction of its own: a wrong try counts also when nothing else happens.
  const isValid = await ctx.db.systemTransaction((tx) =>
    consumeSignupCode(ctx, tx, body.email, body.code!),
  );
  if (!isValid) invalid({ code: 'That code is not valid or has expired.' });
  return createAccount(ctx, body, http);
}

/** Make the person, their company and their session. `first` runs in the same transaction, before anything is made. */
async function createAccount(
  ctx: Ctx,
  body: Body<typeof contract.signup>,
  http: Http,
  beforeCreate?: (tx: Tx) => Promise<void>,
) {
  const passwordHash = await hashPassword(body.password);
  return ctx.db.systemTransaction(async (tx) => {
    await beforeCreate?.(tx);
    const person =
      (await createPerson(tx, {
        email: body.email,
        passwordHash,
        firstName: body.first_name ?? '',
        lastName: body.last_name ?? '',
        timezone: body.timezone ?? null,
      })) ?? fail('email.taken');
    await createSipCredentials(
      tx,
      ctx.settings.appSecrets,
      person,
      new URL(ctx.settings.publicUrl).hostname,
    );
    const name = body.company_name || `${body.first_name ?? body.email.split('@')[0]}’s company`;
    const company = await insertCompany(tx, {
      name,
      timezone: body.timezone ?? 'UTC',
      created_at: ctx.now,
    });
    await insertMembership(tx, { company_id: company.id, user_id: person.id, role: 'owner' });
    const { token } = await openSession(ctx, tx, http, { personId: person.id, kind: 'browser' });
    return { token, data: presentPerson(person) };
  });
}

/** Is there anybody yet, and can codes be mailed? Who has an account is nobody's business. */
export async function checkSignup(ctx: Ctx): Promise<Answer<typeof contract.checkSignup>> {
  return {
    data: {
      open: true,
      first: !(await anyCompanyExists(ctx.db.unscoped)),
      mail: ctx.settings.canMail,
    },
  };
}
