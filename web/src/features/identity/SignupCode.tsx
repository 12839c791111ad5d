import { CodeEntry, ResendCode, t } from '#ui';
import { AuthFrame } from '../../shared/AuthFrame.tsx';
import type { SignupModel } from './use-signup.ts';

/** The second step of signing up: the emailed code. */
export function SignupCode({ signup }: { signup: SignupModel }) {
  const { sent, submit, isPending, error, changeAddress } = signup;
  if (!sent) return null;
  return (
    <AuthFrame
      title={t('Enter the code')}
      about={t('We sent a six-digit code to {to}.', { to: sent.masked })}
      below={
        <ResendCode
          at={sent.resendAt}
          isPending={isPending}
          onResend={() => submit()}
          onChangeAddress={changeAddress}
        />
      }
    >
      <CodeEntry
        submitLabel={t('Create account')}
        errorText={error?.fields['code'] ?? (isPending ? null : error?.text)}
        isPending={isPending}
        onSubmit={submit}
      />
    </AuthFrame>
  );
}
