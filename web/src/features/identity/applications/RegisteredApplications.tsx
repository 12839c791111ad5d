import { useState } from 'react';
import { Button } from '@mantine/core';
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
import { RegisterApplication } from './RegisterApplication.tsx';

type Client = Answer<typeof oauthProvider.listOAuthClients>['data'][number];

/** The programs that the company registered, so that people can authorize them. */
export function RegisteredApplications() {
  const params = { companyId: useCompanyId() ?? 0 };
  const [isOpen, setOpen] = useState(false);
  const { response, error, loading, refetch } = useApiQuery(
    oauthProvider.listOAuthClients,
    { params },
    { silent: true },
  );
  const add = <Button onClick={() => setOpen(true)}>{t('Register application')}</Button>;
  return (
    <Section
      title={t('Registered applications')}
      about={t('Apps your company built.')}
      action={response && response.data.length > 0 && add}
    >
      <DataList
        label={t('Registered applications')}
        rows={response?.data}
        loading={loading}
        error={error}
        refetch={refetch}
        rowKey={(one) => one.id}
        rowLabel={(one) => one.name}
        columns={[
          { key: 'name', title: t('Name'), cell: (one) => one.name },
          { key: 'client_id', title: t('Client ID'), cell: (one) => <code>{one.client_id}</code> },
          {
            key: 'kind',
            title: t('Type'),
            cell: (one) => (one.confidential ? t('Confidential') : t('Public')),
          },
          {
            key: 'created_at',
            title: t('Registered'),
            cell: (one) => <Time at={one.created_at} as="date" />,
          },
          { key: 'delete', title: '', cell: (one) => <DeleteClient client={one} /> },
        ]}
        empty={
          <EmptyState title={t('No registered applications')} action={add}>
            {t('Register a program to get its client ID and secret.')}
          </EmptyState>
        }
      />
      {isOpen && <RegisterApplication onClose={() => setOpen(false)} />}
    </Section>
  );
}

function DeleteClient({ client: { id, name } }: { client: Client }) {
  const companyId = useCompanyId() ?? 0;
  const { mutate, isPending } = useApiMutation(oauthProvider.deleteOAuthClient, {
    invalidates: [oauthProvider.listOAuthClients, oauthProvider.listAuthorizations],
    success: () => t('{name} deleted', { name }),
  });
  const remove = async (): Promise<void> => {
    const isSure = await confirm({
      title: t('Delete {name}?', { name }),
      body: t('Everyone who connected it loses access through it at once.'),
      confirmLabel: t('Delete'),
      danger: true,
    });
    if (isSure) await mutate({ params: { companyId, id } });
  };
  return (
    <Button variant="default" size="xs" loading={isPending} onClick={() => void remove()}>
      {t('Delete')}
    </Button>
  );
}
