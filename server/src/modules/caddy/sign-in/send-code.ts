import { randomInt } from 'node:crypto';
import { z } from 'zod';
import type { caddy as contract, Answer } from '#contract';
import {
  codeChannels,
  codeLimits,
  codeSeconds,
  codeTries,
  resendSeconds,
} from '#contract/caddy/rules';
import { enqueueIn, type Ctx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { ApiError, fail } from '../../../platform/errors.ts';
import { queueMail } from '../../../platform/mail.ts';
import type { Http } from '../../../platform/routes.ts';
import { madeWithOneOf, seal, sign, unseal } from '../../../platform/secrets.ts';
import { networkOf } from '../../identity/index.ts';
import { sendCodeJob } from '../job-kinds.ts';
import { masked, type Target } from '../rules.ts';
import { accountOf } from '../store-identities.ts';
import {
  countCodes,
  countTry,
  insertCode,
  lockNewestCode,
  markUsed,
  waitForTurn,
  type CodePurpose,
} from './store-codes.ts';

// The system role: who asks for a code is not known yet.

/** What a code is for: its purpose and target, and for a change or an end the account that asks. */
export interface CodeFor {
  purpose: CodePurpose;
  target: Target;
  /** 0: no one has signed in. */
  accountId: number;
}
type Sent = Answer<typeof contract.sendCaddyResetCode>['data'];

const HOUR_MS = 3_600_000;
const minutes = codeSeconds / 60;
const sealedCode = z.object({
  channel: z.enum(codeChannels),
  subject: z.string(),
  code: z.string(),
  /** Sent only while such an account exists. */
  needsAccount: z.boolean(),
  expiresAt: z.string(),
});

const keyed = (secret: Buffer, kind: string, value: string) =>
  sign(secret, `caddy:${kind}:${value}`);
const targetText = ({ target, accountId }: CodeFor) =>
  `${accountId}:${target.channel}:${target.subject}`;

/**
 * Makes a code and queues it. The answer is the same whether or not anything is sent: signing in and
 * resetting a password send nothing to strangers, and signing up says only with the right code that the
 * account exists. @throws ApiError `mail.not_set_up`, `caddy.no_texts`, `rate.limited`
 */
export async function sendCode(
  ctx: Ctx,
  http: Http,
  asked: CodeFor,
  deviceId: string | undefined,
): Promise<Sent> {
  const { target, purpose } = asked;
  if (target.channel === 'email' && !ctx.settings.canMail) fail('mail.not_set_up');
  if (target.channel === 'phone' && !textSender(ctx)) fail('caddy.no_texts');
  const { appSecret: secret, appSecrets } = ctx.settings;
  // Limited by where it goes, whatever it is for.
  const by = {
    target: keyed(secret, 'target', targetText({ ...asked, accountId: 0 })),
    device: deviceId === undefined ? null : keyed(secret, 'device', deviceId),
    network: keyed(secret, 'network', networkOf(http.ip)),
  };
  const code = String(randomInt(0, 1_000_000)).padStart(6, '0');
  const expiresAt = new Date(ctx.now.getTime() + codeSeconds * 1000);
  const waitSeconds = await ctx.db.systemTransaction(async (tx) => {
    const wait = await secondsToWait(ctx, tx, by, purpose);
    if (wait) return wait;
    const codeId = await insertCode(tx, {
      purpose,
      target_hash: by.target,
      device_hash: by.device,
      network_hash: by.network,
      hash: hashOf(secret, asked, code),
      created_at: ctx.now,
      expires_at: expiresAt,
    });
    const content: z.input<typeof sealedCode> = {
      ...{ channel: target.channel, subject: target.subject, code },
      needsAccount: purpose === 'login' || purpose === 'reset',
      expiresAt: expiresAt.toISOString(),
    };
    await enqueueIn(tx, sendCodeJob, { codeId, sealed: seal(appSecrets, JSON.stringify(content)) });
    return 0;
  });
  if (waitSeconds) {
    void http.reply.header('retry-after', String(waitSeconds));
    throw new ApiError('rate.limited', { seconds: waitSeconds });
  }
  void http.reply.code(202);
  return {
    ...{ sent: true, channel: target.channel, masked: masked(target) },
    ...{ expires_in: codeSeconds, resend_in: resendSeconds },
  };
}

const hashOf = (secret: Buffer, asked: CodeFor, code: string) =>
  sign(secret, `caddy:${asked.purpose}:${targetText(asked)}:${code}`);

/**
 * Seconds until another code can be asked for; 0: now. Strangers to whom codes go together have one
 * limit as well: a list of numbers and many networks would otherwise text without end at our cost.
 */
async function secondsToWait(
  ctx: Ctx,
  tx: Tx,
  by: { target: string; device: string | null; network: string },
  purpose: CodePurpose,
): Promise<number> {
  // Always in this order: another one could deadlock.
  const keys = [by.network, by.device, by.target].filter((key) => key !== null);
  for (const key of [...(purpose === 'register' ? ['register'] : []), ...keys])
    await waitForTurn(tx, key);
  const hourAgo = new Date(ctx.now.getTime() - HOUR_MS);
  const dayAgo = new Date(ctx.now.getTime() - 24 * HOUR_MS);
  const { targetPerHour, networkPerHour, devicePerDay } = codeLimits;
  if ((await countCodes(tx, 'target_hash', by.target, hourAgo)) >= targetPerHour) return 3600;
  if ((await countCodes(tx, 'network_hash', by.network, hourAgo)) >= networkPerHour) return 3600;
  if (by.device && (await countCodes(tx, 'device_hash', by.device, dayAgo)) >= devicePerDay)
    return 24 * 3600;
  const { caddyCodesPerHour } = ctx.settings.limits;
  const isFull =
    purpose === 'register' &&
    (await countCodes(tx, 'purpose', purpose, hourAgo)) >= caddyCodesPerHour;
  return isFull ? 3600 : 0;
}

/**
 * Uses a code up, in a transaction of its own so that a wrong try counts.
 * @throws ApiError `caddy.code_wrong` with the tries left; `caddy.code_over` when none works any more
 */
export async function useCode(ctx: Ctx, asked: CodeFor, code: string): Promise<void> {
  const { appSecrets } = ctx.settings;
  const targets = appSecrets.map((secret) =>
    keyed(secret, 'target', targetText({ ...asked, accountId: 0 })),
  );
  const triesLeft = await ctx.db.systemTransaction(async (tx) => {
    const sent = await lockNewestCode(tx, asked.purpose, targets, ctx.now);
    if (!sent || sent.tries >= codeTries) return 0;
    if (madeWithOneOf(appSecrets, sent.hash, (secret) => hashOf(secret, asked, code))) {
      await markUsed(tx, sent.id, ctx.now);
      return null;
    }
    await countTry(tx, sent.id);
    return codeTries - sent.tries - 1;
  });
  if (triesLeft === null) return;
  if (triesLeft === 0) fail('caddy.code_over', {}, { triesLeft });
  fail('caddy.code_wrong', { tries: triesLeft }, { triesLeft });
}

/** The number that texts codes and its carrier; null: there is none. */
function textSender({ settings, gateways }: Pick<Ctx, 'settings' | 'gateways'>) {
  const { messaging } = gateways.carriers.primary;
  return settings.caddyNumber && messaging ? { number: settings.caddyNumber, messaging } : null;
}

/** Job: sends the code. A text whose carrier refused it is logged, and the person asks again. */
export async function deliverCode(
  ctx: Ctx,
  { codeId, sealed }: { codeId: number; sealed: string },
): Promise<void> {
  const said = sealedCode.parse(JSON.parse(unseal(ctx.settings.appSecrets, sealed)));
  const expiresAt = new Date(said.expiresAt);
  if (expiresAt <= ctx.now) return;
  const known = await accountOf(ctx.db.unscoped, said.channel, said.subject);
  if (said.needsAccount && known === null) return;
  const text = `${said.code} is your Trunkline code. It expires in ${minutes} minutes. Never share it.`;
  if (said.channel === 'email')
    return queueMail(ctx, {
      ...{ to: said.subject, key: `caddy:${codeId}`, expiresAt, urgent: true },
      subject: `${said.code} is your code`,
      text: `${text}\n\nIf you didn’t ask for it, you can ignore this email.`,
      html: `<p>Your code is <b>${said.code}</b>. It expires in ${minutes} minutes. Never share it.</p><p>If you didn’t ask for it, you can ignore this email.</p>`,
    });
  const sender = textSender(ctx);
  if (!sender) return ctx.log.warn({ codeId }, 'no number can text a code');
  const result = await sender.messaging.send({
    ...{ from: sender.number, to: said.subject, text, media: [], key: `caddy-code-${codeId}` },
  });
  if (result.state !== 'accepted')
    ctx.log.warn({ codeId, reason: result.reason }, 'a code was not texted');
}
