import { randomInt } from 'node:crypto';
import type { Answer, mfa as contract } from '#contract';
import type { MfaKind, SentCodeKind } from '#contract/identity/mfa/rules';
import { normalizePhone } from '#contract/phone';
import { enqueueIn, type Ctx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { fail, invalid } from '../../../platform/errors.ts';
import { queueMail } from '../../../platform/mail.ts';
import { madeWithOneOf, seal, sign, unseal } from '../../../platform/secrets.ts';
import type { PersonRow } from '../present.ts';
import { CODE_MINUTES, CODE_TRIES } from '../rules.ts';
import {
  countCodesSince,
  countFailedTry,
  insertCode,
  lockLatestCode,
  lockSignIn,
  markCodeUsed,
} from '../store.ts';
import { maskTarget, textingPlan } from './rules.ts';
import { codeSender, lockFactor, setPendingFactor } from './store.ts';
import { textCodeJob } from '../job-kinds.ts';

// The system role: people, sign-in codes and sessions belong to no company.

type SentAnswer = Answer<typeof contract.sendMfaCode>['data'];

const purposeOf = (kind: SentCodeKind) => `mfa_${kind}` as const;
/** Keyed, because six digits can be guessed from a plain hash; and bound to where it was sent. */
const hashOf = (secret: Buffer, personId: number, target: string, code: string): string =>
  sign(secret, `mfa:${personId}:${target}:${code}`);

/** The kind, if codes are sent for it. Fails with `mfa.not_for_kind`. */
export const requireSentKind = (kind: MfaKind): SentCodeKind =>
  kind === 'sms' || kind === 'email' ? kind : fail('mfa.not_for_kind');

/**
 * Where a person's code goes. `phone`: a number to set up, which is kept until it is verified.
 * Fails with `mfa.not_active` when no phone is known.
 */
export async function targetOf(
  ctx: Pick<Ctx, 'settings'>,
  tx: Tx,
  person: PersonRow,
  kind: SentCodeKind,
  phone?: string,
): Promise<string> {
  const factor = await lockFactor(tx, person.id, kind);
  if (kind === 'email') {
    if (!factor) await setPendingFactor(tx, person.id, kind, null);
    return person.email;
  }
  const { appSecrets } = ctx.settings;
  if (phone !== undefined) {
    const target = normalizePhone(phone) ?? invalid({ phone: 'Enter a phone number.' });
    await setPendingFactor(tx, person.id, kind, seal(appSecrets, target));
    return target;
  }
  const sealed = factor?.pending_sealed ?? factor?.secret_sealed ?? fail('mfa.not_active');
  return unseal(appSecrets, sealed);
}

/**
 * Queues a six-digit code. Fails with `mail.not_set_up`, `mfa.no_sender`, or `mfa.codes_used` when
 * `codesPerHour` is reached for this person, whatever the phone.
 */
export async function sendCode(
  ctx: Ctx,
  tx: Tx,
  person: PersonRow,
  kind: SentCodeKind,
  target: string,
): Promise<SentAnswer> {
  if (kind === 'email' && !ctx.settings.canMail) fail('mail.not_set_up');
  if (kind === 'sms' && !(await senderOf(ctx, tx, person.id, target))) fail('mfa.no_sender');
  await lockSignIn(tx, `${purposeOf(kind)}:${person.id}`);
  const hourAgo = new Date(ctx.now.getTime() - 3_600_000);
  const sent = await countCodesSince(tx, purposeOf(kind), String(person.id), hourAgo);
  if (sent >= ctx.settings.limits.codesPerHour) fail('mfa.codes_used');
  const code = String(randomInt(0, 1_000_000)).padStart(6, '0');
  const expiresAt = new Date(ctx.now.getTime() + CODE_MINUTES * 60_000);
  const codeId = await insertCode(tx, {
    purpose: purposeOf(kind),
    email_key: String(person.id),
    hash: hashOf(ctx.settings.appSecret, person.id, target, code),
    created_at: ctx.now,
    expires_at: expiresAt,
  });
  const { appSecrets } = ctx.settings;
  if (kind === 'email') await mailCode(ctx, tx, { to: target, code, codeId, expiresAt });
  else
    await enqueueIn(tx, textCodeJob, {
      personId: person.id,
      codeId,
      sealed: seal(appSecrets, JSON.stringify({ to: target, code })),
      expiresAt: expiresAt.toISOString(),
    });
  return { masked: maskTarget(kind, target) ?? '', expires_in: CODE_MINUTES * 60 };
}

const mailCode = (
  ctx: Ctx,
  tx: Tx,
  mail: { to: string; code: string; codeId: number; expiresAt: Date },
): Promise<void> =>
  queueMail(
    ctx,
    {
      to: mail.to,
      key: `mfa:${mail.codeId}`,
      expiresAt: mail.expiresAt,
      urgent: true,
      subject: `${mail.code} is your code`,
      text: `Your code is ${mail.code}. It expires in ${CODE_MINUTES} minutes.\n\nIf you didn’t try to sign in, someone knows your password. Change it.`,
      html: `<p>Your code is <b>${mail.code}</b>. It expires in ${CODE_MINUTES} minutes.</p><p>If you didn’t try to sign in, someone knows your password. Change it.</p>`,
    },
    tx,
  );

/** A number of the person's companies and its carrier, which may text this phone; null: none. */
async function senderOf(ctx: Ctx, tx: Tx, personId: number, target: string) {
  const plan = textingPlan(target);
  const sender = plan === null ? undefined : await codeSender(tx, personId, target, plan);
  const messaging =
    sender &&
    ctx.gateways.carriers.forNumber({
      providerId: sender.provider_id,
      providerRef: sender.provider_ref,
    })?.messaging;
  return messaging ? { number: sender.number, messaging } : null;
}

/**
 * Job: texts a code. What the carrier refuses is logged, and the person asks for another one; a
 * text whose response was lost is not repeated.
 */
export async function textCode(
  ctx: Ctx,
  job: { personId: number; codeId: number; sealed: string; expiresAt: string },
): Promise<void> {
  if (new Date(job.expiresAt) <= ctx.now) return;
  const { to, code } = JSON.parse(unseal(ctx.settings.appSecrets, job.sealed)) as {
    to: string;
    code: string;
  };
  const sender = await senderOf(ctx, ctx.db.unscoped, job.personId, to);
  if (!sender) return ctx.log.warn({ personId: job.personId }, 'no number can text a code');
  const result = await sender.messaging.send({
    from: sender.number,
    to,
    text: `Your Trunkline code is ${code}. It expires in ${CODE_MINUTES} minutes. Never share it.`,
    media: [],
    key: `mfa-${job.codeId}`,
  });
  if (result.state !== 'accepted')
    ctx.log.warn({ personId: job.personId, reason: result.reason }, 'a code was not texted');
}

/** Uses a sent code up. False: wrong, expired, or the fifth wrong try; a wrong try is counted. */
export async function consumeSentCode(
  ctx: Pick<Ctx, 'settings' | 'now'>,
  tx: Tx,
  personId: number,
  kind: SentCodeKind,
  target: string,
  code: string,
): Promise<boolean> {
  const sent = await lockLatestCode(tx, purposeOf(kind), String(personId), ctx.now);
  if (!sent || sent.tries >= CODE_TRIES) return false;
  const isRight = madeWithOneOf(ctx.settings.appSecrets, sent.hash, (secret) =>
    hashOf(secret, personId, target, code),
  );
  await (isRight ? markCodeUsed(tx, sent.id, ctx.now) : countFailedTry(tx, sent.id));
  return isRight;
}
