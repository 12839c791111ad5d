import { Anchor, Button, Group } from '@mantine/core';
import { IconBuilding } from '@tabler/icons-react';
import { currentLocation, EmptyState, Page, t, useSession } from '#ui';
import { signOut } from '../shared/sign-out.ts';

/** Shown instead of every screen of a company that opens only through its own single sign-on. */
export default function SsoRequired() {
  const required = useSession((s) => s.user?.sso_required);
  const hasOthers = useSession((s) => (s.user?.companies.length ?? 0) > 1);
  if (!required) return null;
  const { organization, url } = required;
  const next = new URLSearchParams({ next: currentLocation().pathname + currentLocation().search });
  return (
    <Page title={t('Sign in through {organization}', { organization })}>
      <EmptyState
        icon={<IconBuilding size={28} stroke={1.5} />}
        title={t('{organization} lets you in only through its single sign-on.', { organization })}
        action={
          <Group justify="center">
            <Button component="a" href={`${url}?${next.toString()}`}>
              {t('Continue with {provider}', { provider: organization })}
            </Button>
            {hasOthers && (
              <Anchor href="/select-company" size="sm">
                {t('Choose another company')}
              </Anchor>
            )}
            <Button variant="subtle" onClick={() => void signOut()}>
              {t('Sign out')}
            </Button>
          </Group>
        }
      >
        {t('You signed in another way. Sign in there, and you’re back where you were.')}
      </EmptyState>
    </Page>
  );
}
