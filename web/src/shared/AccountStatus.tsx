import type { Answer, oauthIntegrations } from '#contract';
import { StatusBadge, t, type Tone } from '#ui';

type Status = Answer<typeof oauthIntegrations.getOAuthIntegration>['data']['status'];

/** How an account is doing, in a word. */
export function AccountStatus({ status }: { status: Status }) {
  const shown: Record<Status, [tone: Tone, word: string]> = {
    connected: ['success', t('Connected')],
    activating: ['neutral', t('Turning on')],
    active: ['success', t('Active')],
    inactive: ['neutral', t('Off')],
    error: ['warn', t('Last request failed')],
    expired: ['danger', t('Access has ended')],
  };
  const [tone, word] = shown[status];
  return <StatusBadge tone={tone}>{word}</StatusBadge>;
}
