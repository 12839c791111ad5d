import { useEffect } from 'react';
import { Button, Center, Loader } from '@mantine/core';
import { IconLock, IconTools } from '@tabler/icons-react';
import { companies } from '#contract';
import { AppFrame, EmptyState, ErrorState, Page, t, useApiQuery } from '#ui';
import { goToLogin } from './go-to-login.ts';

/** Platform administration, for platform staff only. It has no screens yet. */
export function Admin() {
  const { response, error, refetch } = useApiQuery(
    companies.getUser,
    {},
    { staleTime: 60_000, silent: true, skipsSessionCheck: true },
  );
  const signedOut = error?.status === 401;
  useEffect(() => {
    if (signedOut) goToLogin();
  }, [signedOut]);

  if (error && !signedOut)
    return (
      <Frame>
        <Page title={t('Something went wrong')}>
          <ErrorState error={error} retry={refetch} />
        </Page>
      </Frame>
    );
  if (!response)
    return (
      <Frame>
        <Center role="status" aria-label={t('Loading')} h="100%">
          <Loader size="sm" />
        </Center>
      </Frame>
    );
  return (
    <Frame email={response.data.email}>
      {response.data.is_staff ? <NothingYet /> : <NotAllowed />}
    </Frame>
  );
}

const Frame = ({ email, children }: { email?: string; children: React.ReactNode }) => (
  <AppFrame
    href="/admin/"
    name={t('Trunkline admin')}
    mark={<img src="/icon.svg" width={24} height={24} alt="" />}
    aside={email}
  >
    {children}
  </AppFrame>
);

const NothingYet = () => (
  <Page title={t('Admin')}>
    <EmptyState icon={<IconTools size={28} stroke={1.5} />} title={t('No admin screens yet')}>
      {t('Platform administration will open here.')}
    </EmptyState>
  </Page>
);

const NotAllowed = () => (
  <Page title={t('Not allowed')}>
    <EmptyState
      icon={<IconLock size={28} stroke={1.5} />}
      title={t('Only platform staff can open this page.')}
      action={
        <Button component="a" href="/" variant="default">
          {t('Go home')}
        </Button>
      }
    />
  </Page>
);
