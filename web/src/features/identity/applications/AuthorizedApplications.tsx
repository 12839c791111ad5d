import { Button, Text } from '@mantine/core';
import { oauthProvider, type Answer } from '#contract';
import {
  confirm,
  DataList,
  EmptyState,
  Section,
  t,
  Time,
  useApiMutation,
  useApiQuery,
  useUser,
} from '#ui';
import { scopeSentence } from './scope-sentence.ts';

type Authorization = Answer<typeof oauthProvider.listAuthorizations>['data'][number];

/** The programs that the person allowed to act for them, each with Revoke. */
export function AuthorizedApplications() {
  const companies = useUser()?.companies ?? [];
  const { response, error, loading, refetch } = useApiQuery(
    oauthProvider.listAuthorizations,
    {},
    { silent: true },
  );
  return (
    <Section
      title={t('Applications you authorized')}
      about={t('They act as you, in one company, until you revoke their access.')}
    >
      <DataList
        label={t('Applications you authorized')}
        rows={response?.data}
        loading={loading}
        error={error}
        refetch={refetch}
        rowKey={(one) => one.id}
        rowLabel={(one) => one.application}
        columns={[
          { key: 'application', title: t('Application'), cell: (one) => one.application },
          {
            key: 'company',
            title: t('Company'),
            cell: (one) => companies.find(({ id }) => id === one.company_id)?.name ?? '–',
          },
          {
            key: 'scopes',
            title: t('Access'),
            cell: (one) => (
              <Text size="sm" title={one.scopes.map(scopeSentence).join('\n')}>
                {one.scopes.join(', ') || t('Sign-in only')}
              </Text>
            ),
          },
          {
            key: 'last_used_at',
            title: t('Last used'),
            cell: (one) =>
              one.last_used_at ? <Time at={one.last_used_at} as="ago" /> : t('Never'),
          },
          { key: 'revoke', title: '', cell: (one) => <Revoke authorization={one} /> },
        ]}
        empty={
          <EmptyState title={t('No applications yet')}>
            {t('Applications you allow to use Trunkline for you appear here.')}
          </EmptyState>
        }
      />
    </Section>
  );
}

function Revoke({ authorization: { id, application } }: { authorization: Authorization }) {
  const { mutate, isPending } = useApiMutation(oauthProvider.revokeAuthorization, {
    invalidates: [oauthProvider.listAuthorizations],
    success: () => t('Access of {application} revoked', { application }),
  });
  const revoke = async (): Promise<void> => {
    const isSure = await confirm({
      title: t('Revoke access of {application}?', { application }),
      body: t('It stops working at once. To use it again, connect it from the application.'),
      confirmLabel: t('Revoke'),
      danger: true,
    });
    if (isSure) await mutate({ params: { id } });
  };
  return (
    <Button variant="default" size="xs" loading={isPending} onClick={() => void revoke()}>
      {t('Revoke')}
    </Button>
  );
}
