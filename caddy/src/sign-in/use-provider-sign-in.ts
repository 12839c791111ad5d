import { useState } from 'react';
import { caddy, type Answer } from '#contract';
import { api, ApiError } from '#ui';
import { device, signedIn } from '../session.ts';
import { useRun } from '../use-run.ts';
import type { Visit } from './provider-visit.ts';
import { quietly, type Sent } from './use-code-sign-in.ts';

/**
 * Signing up or in with a provider's token. Who signs up and has an account is signed in; `sent` is
 * there once a code has to prove the address as well.
 */
export function useProviderSignIn(id_token: string, { provider, mode, search }: Visit) {
  const [sent, setSent] = useState<Sent | null>(null);
  const { run, error, isPending } = useRun();
  const body = { provider, id_token, device: device() };

  const take = ({ data }: Answer<typeof caddy.caddyLogin>, isNew: boolean): void => {
    if ('token' in data) signedIn(data, isNew);
    else setSent({ masked: data.masked, resendAt: Date.now() + data.resend_in * 1000 });
  };
  const signIn = async (code?: string): Promise<void> =>
    take(await api(caddy.caddyLogin, { body: { ...body, ...(code && { code }) } }, quietly), false);
  const signUp = async (): Promise<void> => {
    const invite = new URLSearchParams(search).get('invite');
    try {
      const asked = { ...body, ...(invite && { invite_code: invite }) };
      take(await api(caddy.caddyRegister, { body: asked }, quietly), true);
    } catch (problem) {
      const hasAccount = problem instanceof ApiError && problem.code === 'caddy.exists';
      if (!hasAccount) throw problem;
      await signIn();
    }
  };
  return {
    sent,
    error,
    isPending,
    begin: () => run(mode === 'up' ? signUp : signIn),
    signUp: () => run(signUp),
    sendCode: () => run(() => signIn()),
    submitCode: (code: string) => run(() => signIn(code)),
  };
}
export type ProviderSignIn = ReturnType<typeof useProviderSignIn>;
