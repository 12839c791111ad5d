import { useState } from 'react';
import { useForm } from '@mantine/form';
import { companies } from '#contract';
import {
  bindFieldErrors,
  browserZone,
  navigate,
  startSession,
  t,
  useApiMutation,
  type Tokens,
} from '#ui';
import { cache } from '../../shared/query-client.ts';

/** On a server without email the first owner signs up with a key: /signup#key=… */
const ownerKey = (): string | undefined =>
  new URLSearchParams(window.location.hash.slice(1)).get('key') ?? undefined;

interface SentCode {
  masked: string;
  /** Milliseconds since 1970. */
  resendAt: number;
}

const useSignupForm = () =>
  useForm({
    initialValues: { first_name: '', last_name: '', company_name: '', email: '', password: '' },
    validate: {
      company_name: (v) => (v.trim() ? null : t('Enter the name of your company.')),
      first_name: (v) => (v.trim() ? null : t('Enter your name.')),
      email: (v) => (/^\S+@\S+\.\S+$/.test(v.trim()) ? null : t('Enter an email address.')),
      password: (v) => (v.length < 12 ? t('Use at least 12 characters.') : null),
    },
    validateInputOnBlur: true,
  });

/**
 * The form and requests of signing up. `submit` without a code asks for one, which is emailed
 * (`sent`); with the code, or with an owner key, it creates the account and signs in.
 */
export function useSignup() {
  const [sent, setSent] = useState<SentCode | null>(null);
  const [key] = useState(ownerKey);
  const form = useSignupForm();
  const { mutate, isPending, error } = useApiMutation(companies.signup, {
    // Errors about the code are shown at its field.
    onFieldErrors: (r) => [...bindFieldErrors(form)(r), ...(sent ? ['code'] : [])],
    skipsSessionCheck: true,
    retryOn429: false,
    silent: (r) => r.code === 'signup.link_used',
    onSuccess: (response) => {
      if ('token' in response) {
        cache.clear();
        startSession(response.token as Tokens);
        navigate('/', { replace: true });
      } else if ('sent' in response.data)
        setSent({
          masked: response.data.masked,
          resendAt: Date.now() + response.data.resend_in * 1000,
        });
    },
  });
  const submit = (withCode?: string): void => {
    const { email, ...others } = form.getValues();
    void mutate({
      body: {
        ...others,
        email: email.trim(),
        timezone: browserZone(),
        ...(withCode && { code: withCode }),
        ...(key && { owner_key: key }),
      },
    });
  };
  return {
    form,
    hasOwnerKey: Boolean(key),
    sent,
    submit,
    isPending,
    error,
    changeAddress: () => setSent(null),
  };
}
export type SignupModel = ReturnType<typeof useSignup>;
