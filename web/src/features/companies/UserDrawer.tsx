import { Anchor, Skeleton, Stack, Text } from '@mantine/core';
import { companies, roleList, roleRank, type Answer, type EffectiveRole } from '#contract';
import { entityOf } from '#contract/fields/rules';
import {
  Drawer,
  ErrorState,
  Facts,
  formatPhoneNumber,
  Section,
  StatusBadge,
  t,
  Time,
  useApiQuery,
  usePermission,
  useSession,
  useApiMutation,
} from '#ui';
import { CustomFields, useFields } from '../fields/index.ts';
import { ResetFactors } from './ResetFactors.tsx';

type Person = Answer<typeof companies.getCompanyUser>['data'];

/** A user of the company: name, role and custom fields. */
export function UserDrawer({ id, name, close }: { id: number; name: string; close: () => void }) {
  const { response, error, refetch } = useApiQuery(
    companies.getCompanyUser,
    { params: { companyId: ':companyId', userId: id } },
    { silent: true },
  );
  const person = response?.data;
  const mayEdit = useMayEdit(person);
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size="30rem"
      title={name}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      {error && !person && <ErrorState error={error} retry={refetch} />}
      {!person && !error && (
        <Stack>
          {[0, 1, 2].map((i) => (
            <Skeleton key={i} height={32} />
          ))}
        </Stack>
      )}
      {person && (
        <Stack gap="lg">
          <PersonFacts person={person} />
          <PersonFields id={id} person={person} />
          {mayEdit && <ResetFactors userId={id} name={name} isOn={person.mfa_enabled} />}
        </Stack>
      )}
    </Drawer>
  );
}

function PersonFacts({ person }: { person: Person }) {
  const status =
    person.status === 'active' ? (
      <StatusBadge key="s" tone="success">
        {t('Active')}
      </StatusBadge>
    ) : (
      <StatusBadge key="s">{t('Inactive')}</StatusBadge>
    );
  const numbers = person.numbers.length
    ? person.numbers.map((n) => formatPhoneNumber(n.number)).join(', ')
    : t('All numbers');
  return (
    <Facts
      rows={[
        [t('Email'), person.email],
        [t('Role'), t(roleList.find((r) => r.id === person.role)?.label ?? person.role)],
        [t('Status'), status],
        [t('Numbers'), numbers],
        [
          t('Last signed in'),
          person.last_login_at ? <Time key="t" at={person.last_login_at} as="ago" /> : t('Never'),
        ],
      ]}
    />
  );
}

/** Users are edited by users of the same or a higher role. */
function useMayEdit(person: Person | undefined): boolean {
  const mayEditUsers = usePermission('users.edit');
  const mine = useSession(
    (s) => s.user?.companies.find((c) => c.id === s.selectedCompanyId)?.role,
  ) as EffectiveRole | undefined;
  return (
    mayEditUsers &&
    mine !== undefined &&
    person !== undefined &&
    roleRank[person.role as EffectiveRole] <= roleRank[mine]
  );
}

function PersonFields({ id, person }: { id: number; person: Person }) {
  const { fields } = useFields(entityOf.user);
  const mayDefine = usePermission('fields.edit');
  const mayEdit = useMayEdit(person);
  const { mutate, error } = useApiMutation(companies.updateCompanyUser, {
    success: t('Successfully updated user info'),
    invalidates: [companies.listCompanyUsers, companies.getCompanyUser],
    silent: (r) => Object.keys(r.fields).length > 0,
  });
  if (fields.length === 0)
    return mayDefine ? (
      <Text c="dimmed" fz="sm">
        <Anchor href="/settings/custom-fields?entity=user" inherit>
          {t('Add custom fields for people, such as a language or a badge')}
        </Anchor>
      </Text>
    ) : null;
  return (
    <Section
      plain
      title={t('Custom fields')}
      {...(!mayEdit && { about: t('Your role can view these but not change them.') })}
    >
      <CustomFields
        entity={entityOf.user}
        values={person.eavAttributeValues}
        disabled={!mayEdit}
        errors={error?.fields ?? {}}
        onChange={(eavAttributeValues) =>
          void mutate({
            params: { companyId: ':companyId', userId: id },
            body: { eavAttributeValues },
          })
        }
      />
    </Section>
  );
}
