import { Button } from '@mantine/core';
import { companies } from '#contract';
import { confirm, Section, t, useApiMutation } from '#ui';

/** Signs a person out of all their browsers and devices. */
export function EndSessions({ userId, name }: { userId: number; name: string }) {
  const { mutate, isPending } = useApiMutation(companies.endUserSessions, {
    success: ({ data }) =>
      t(
        '{n, plural, =0 {They weren’t signed in anywhere} one {Signed out of # session} other {Signed out of # sessions}}',
        { n: data.ended },
      ),
  });
  const ask = async (): Promise<void> => {
    const yes = await confirm({
      title: t('Sign {name} out everywhere?', { name }),
      body: t(
        'All their browsers and devices are signed out at once. They can sign in again. If they also work for other companies, they’re signed out there, too, and get an email about it.',
      ),
      confirmLabel: t('Sign out'),
      danger: true,
    });
    if (yes) await mutate({ params: { companyId: ':companyId', userId } });
  };
  return (
    <Section
      plain
      title={t('Sessions')}
      about={t('If this person lost a device, sign them out everywhere.')}
    >
      <Button variant="default" loading={isPending} onClick={() => void ask()}>
        {t('Sign out everywhere')}
      </Button>
    </Section>
  );
}
