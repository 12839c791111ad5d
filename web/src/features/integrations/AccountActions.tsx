import { Button } from '@mantine/core';
import { oauthIntegrations as contract, type Answer } from '#contract';
import { t, useApiMutation, useCompanyId } from '#ui';
import { openConsent } from '../../shared/open-consent.ts';

export type Account = Answer<typeof contract.listOAuthIntegrations>['data'][number];

/** Leads to the provider's consent page, for an account whose access has ended. */
export function Reconnect({ account }: { account: Account }) {
  const companyId = useCompanyId() ?? 0;
  return (
    <Button size="compact-sm" onClick={() => void openConsent(companyId, account.provider)}>
      {t('Reconnect')}
    </Button>
  );
}

/** Starts or stops delivering with an account. */
export function OnOff({ account: { id, status } }: { account: Account }) {
  const companyId = useCompanyId() ?? 0;
  const invalidates = [contract.listOAuthIntegrations];
  const { mutate: turnOn, isPending: isStarting } = useApiMutation(
    contract.activateOAuthIntegration,
    { invalidates },
  );
  const { mutate: turnOff, isPending: isStopping } = useApiMutation(
    contract.deactivateOAuthIntegration,
    { invalidates },
  );
  const isOff = status === 'inactive' || status === 'connected';
  const params = { companyId, id };
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={isStarting || isStopping}
      onClick={() => void (isOff ? turnOn({ params, body: {} }) : turnOff({ params }))}
    >
      {isOff ? t('Turn on') : t('Turn off')}
    </Button>
  );
}
