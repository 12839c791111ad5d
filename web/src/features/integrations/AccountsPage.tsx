import type { ReactNode } from 'react';
import type { Icon } from '@tabler/icons-react';
import { oauthIntegrations as contract } from '#contract';
import { t, useApiQuery, useCompanyId, usePermission } from '#ui';
import { openConsent } from '../../shared/open-consent.ts';
import { ReceiversPage } from '../../shared/ReceiversPage.tsx';
import { SetUpGuide } from '../../shared/SetUpGuide.tsx';
import type { Account } from './AccountActions.tsx';

/** A company's accounts at one provider, and what connects another. */
export function AccountsPage({
  provider,
  title,
  description,
  empty,
  connect,
  card,
  guide,
}: {
  provider: string;
  title: string;
  description: string;
  empty: { icon: Icon; title: string; text: string };
  /** What the button says, for the first account and for more. */
  connect: { first: string; another: string };
  card: (account: Account) => ReactNode;
  /** How it is set up, and what this integration was checked against. */
  guide: { steps: readonly string[]; checked: string };
}) {
  const companyId = useCompanyId() ?? 0;
  const mayEdit = usePermission('integrations.edit');
  const { response, error, refetch } = useApiQuery(contract.listOAuthIntegrations, {
    params: { companyId },
  });
  const accounts = response?.data.filter((one) => one.provider === provider);
  const isReady = response?.providers.some(({ name, ready }) => name === provider && ready);
  return (
    <ReceiversPage
      below={<SetUpGuide {...guide} />}
      {...{ title, description, card }}
      query={{
        response: response && accounts && { data: accounts, meta: response.meta },
        error,
        refetch,
      }}
      empty={{
        ...empty,
        text: isReady
          ? empty.text
          : t('The operator of this server decides which tools can be connected.'),
      }}
      adding={
        mayEdit && isReady
          ? {
              label: accounts?.length ? connect.another : connect.first,
              run: () => openConsent(companyId, provider),
            }
          : null
      }
    />
  );
}
