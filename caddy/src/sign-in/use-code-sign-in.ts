import { useState } from 'react';
import { useForm } from '@mantine/form';
import { caddy } from '#contract';
import { t, useApiMutation } from '#ui';
import { device, signedIn } from '../session.ts';

export type SignInMode = 'up' | 'in';
export type Channel = 'email' | 'phone';
/** A code that was sent. */
export interface Sent {
  masked: string;
  /** From when another code can be sent, in ms since 1970. */
  resendAt: number;
}

/** Sign-ins show their errors themselves, and are sent once. */
export const quietly = {
  skipsSessionCheck: true,
  retryOn429: false,
  silent: true,
  idempotencyKey: false,
} as const;

/**
 * Signing up or in by a code in two steps: `submit` without a code sends one, with it the session
 * starts. In sign-in, `signInByPassword` needs no code.
 */
export function useCodeSignIn(mode: SignInMode) {
  const [sent, setSent] = useState<Sent | null>(null);
  const form = useForm({
    initialValues: { channel: 'email' as Channel, email: '', phone: '', password: '' },
  });
  const up = useApiMutation(caddy.caddyRegister, quietly);
  const back = useApiMutation(caddy.caddyLogin, quietly);
  const { isPending, error, reset } = mode === 'up' ? up : back;

  const send = async (more: { code?: string; password?: string }): Promise<void> => {
    const { channel, email, phone } = form.getValues();
    const who = channel === 'email' ? { email: email.trim() } : { phone };
    const body = { provider: channel, ...who, ...more, device: device() };
    const invite = new URLSearchParams(window.location.search).get('invite');
    const answer =
      mode === 'up'
        ? await up.mutate({ body: { ...body, ...(invite && { invite_code: invite }) } })
        : await back.mutate({ body });
    if (!answer) return;
    if ('token' in answer.data) signedIn(answer.data, mode === 'up');
    else
      setSent({
        masked: answer.data.masked,
        resendAt: Date.now() + answer.data.resend_in * 1000,
      });
  };
  const requireTarget = (): boolean => {
    const { channel, email, phone } = form.getValues();
    if (channel === 'email' && !/^\S+@\S+\.\S+$/.test(email.trim()))
      form.setErrors({ email: t('Enter an email address.') });
    else if (channel === 'phone' && phone.replace(/\D/g, '').length < 10)
      form.setErrors({ phone: t('Enter a phone number with its area code.') });
    else return true;
    return false;
  };
  return {
    form,
    sent,
    isPending,
    fieldErrors: error?.fields ?? {},
    /** What no field shows. */
    error: error && !error.fields['email'] && !error.fields['phone'] ? error : null,
    sendCode: () => (requireTarget() ? void send({}) : undefined),
    submitCode: (code: string) => void send({ code }),
    signInByPassword: () =>
      requireTarget() ? void send({ password: form.getValues().password }) : undefined,
    changeAddress: () => {
      setSent(null);
      reset();
    },
  };
}
export type CodeSignIn = ReturnType<typeof useCodeSignIn>;
