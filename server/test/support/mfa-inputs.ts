import { TOTP } from 'otpauth';
import { mfa } from '#contract';
import { requestOk } from './fixtures.ts';
import type { InputContext } from './endpoint-inputs.ts';

const confirm = (s: InputContext) =>
  requestOk(s.app, s.person, mfa.confirmIdentity, { body: { password: 'trunkline-demo' } });
const params = { kind: 'totp' };
async function currentCode(s: InputContext): Promise<string> {
  const { secret } = await requestOk<{ secret: string }>(s.app, s.person, mfa.mfaQr, { params });
  return new TOTP({ secret }).generate({ timestamp: s.app.clock.value.getTime() });
}
async function enroll(s: InputContext): Promise<void> {
  await requestOk(s.app, s.person, mfa.verifyMfa, {
    params,
    body: { code: await currentCode(s) },
  });
  await confirm(s);
}

/** What the endpoints of second factors need beyond their examples. */
export const mfaInputs = {
  verifyMfa: async (s: InputContext) => ({ body: { code: await currentCode(s) } }),
  reactivateMfa: async (s: InputContext) => {
    await enroll(s);
    return {};
  },
  removeMfa: async (s: InputContext) => {
    await enroll(s);
    return { body: { code: undefined } };
  },
  passkeyCreationOptions: async (s: InputContext) => {
    await confirm(s);
    return {};
  },
  createPasskey: async (s: InputContext) => {
    await confirm(s);
    return {};
  },
  removePasskey: async (s: InputContext) => {
    await confirm(s);
    return {};
  },
  // Not the person whose caches other tests watch: their sessions end.
  resetUserFactors: async (s: InputContext) => {
    await confirm(s);
    return { params: { userId: s.company.people.billing.id } };
  },
};

const authenticator = {
  because: 'needs an authenticator',
  shownBy: 'identity/passkeys/passkeys',
};
export const mfaRuleErrors = {
  linkSignIn: {
    code: 'sign_in.expired',
    because: 'needs a browser that has returned from a provider',
    shownBy: 'identity/external-sign-in/external-sign-in',
  },
  createPasskey: { code: 'passkey.refused', ...authenticator },
  signInWithPasskey: { code: 'passkey.refused', ...authenticator },
  signInWithCode: {
    code: 'mfa.expired',
    because: 'needs the token of a right password',
    shownBy: 'identity/mfa/mfa',
  },
  mfaToken: {
    code: 'mfa.expired',
    because: 'needs the token of a right password',
    shownBy: 'identity/mfa/mfa',
  },
};
