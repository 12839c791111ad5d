import { useState } from 'react';
import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { companies, roleList } from '#contract';
import {
  bindFieldErrors,
  browserZone,
  navigate,
  PersonAvatar,
  selectCompany,
  session,
  t,
  useApiQuery,
  useApiMutation,
  useUser,
} from '#ui';
import { AuthFrame } from '../../../shared/AuthFrame.tsx';
import { signOut } from '../../../shared/sign-out.ts';
import { safeNextPath } from '../../../shared/next-path.ts';
import { NameForm, useNameForm } from '../NameForm.tsx';
import { useLeaveOrganization } from './settings/LeaveOrganization.tsx';
import css from './SelectCompany.module.css';

/** Chooses one of the user's companies, or creates one. */
export default function SelectCompany() {
  const user = useUser();
  const [making, setMaking] = useState(
    () => new URLSearchParams(window.location.search).get('new') === '1',
  );
  const { response } = useApiQuery(companies.listCompaniesSlim, {
    query: { perPage: 100, excludeDeactivated: 1 },
  });
  const mine = response?.data ?? user?.companies ?? [];
  const enter = (id: number, to = safeNextPath(window.location.search)): void => {
    selectCompany(id);
    navigate(to, { replace: true });
  };
  const { leave, isPending: isLeaving } = useLeaveOrganization((id) => enter(id, '/'));
  const below = (
    <Group justify="space-between">
      <Text size="sm" c="dimmed">
        {user?.email}
      </Text>
      <Anchor component="button" type="button" size="sm" onClick={() => void signOut()}>
        {t('Sign out')}
      </Anchor>
    </Group>
  );
  if (making)
    return (
      <NewCompany
        below={below}
        cancel={() => (session.get().selectedCompanyId ? navigate('/') : setMaking(false))}
        made={(id) => enter(id, '/')}
      />
    );
  return (
    <AuthFrame
      title={t('Choose a company')}
      about={
        mine.length
          ? t('You can switch anytime at the top of the menu.')
          : t('You don’t belong to a company yet.')
      }
      below={below}
    >
      <Stack gap={6}>
        {mine.map((c) => (
          <button key={c.id} type="button" className={css.company} onClick={() => enter(c.id)}>
            <PersonAvatar name={c.name} kind="business" size={32} />
            <span className={css.name}>{c.name}</span>
            <Text span size="sm" c="dimmed">
              {t(roleList.find((r) => r.id === c.role)?.label ?? c.role)}
            </Text>
          </button>
        ))}
        {user?.closed_companies?.map((c) => (
          <Alert key={c.id} color="yellow" title={t('{name} is deactivated', { name: c.name })}>
            <Text size="sm" mb="xs">
              {t('The organization {name} did this. As the owner you can take the company out.', {
                name: c.organization,
              })}
            </Text>
            <Button
              size="compact-sm"
              variant="default"
              loading={isLeaving}
              onClick={() => void leave(c.id)}
            >
              {t('Leave organization')}
            </Button>
          </Alert>
        ))}
        {mine.length === 0 && <Button onClick={() => setMaking(true)}>{t('New company')}</Button>}
      </Stack>
    </AuthFrame>
  );
}

function NewCompany({
  below: footer,
  cancel,
  made: onCreated,
}: {
  below: React.ReactNode;
  cancel: () => void;
  made: (id: number) => void;
}) {
  const form = useNameForm();
  const { mutate, isPending } = useApiMutation(companies.createCompany, {
    onFieldErrors: bindFieldErrors(form, { 'company_info.name': 'name' }),
    invalidates: [companies.listCompaniesSlim, companies.getUser],
    onSuccess: ({ data }) => onCreated(data.id),
  });
  return (
    <AuthFrame title={t('New company')} about={t('You will be its owner.')} below={footer}>
      <NameForm
        form={form}
        submitLabel={t('Create company')}
        isPending={isPending}
        onCancel={cancel}
        onSubmit={(name) =>
          void mutate({ body: { company_info: { name, timezone: browserZone() } } })
        }
      />
    </AuthFrame>
  );
}
