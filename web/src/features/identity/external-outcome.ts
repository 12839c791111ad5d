import type { SignInOutcome } from '#contract/identity/external-sign-in/outcomes';
import { t } from '#ui';

/** How a visit to a provider ended. `name`: of the organization whose own provider it is. */
interface ExternalOutcome {
  outcome: string;
  provider: string;
  name: string | null;
}

/** How a visit to a provider ended, from the address; null: there was none. */
export function externalOutcome(): ExternalOutcome | null {
  const query = new URLSearchParams(window.location.search);
  const outcome = query.get('external');
  return outcome === null
    ? null
    : { outcome, provider: query.get('provider') ?? '', name: query.get('name') };
}

/** Why a visit to a provider led nowhere, as a sentence; null: it didn’t fail. */
export function outcomeSentence(outcome: string, provider: string): string | null {
  const sentences: Partial<Record<SignInOutcome, string>> = {
    unknown: t('There’s no account with this email address yet.'),
    unverified: t(
      '{provider} hasn’t verified your email address. Sign in another way, or verify it there.',
      { provider },
    ),
    canceled: t('You canceled the sign-in with {provider}.', { provider }),
    other_domain: t(
      'Your account’s email address isn’t at a domain of {provider}. Choose your work account there.',
      { provider },
    ),
    no_access: t('{provider} hasn’t given you access yet. Ask an administrator there.', {
      provider,
    }),
    expired: t('This sign-in has expired. Start again.'),
    refused: t('{provider} didn’t confirm who you are. Try again, or sign in another way.', {
      provider,
    }),
    away: t('{provider} can’t be reached right now. Try again later, or sign in another way.', {
      provider,
    }),
  };
  return sentences[outcome as SignInOutcome] ?? null;
}
