import { Badge, Button, Text } from '@mantine/core';
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
  useCompanyId,
} from '#ui';
import { scopeSentence } from './scope-sentence.ts';

type Authorization = Answer<typeof oauthProvider.listCompanyAuthorizations>['data'][number];

/** What people of the company allowed programs, each with Revoke. */
export function ConnectedApplications() {
  const companyId = useCompanyId() ?? 0;
  const { response, error, loading, refetch } = useApiQuery(
    oauthProvider.listCompanyAuthorizations,
    { params: { companyId } },
    { silent: true },
  );
  return (
    <Section
      title={t('Connected by people of this company')}
      about={t('They act as the person. To allow only approved ones, see General settings.')}
    >
      <DataList
        label={t('Connected by people of this company')}
        rows={response?.data}
        loading={loading}
        error={error}
        refetch={refetch}
        rowKey={(one) => one.id}
        rowLabel={(one) => `${one.application}, ${one.person.name}`}
        columns={[
          {
            key: 'application',
            title: t('Application'),
            cell: (one) => (
              <>
                {one.application}{' '}
                {!one.approved && <Badge color="yellow">{t('Not approved')}</Badge>}
              </>
            ),
          },
          { key: 'person', title: t('Person'), cell: (one) => one.person.name || one.person.email },
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
          {
            key: 'revoke',
            title: '',
            cell: (one) => <Revoke authorization={one} companyId={companyId} />,
          },
        ]}
        empty={
          <EmptyState title={t('No connected applications')}>
            {t('Applications that your people connect appear here.')}
          </EmptyState>
        }
      />
    </Section>
  );
}

interface RevokeProps {
  authorization: Authorization;
  companyId: number;
}

function Revoke({ authorization: { id, application, person }, companyId }: RevokeProps) {
  const { mutate, isPending } = useApiMutation(oauthProvider.revokeCompanyAuthorization, {
    invalidates: [oauthProvider.listCompanyAuthorizations, oauthProvider.listAuthorizations],
    success: () => t('Access of {application} revoked', { application }),
  });
  const revoke = async (): Promise<void> => {
    const isSure = await confirm({
      title: t('Revoke access of {application}?', { application }),
      body: t('It stops working at once for {name}.', { name: person.name || person.email }),
      confirmLabel: t('Revoke'),
      danger: true,
    });
    if (isSure) await mutate({ params: { companyId, authorizationId: id } });
  };
  return (
    <Button variant="default" size="xs" loading={isPending} onClick={() => void revoke()}>
      {t('Revoke')}
    </Button>
  );
}
