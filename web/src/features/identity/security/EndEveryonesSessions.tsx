import { Button } from '@mantine/core';
import { companies } from '#contract';
import { confirm, Section, t, toast, useApiMutation } from '#ui';

/** Signs out everyone in the company, except this session and those with a role above. */
export function EndEveryonesSessions() {
  const { mutate, isPending } = useApiMutation(companies.endCompanySessions);
  const ask = async (): Promise<void> => {
    const yes = await confirm({
      title: t('Sign everyone out?'),
      body: t(
        'All browsers and devices of this company’s people are signed out at once, except this one. API keys and connected applications keep working.',
      ),
      confirmLabel: t('Sign everyone out'),
      danger: true,
    });
    if (!yes) return;
    const done = await mutate({ params: { companyId: ':companyId' } });
    if (!done) return;
    const { people, skipped } = done.data;
    const title = t('{n, plural, one {# person} other {# people}} signed out', { n: people });
    if (!skipped) return void toast.success(title);
    toast.warn(title, {
      detail: t(
        '{n, plural, one {# person stays} other {# people stay}} signed in: they work for other companies, too, and were signed out less than an hour ago.',
        { n: skipped },
      ),
    });
  };
  return (
    <Section
      title={t('Everyone in this company')}
      about={t(
        'After an incident, sign all people out. People with a role above yours stay signed in.',
      )}
    >
      <Button variant="default" color="red" loading={isPending} onClick={() => void ask()}>
        {t('Sign everyone out')}
      </Button>
    </Section>
  );
}
