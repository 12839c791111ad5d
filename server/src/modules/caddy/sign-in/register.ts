import type { Answer, Body } from '#contract';
import { caddy as contract } from '#contract';
import type { CodeChannel } from '#contract/caddy/rules';
import type { Ctx } from '../../../platform/context.ts';
import { invalid } from '../../../platform/errors.ts';
import type { Http } from '../../../platform/routes.ts';
import { hashPassword, passwordProblem } from '../../identity/index.ts';
import { joinByCode } from '../invitations/invite.ts';
import { targetOf, type Target } from '../rules.ts';
import { registerByProvider } from './by-provider.ts';
import { openAccount } from './open-account.ts';
import { openCaddySession } from './open-caddy-session.ts';
import { sendCode, useCode } from './send-code.ts';

// The system role: who signs up has no company yet.

type Said = Pick<Body<typeof contract.caddyLogin>, 'email' | 'phone'>;

/** Where the code goes, by what was said. @throws ApiError a field error */
export function requireTarget(provider: CodeChannel, said: Said): Target {
  const sentence = provider === 'email' ? 'Enter an email address.' : 'Enter a phone number.';
  return targetOf(provider, said) ?? invalid({ [provider]: sentence });
}

/**
 * Sign-up in two steps: a code, then the account and its first session; or in one, by a provider's token.
 * @throws ApiError `caddy.exists` to who proved that the address is theirs, and to no one else
 */
export async function register(
  ctx: Ctx,
  body: Body<typeof contract.caddyRegister>,
  http: Http,
): Promise<Answer<typeof contract.caddyRegister>> {
  const { provider } = body;
  if (provider !== 'email' && provider !== 'phone')
    return registerByProvider(ctx, provider, body, http);
  const target = requireTarget(provider, body);
  const { password, code, device } = body;
  const problem = password && passwordProblem(password, target.subject);
  if (problem) invalid({ password: problem });
  const asked = { purpose: 'register', target, accountId: 0 } as const;
  if (!code) return { data: await sendCode(ctx, http, asked, device?.id) };
  await useCode(ctx, asked, code);
  const passwordHash = password ? await hashPassword(password) : null;
  const { channel, subject } = target;
  return ctx.db.systemTransaction(async (tx) => {
    const account = await openAccount(ctx, tx, {
      ...{ provider: channel, subject, passwordHash },
      email: channel === 'email' ? subject : null,
      phone: channel === 'phone' ? subject : null,
    });
    const taken = { accountId: account.company_id, at: ctx.now };
    if (body.invite_code) await joinByCode(tx, body.invite_code, taken);
    return { data: await openCaddySession(ctx, tx, http, account, device) };
  });
}
