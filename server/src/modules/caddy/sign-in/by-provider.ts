import type { Answer, Body } from '#contract';
import { caddy as contract } from '#contract';
import { providerVisitSeconds, type IdentityProviderName } from '#contract/caddy/rules';
import type { IdTokenProvider, VouchedPerson } from '../../../gateways/id-tokens.ts';
import type { Ctx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { fail, invalid } from '../../../platform/errors.ts';
import { queueMail } from '../../../platform/mail.ts';
import type { Http } from '../../../platform/routes.ts';
import { randomToken } from '../../../platform/secrets.ts';
import { joinByCode } from '../invitations/invite.ts';
import { accountOf, addIdentity } from '../store-identities.ts';
import { accountRow, lockAccount, type AccountRow } from '../store.ts';
import { createNonce, endOfNonce, isNonceUsed, takeNonce } from './nonces.ts';
import { openAccount } from './open-account.ts';
import { openCaddySession } from './open-caddy-session.ts';
import { returnAddress } from './provider-return.ts';
import { sendCode, useCode } from './send-code.ts';

// The system role: who signs in isn't known before.

const providerNamed = ({ gateways }: Pick<Ctx, 'gateways'>, name: string): IdTokenProvider =>
  gateways.idTokens.get(name) ?? fail('caddy.provider_off');

/** The providers that the sign-in page offers. */
export const listProviders = async (
  ctx: Ctx,
): Promise<Answer<typeof contract.listCaddyProviders>> => ({
  data: [...ctx.gateways.idTokens.values()].map(({ name, label }) => ({ provider: name, label })),
});

/** The provider's page, and what comes back from it. @throws ApiError `caddy.provider_off` */
export async function startProvider(
  ctx: Ctx,
  name: IdentityProviderName,
): Promise<Answer<typeof contract.startCaddyProvider>> {
  const provider = providerNamed(ctx, name);
  const [state, nonce] = [randomToken('tls'), createNonce(ctx, name)];
  const redirectUri = returnAddress(ctx.settings, name);
  const url = provider.authorizationUrl({ state, nonce, redirectUri });
  return { data: { url, state, nonce, expires_in: providerVisitSeconds } };
}

/** Whom a provider has vouched for, until the nonce ends. */
interface Vouched extends VouchedPerson {
  provider: IdentityProviderName;
  label: string;
  nonce: string;
  endsAt: Date;
}

/** @throws ApiError `caddy.provider_off`, `caddy.provider_away`, `caddy.token_refused`, a field error */
async function vouchedFor(
  ctx: Ctx,
  name: IdentityProviderName,
  idToken: string | undefined,
): Promise<Vouched> {
  const provider = providerNamed(ctx, name);
  const { label } = provider;
  if (!idToken) invalid({ id_token: `Send the ID token of ${label}.` });
  const result = await provider.verify(idToken);
  if (result.state !== 'known') {
    ctx.log.warn({ provider: name, ...result }, 'an ID token was not accepted');
    return result.state === 'away'
      ? fail('caddy.provider_away', { provider: label })
      : refused(label);
  }
  const { person, nonce } = result;
  const endsAt = endOfNonce(ctx, name, nonce);
  if (!endsAt || nonce === null || (await isNonceUsed(ctx.db.unscoped, nonce)))
    return refused(label);
  return { ...person, provider: name, label, nonce, endsAt };
}
const refused = (label: string): never => fail('caddy.token_refused', { provider: label });

/** Each token opens one session. One that was answered with an error can be sent again. */
async function useUp(tx: Tx, vouched: Vouched): Promise<void> {
  if (!(await takeNonce(tx, vouched))) refused(vouched.label);
}

/**
 * Opens an account for whom a provider vouches, and its first session.
 * @throws ApiError `caddy.exists`, also when their email address has an account; `caddy.unverified`
 */
export async function registerByProvider(
  ctx: Ctx,
  name: IdentityProviderName,
  { id_token, invite_code, device }: Body<typeof contract.caddyRegister>,
  http: Http,
): Promise<Answer<typeof contract.caddyRegister>> {
  const vouched = await vouchedFor(ctx, name, id_token);
  const { provider, subject, label, verifiedEmail: email, firstName, lastName } = vouched;
  return ctx.db.systemTransaction(async (tx) => {
    if ((await accountOf(tx, provider, subject)) !== null) fail('caddy.exists');
    if (email === null) return fail('caddy.unverified', { provider: label });
    await useUp(tx, vouched);
    const account = await openAccount(ctx, tx, {
      ...{ provider, subject, email, firstName, lastName, phone: null, passwordHash: null },
    });
    // The address is theirs, so its codes open this account, and no other account has it.
    const of = { account_id: account.company_id, created_at: ctx.now };
    if (!(await addIdentity(tx, { provider: 'email', subject: email, ...of })))
      fail('caddy.exists');
    const taken = { accountId: account.company_id, at: ctx.now };
    if (invite_code) await joinByCode(tx, invite_code, taken);
    return { data: await openCaddySession(ctx, tx, http, account, device) };
  });
}

/**
 * Signs in whom a provider vouches for. Who has an account by the address that it verified, and not by
 * the provider, is sent a code first: with it both are connected.
 * @throws ApiError `caddy.unknown`, those of a code
 */
export async function loginByProvider(
  ctx: Ctx,
  name: IdentityProviderName,
  { id_token, code, device }: Body<typeof contract.caddyLogin>,
  http: Http,
): Promise<Answer<typeof contract.caddyLogin>> {
  const vouched = await vouchedFor(ctx, name, id_token);
  const known = await accountOf(ctx.db.unscoped, vouched.provider, vouched.subject);
  if (known === null) {
    const subject = vouched.verifiedEmail;
    const hasAccount = subject !== null && (await accountOf(ctx.db.unscoped, 'email', subject));
    if (!hasAccount) return fail('caddy.unknown');
    const target = { channel: 'email' as const, subject };
    const asked = { purpose: 'login', target, accountId: 0 } as const;
    if (!code) return { data: await sendCode(ctx, http, asked, device?.id) };
    await useCode(ctx, asked, code);
  }
  return ctx.db.systemTransaction(async (tx) => {
    await useUp(tx, vouched);
    const account = known === null ? await connect(ctx, tx, vouched) : await accountRow(tx, known);
    if (!account) return fail('caddy.unknown');
    return { data: await openCaddySession(ctx, tx, http, account, device) };
  });
}

/** Connects the provider to the account of its verified address, and tells its person. */
async function connect(ctx: Ctx, tx: Tx, vouched: Vouched): Promise<AccountRow> {
  const { provider, subject, label, verifiedEmail } = vouched;
  const accountId = verifiedEmail && (await accountOf(tx, 'email', verifiedEmail));
  const account = accountId ? await lockAccount(tx, accountId) : undefined;
  if (!account || verifiedEmail === null) return fail('caddy.unknown');
  const of = { account_id: account.company_id, created_at: ctx.now };
  if (!(await addIdentity(tx, { provider, subject, ...of }))) return refused(label);
  const text = `You can now sign in to Caddy with ${label}. If this wasn’t you, change your email’s password and write to us.`;
  await queueMail(
    ctx,
    {
      to: verifiedEmail,
      subject: `${label} is connected to your account`,
      text,
      html: `<p>${text}</p>`,
      key: `caddy-connected:${account.company_id}:${provider}:${ctx.now.getTime()}`,
    },
    tx,
  );
  return account;
}
