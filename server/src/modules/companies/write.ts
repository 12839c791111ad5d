import type { Answer, Body } from '#contract';
import { companies as contract } from '#contract';
import { entityOf } from '#contract/field-rules';
import { canonicalZone } from '#contract/schedule-rules';
import { audit } from '../../platform/audit.ts';
import type { Http } from '../../platform/answer.ts';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import type { Tx } from '../../platform/db.ts';
import { Refusal, invalid, missing, refuse } from '../../platform/refuse.ts';
import { setValues, valuesOf } from '../fields/index.ts';
import {
  briefOf,
  createPerson,
  giveSipCredentials,
  hashPassword,
  openSession,
  sendSignupCode,
  useFirstOwnerKey,
  useSignupCode,
  whyNotPassword,
} from '../identity/index.ts';
import { presentCompany } from './present.ts';
import { getCompany } from './read.ts';
import {
  anyCompany,
  companyRow,
  insertCompany,
  insertMembership,
  isOrganizationAdmin,
  patchCompany,
  removeCompany,
  type CompanyPatch,
  type Turned,
} from './store.ts';

/** Known IANA zone names only (A §5), kept by their canonical name (A29); anything else is refused at its field. */
export const knownZone = (zone: string): boolean => canonicalZone(zone) !== null;
const zoneIn = (zone: string): string =>
  canonicalZone(zone) ?? invalid({ timezone: 'Choose a time zone from the list.' });

function asPatch(said: Body<typeof contract.updateCompany>): CompanyPatch {
  const {
    address,
    eav_attribute_values: _,
    email,
    texting_requires_verification: __,
    settings: ___,
    ...plain
  } = said;
  return {
    ...Object.fromEntries(Object.entries(plain).filter(([, v]) => v !== undefined)),
    ...(plain.timezone !== undefined ? { timezone: zoneIn(plain.timezone) } : {}),
    ...(email !== undefined ? { email: email || null } : {}),
    ...(address ? { address: JSON.stringify(address) } : {}),
  };
}
/** What is turned, and what goes back to its default (null). */
function asTurned({
  settings = {},
  texting_requires_verification,
}: Body<typeof contract.updateCompany>): Turned {
  const said = Object.entries(settings).filter(([, value]) => value !== undefined);
  return {
    set: {
      ...Object.fromEntries(said.filter(([, value]) => value !== null)),
      ...(typeof texting_requires_verification === 'boolean' && { texting_requires_verification }),
    },
    back: [
      ...said.filter(([, value]) => value === null).map(([name]) => name),
      ...(texting_requires_verification === null ? ['texting_requires_verification'] : []),
    ],
  };
}

export async function updateCompany(
  ctx: TxCtx,
  said: Body<typeof contract.updateCompany>,
): Promise<Answer<typeof contract.updateCompany>> {
  const before = (await companyRow(ctx.tx, ctx.companyId)) ?? missing();
  if (said.settings && ctx.may('settings.edit') === 'none') refuse('role.forbidden');
  const values = said.eav_attribute_values
    ? await setValues(ctx, entityOf.company, ctx.companyId, said.eav_attribute_values, {
        at: 'eav_attribute_values',
      })
    : [];
  const turned = asTurned(said);
  const after = await patchCompany(ctx.tx, ctx.companyId, asPatch(said), turned, ctx.now);
  const changed = Object.keys(said).filter(
    (k) => k in before && k !== 'settings',
  ) as (keyof typeof before)[];
  // Of the settings only those that were named: the rest is none of this change's business.
  const names = [...Object.keys(turned.set), ...turned.back];
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
  await ctx.say(contract.companyChanged, { companyId: ctx.companyId });
  return getCompany(ctx);
}

/** A company made by its owner: act_as is owner (A §4). */
export async function createCompany(
  ctx: Ctx,
  said: Body<typeof contract.createCompany>,
): Promise<Answer<typeof contract.createCompany>> {
  const { organization_id, name, ...info } = said.company_info;
  if (organization_id && !ctx.actor.adminMode) {
    if (!(await isOrganizationAdmin(ctx.db.directory, organization_id, ctx.actor.userId)))
      missing();
  }
  const row = await ctx.db.system(async (tx) => {
    const made = await insertCompany(tx, {
      ...asPatch(info),
      name,
      timezone: info.timezone ?? 'UTC',
      organization_id: organization_id ?? null,
      settings: JSON.stringify(asTurned(info).set),
      billing_info: JSON.stringify(withoutCard(said.billing_info ?? {})),
      created_at: ctx.now,
    });
    await insertMembership(tx, { company_id: made.id, user_id: ctx.actor.userId, role: 'owner' });
    const here = { tx, companyId: made.id, actor: ctx.actor, now: ctx.now };
    await setValues(
      here,
      entityOf.company,
      made.id,
      said.eav_attributes ?? info.eav_attribute_values ?? [],
      { at: 'eav_attributes' },
    );
    return { made, values: (await valuesOf(here, entityOf.company, [made.id])).get(made.id)! };
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
    if ((error as { code?: string }).code === '23503') refuse('company.has_activity');
    throw error;
  }
}

/**
 * Sign-up in two steps: without a code one is mailed (202); with it the person, and their company, are made. Who has an account
 * already hears of it by mail, never from this answer. The first owner of a server without mail brings a key instead.
 */
export async function signup(
  ctx: Ctx,
  said: Body<typeof contract.signup>,
  http: Http,
): Promise<Answer<typeof contract.signup>> {
  const why = whyNotPassword(said.password, said.email);
  if (why) invalid({ password: why });
  if (said.timezone !== undefined) said = { ...said, timezone: zoneIn(said.timezone) };
  if (said.owner_key !== undefined)
    return signUp(ctx, said, http, async (tx) => {
      if (!(await useFirstOwnerKey(tx, said.owner_key!, ctx.now))) refuse('signup.link_used');
    });
  if (!ctx.settings.canMail) refuse('mail.not_set_up');
  if (!said.code) {
    const sent = await sendSignupCode(ctx, said.email);
    if (!sent) {
      void http.reply.header('retry-after', '3600');
      throw new Refusal('rate.limited', { seconds: 3600 });
    }
    void http.reply.code(202);
    return { data: { sent: true, masked: sent.masked, expires_in: sent.expiresIn, resend_in: 30 } };
  }
  // In a transaction of its own: a wrong try counts also when nothing else happens.
  const right = await ctx.db.system((tx) => useSignupCode(ctx, tx, said.email, said.code!));
  if (!right) invalid({ code: 'That code is not valid or has expired.' });
  return signUp(ctx, said, http);
}

/** Make the person, their company and their session. `first` runs in the same transaction, before anything is made. */
async function signUp(
  ctx: Ctx,
  said: Body<typeof contract.signup>,
  http: Http,
  first?: (tx: Tx) => Promise<void>,
) {
  const passwordHash = await hashPassword(said.password);
  return ctx.db.system(async (tx) => {
    await first?.(tx);
    const person =
      (await createPerson(tx, {
        email: said.email,
        passwordHash,
        firstName: said.first_name ?? '',
        lastName: said.last_name ?? '',
        timezone: said.timezone ?? null,
      })) ?? refuse('email.taken');
    await giveSipCredentials(
      tx,
      ctx.settings.appSecret,
      person,
      new URL(ctx.settings.publicUrl).hostname,
    );
    const name = said.company_name || `${said.first_name ?? said.email.split('@')[0]}’s company`;
    const company = await insertCompany(tx, {
      name,
      timezone: said.timezone ?? 'UTC',
      created_at: ctx.now,
    });
    await insertMembership(tx, { company_id: company.id, user_id: person.id, role: 'owner' });
    const { token } = await openSession(ctx, tx, http, { personId: person.id, kind: 'browser' });
    return { token, data: briefOf(person) };
  });
}

/** Is there anybody yet, and can codes be mailed? Who has an account is nobody's business. */
export async function checkSignup(ctx: Ctx): Promise<Answer<typeof contract.checkSignup>> {
  return {
    data: { open: true, first: !(await anyCompany(ctx.db.directory)), mail: ctx.settings.canMail },
  };
}
