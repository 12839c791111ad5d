import { Alert, Anchor } from '@mantine/core';
import { externalSignIn } from '#contract';
import { t, useApiQuery } from '#ui';
import { externalOutcome, outcomeSentence } from './external-outcome.ts';

/** What people call a provider; its name until that is known. */
export function useProviderLabel({
  provider,
  name = null,
}: {
  provider: string;
  name?: string | null;
}): string {
  const { response } = useApiQuery(
    externalSignIn.listSignInProviders,
    {},
    { staleTime: Infinity, silent: true, skipsSessionCheck: true },
  );
  return name ?? response?.data.find((p) => p.provider === provider)?.label ?? provider;
}

/** How the visit to a provider ended from which this page was opened. Nothing without one. */
export function ExternalOutcome() {
  const visit = externalOutcome();
  const label = useProviderLabel(visit ?? { provider: '' });
  if (!visit) return null;
  if (visit.outcome === 'link')
    return (
      <Alert color="teal" role="status">
        {t(
          'You have an account with this email address. Sign in as before, and you can link {provider} to it.',
          { provider: label },
        )}
      </Alert>
    );
  const sentence = outcomeSentence(visit.outcome, label);
  if (sentence === null) return null;
  return (
    <Alert color={visit.outcome === 'unknown' ? 'teal' : 'red'} role="alert">
      {sentence}{' '}
      {visit.outcome === 'unknown' && (
        <Anchor href={`/signup?external=unknown&provider=${visit.provider}`} inherit>
          {t('Create one with {provider}', { provider: label })}
        </Anchor>
      )}
    </Alert>
  );
}
