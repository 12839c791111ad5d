import type { Answer, Body } from '#contract';
import { caddy as contract } from '#contract';
import { normalizePhone } from '#contract/phone';
import type { CodeChannel } from '#contract/caddy/rules';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import type { Tx } from '../../platform/db.ts';
import { fail, invalid, notFound } from '../../platform/errors.ts';
import { mustBe } from '../../platform/must-be.ts';
import type { Http } from '../../platform/routes.ts';
import { setOnlyContact } from '../billing/index.ts';
import { patchCompany, requireZone } from '../companies/index.ts';
import { ownRow, patchPerson, personById } from '../identity/index.ts';
import { heldNumbers } from '../numbers/index.ts';
import { applyNotices } from './apply-notices.ts';
import { routeCalls } from './numbers/route-calls.ts';
import { profileOf } from './present.ts';
import { targetOf, type Target } from './rules.ts';
import { sendCode, useCode, type CodeFor } from './sign-in/send-code.ts';
import { addIdentity, removeIdentities } from './store-identities.ts';
import {
  accountRow,
  changeAccount,
  lockAccount,
  type AccountPatch,
  type AccountRow,
} from './store.ts';

// The system role: what an account signs in with is a directory of no company, and so are people.

type Said = Body<typeof contract.updateCaddyProfile>;

/** The signed-in person's profile. @throws ApiError `not_found` once it was erased */
export async function getProfile(t: TxCtx): Promise<Answer<typeof contract.getCaddyProfile>> {
  const account = (await accountRow(t.tx, t.companyId)) ?? notFound();
  // The app was opened; to the hour is enough.
  if (t.now.getTime() - account.last_opened_at.getTime() > 3_600_000)
    await changeAccount(t.tx, t.companyId, { last_opened_at: t.now });
  const person = mustBe(await ownRow(t.tx), 'the person of an account');
  return { data: await profileOf(t.tx, account, person) };
}

/**
 * Changes the profile. A new address or phone, also one that calls go to, is proved by a code first:
 * without one it is sent, and nothing changes. @throws ApiError `caddy.taken` to who proved it, `caddy.last_way`, field errors
 */
export async function updateProfile(
  ctx: Ctx,
  http: Http,
  said: Said,
): Promise<Answer<typeof contract.updateCaddyProfile>> {
  const before = (await accountRow(ctx.db.unscoped, ctx.companyId)) ?? notFound();
  const patch = patchOf(before, said);
  if (patch.forward_to) await requireOtherPhone(ctx, patch.forward_to);
  const address = newTarget(before, said);
  const proving = address ?? newForward(before, patch);
  if (address && newForward(before, patch))
    invalid({ forwardTo: 'Change one at a time: each has a code of its own.' });
  const timezone = said.timezone === undefined ? undefined : requireZone(said.timezone);
  if (proving) {
    const asked: CodeFor = { purpose: 'change', target: proving, accountId: ctx.companyId };
    if (!said.code) return { data: await sendCode(ctx, http, asked, said.device?.id) };
    await useCode(ctx, asked, said.code);
  }
  const answer = await ctx.db.systemTransaction(async (tx) => {
    await lockAccount(tx, ctx.companyId);
    if (address) await replaceIdentity(ctx, tx, address.channel, address.subject);
    for (const channel of ['email', 'phone'] as const)
      if (said[channel] === null && before[channel] !== null)
        await replaceIdentity(ctx, tx, channel, null);
    const account = await changeAccount(tx, ctx.companyId, { ...patch, updated_at: ctx.now });
    if (timezone !== undefined) await patchCompany(tx, ctx.companyId, { timezone }, ctx.now);
    const ofPerson = {
      ...(said.firstName !== undefined && { first_name: said.firstName }),
      ...(said.lastName !== undefined && { last_name: said.lastName }),
      ...(timezone !== undefined && { timezone }),
    };
    if (Object.keys(ofPerson).length) await patchPerson(tx, account.person_id, ofPerson);
    const person = mustBe(await personById(tx, account.person_id), 'the person of an account');
    return { data: await profileOf(tx, account, person) };
  });
  if (changesCalls(said)) await ctx.transaction(routeCalls);
  if (said.notifications || said.doNotDisturb !== undefined) await ctx.transaction(applyNotices);
  return answer;
}

/** Whether calls are routed otherwise from then on. */
const changesCalls = ({ forwardTo, voicemailGreeting, doNotDisturb, timezone }: Said): boolean =>
  [forwardTo, voicemailGreeting, doNotDisturb, timezone].some((one) => one !== undefined);

/** @throws ApiError a field error for a number of the account's own, which would ring itself */
async function requireOtherPhone(ctx: Ctx, phone: string): Promise<void> {
  const held = await ctx.readOnly((t) => heldNumbers(t.tx, t.companyId));
  if (held.some(({ number }) => number === phone))
    invalid({ forwardTo: 'This is your Caddy number. Enter another phone.' });
}

/** The address or phone that has yet to be proved; null: none is new. */
function newTarget(before: AccountRow, said: Said): Target | null {
  const targets = (['email', 'phone'] as const).flatMap((channel) => {
    if (said[channel] == null) return [];
    const target = targetOf(channel, said) ?? invalid({ [channel]: 'Enter a phone number.' });
    return target.subject === before[channel]?.toLowerCase() ? [] : [target];
  });
  if (targets.length > 1) invalid({ phone: 'Change one at a time: each has a code of its own.' });
  return targets[0] ?? null;
}

/** The phone that calls go to from now on, where it is not known yet to be the person's. Null: none. */
const newForward = (before: AccountRow, { forward_to: phone }: AccountPatch): Target | null =>
  phone && phone !== before.forward_to && phone !== before.phone
    ? { channel: 'phone', subject: phone }
    : null;

/** What changes without proof, and the phone that calls go to. */
function patchOf(before: AccountRow, said: Said): AccountPatch {
  const forward = said.forwardTo;
  const forward_to =
    forward === null || forward === undefined
      ? forward
      : (normalizePhone(forward) ?? invalid({ forwardTo: 'Enter a phone number.' }));
  return {
    ...(said.avatar !== undefined && { avatar: said.avatar || null }),
    ...(said.locale !== undefined && { locale: said.locale }),
    ...(forward_to !== undefined && { forward_to }),
    ...(said.voicemailGreeting !== undefined && {
      voicemail_greeting: said.voicemailGreeting || null,
    }),
    ...(said.doNotDisturb !== undefined && {
      do_not_disturb: said.doNotDisturb && JSON.stringify(said.doNotDisturb),
    }),
    ...(said.notifications && {
      notices: JSON.stringify({ ...(before.notices as object), ...said.notifications }),
    }),
  };
}

/** Gives the account another address or phone, or none: what it signs in with follows. */
async function replaceIdentity(
  ctx: Ctx,
  tx: Tx,
  channel: CodeChannel,
  subject: string | null,
): Promise<void> {
  const accountId = ctx.companyId;
  await removeIdentities(tx, accountId, channel);
  if (subject !== null) {
    const isOurs = await addIdentity(tx, {
      ...{ provider: channel, subject, account_id: accountId, created_at: ctx.now },
    });
    if (!isOurs) fail('caddy.taken');
  }
  const verified = subject === null ? null : ctx.now;
  const account = await changeAccount(
    tx,
    accountId,
    channel === 'email'
      ? { email: subject, email_verified_at: verified }
      : { phone: subject, phone_verified_at: verified },
  );
  // Codes, also the one for the end of the account, need somewhere to go.
  if (account.email === null && account.phone === null) fail('caddy.last_way');
  await setOnlyContact({ tx, companyId: accountId, now: ctx.now }, account);
}
