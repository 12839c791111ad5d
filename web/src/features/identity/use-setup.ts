import { useState } from 'react';
import { useForm } from '@mantine/form';
import { identity } from '#contract';
import { bindFieldErrors, startSession, t, useApiMutation, useSession, type Tokens } from '#ui';
import { cache } from '../../shared/query-client.ts';

/** The code of the link in the server's log: /setup#code=… */
const codeInAddress = (): string | null =>
  new URLSearchParams(window.location.hash.slice(1)).get('code');

const useOperatorForm = () =>
  useForm({
    initialValues: { first_name: '', last_name: '', email: '', password: '' },
    validate: {
      first_name: (v) => (v.trim() ? null : t('Enter your name.')),
      email: (v) => (/^\S+@\S+\.\S+$/.test(v.trim()) ? null : t('Enter an email address.')),
      password: (v) => (v.length < 12 ? t('Use at least 12 characters.') : null),
    },
    validateInputOnBlur: true,
  });

/**
 * The first account of platform staff. `step`: its form; then a second factor, without which nobody
 * enters platform administration; `link`: this page was opened without the link.
 */
export function useSetup() {
  const [code, setCode] = useState(codeInAddress);
  const isSignedIn = useSession((s) => s.tokens !== null);
  const form = useOperatorForm();
  const { mutate, isPending, error } = useApiMutation(identity.setUpInstallation, {
    onFieldErrors: bindFieldErrors(form),
    skipsSessionCheck: true,
    retryOn429: false,
    silent: (r) => r.code === 'setup.link_used',
    onSuccess: ({ token }) => {
      cache.clear();
      // Used up, so neither the address nor the history keeps it.
      window.history.replaceState(window.history.state, '', '/setup');
      startSession(token as Tokens);
      setCode(null);
    },
  });
  const submit = (): void => {
    const { email, ...others } = form.getValues();
    void mutate({ body: { ...others, email: email.trim(), code: code ?? '' } });
  };
  const step = code === null ? (isSignedIn ? 'factor' : 'link') : 'account';
  return { step, form, submit, isPending, error } as const;
}
export type SetupModel = ReturnType<typeof useSetup>;
