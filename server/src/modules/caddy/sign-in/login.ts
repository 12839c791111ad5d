import type { Answer, Body } from '#contract';
import { caddy as contract } from '#contract';
import type { Ctx } from '../../../platform/context.ts';
import { fail } from '../../../platform/errors.ts';
import type { Http } from '../../../platform/routes.ts';
import { checkPassword } from '../../identity/index.ts';
import { attemptKey, type Target } from '../rules.ts';
import { accountOf } from '../store-identities.ts';
import { accountRow, lockAccount } from '../store.ts';
import { loginByProvider } from './by-provider.ts';
import { openCaddySession } from './open-caddy-session.ts';
import { requireTarget } from './register.ts';
import { sendCode, useCode } from './send-code.ts';

// The system role: who signs in isn't known before.

/**
 * Signs in with a code in two steps, or with a password or a provider's token in one. A stranger's first step is answered as
 * anyone's, and the second like a wrong code.
 */
export async function login(
  ctx: Ctx,
  body: Body<typeof contract.caddyLogin>,
  http: Http,
): Promise<Answer<typeof contract.caddyLogin>> {
  const { provider } = body;
  if (provider !== 'email' && provider !== 'phone')
    return loginByProvider(ctx, provider, body, http);
  const target = requireTarget(provider, body);
  const { code, password, device } = body;
  const asked = { purpose: 'login', target, accountId: 0 } as const;
  if (password !== undefined && !code) return { data: await byPassword(ctx, http, target, body) };
  if (!code) return { data: await sendCode(ctx, http, asked, device?.id) };
  await useCode(ctx, asked, code);
  return ctx.db.systemTransaction(async (tx) => {
    const accountId = await accountOf(tx, target.channel, target.subject);
    const account = accountId === null ? undefined : await accountRow(tx, accountId);
    if (!account) return fail('caddy.code_over', {}, { triesLeft: 0 });
    return { data: await openCaddySession(ctx, tx, http, account, device) };
  });
}

async function byPassword(
  ctx: Ctx,
  http: Http,
  target: Target,
  { password = '', device }: Body<typeof contract.caddyLogin>,
) {
  const { channel, subject } = target;
  const accountId = await accountOf(ctx.db.unscoped, channel, subject);
  const found = accountId === null ? undefined : await accountRow(ctx.db.unscoped, accountId);
  const isRight = await checkPassword(ctx, http, {
    key: attemptKey(target),
    hash: found?.password_hash,
    password,
  });
  if (!isRight || accountId === null) return fail('caddy.password_wrong');
  return ctx.db.systemTransaction(async (tx) => {
    const account = await lockAccount(tx, accountId);
    // It may have been changed while it was verified: then it opens nothing any more.
    if (account?.password_hash !== found?.password_hash || !account)
      return fail('caddy.password_wrong');
    return openCaddySession(ctx, tx, http, account, device);
  });
}
