import { Button } from '@mantine/core';
import { companies } from '#contract';
import { confirm, Section, t, useApiMutation } from '#ui';

/** Helps a person who lost their second factor. Nothing for people without one. */
export function ResetFactors({
  userId,
  name,
  isOn,
}: {
  userId: number;
  name: string;
  /** The person has a second factor or passkey. */
  isOn: boolean;
}) {
  const { mutate, isPending } = useApiMutation(companies.resetUserFactors, {
    success: t('Two-step verification was reset'),
    invalidates: [companies.listCompanyUsers, companies.getCompanyUser],
  });
  if (!isOn) return null;
  const ask = async (): Promise<void> => {
    const yes = await confirm({
      title: t('Reset two-step verification of {name}?', { name }),
      body: t(
        'This removes their factors and passkeys, signs them out everywhere and emails them. They can then sign in with their password alone.',
      ),
      confirmLabel: t('Reset'),
      danger: true,
    });
    if (yes) await mutate({ params: { companyId: ':companyId', userId } });
  };
  return (
    <Section
      plain
      title={t('Two-step verification')}
      about={t('On. Reset it if this person lost their phone and recovery codes.')}
    >
      <Button variant="default" color="red" loading={isPending} onClick={() => void ask()}>
        {t('Reset two-step verification')}
      </Button>
    </Section>
  );
}
