import { Button } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { roleList } from '#contract';
import { EmptyState, Page, t, useCompanyId, useUser } from '#ui';

/** Shown instead of a screen that the role can't open (A2); no redirect. */
export default function NotAllowed() {
  const companyId = useCompanyId();
  const here = useUser()?.companies.find((c) => c.id === companyId);
  return (
    <Page title={t('Not allowed')}>
      <EmptyState
        icon={<IconLock size={28} stroke={1.5} />}
        title={t('Your role does not allow this.')}
        action={
          <Button component="a" href="/" variant="default">
            {t('Go home')}
          </Button>
        }
      >
        {here
          ? t('Your role in {company} is {role}. An owner or administrator can change it.', {
              company: here.name,
              role: t(roleList.find((r) => r.id === here.role)?.label ?? here.role),
            })
          : t('An owner or administrator can change your role.')}
      </EmptyState>
    </Page>
  );
}
