import { Alert, Anchor, Skeleton, Stack, Text } from '@mantine/core';
import { companies } from '#contract';
import { entityOf } from '#contract/fields/rules';
import {
  Drawer,
  ErrorState,
  Facts,
  Section,
  StatusBadge,
  t,
  Time,
  useApiMutation,
  useApiQuery,
  usePermission,
} from '#ui';
import { CustomFields, useFields } from '../../fields/index.ts';
import { EndSessions } from './EndSessions.tsx';
import { useEditProblem, useIsSelf, type Person } from './may-edit.ts';
import { PersonPermissions } from './PersonPermissions.tsx';
import { ResetFactors } from './ResetFactors.tsx';
import { UserAccess } from './UserAccess.tsx';
import { UserForm } from './UserForm.tsx';

/** A person of the company: profile, role, numbers, custom fields, access and what they may do. */
export function UserDrawer({ id, name, close }: { id: number; name: string; close: () => void }) {
  const { response, error, refetch } = useApiQuery(
    companies.getCompanyUser,
    { params: { companyId: ':companyId', userId: id } },
    { silent: true },
  );
  const person = response?.data;
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size="34rem"
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
      {person && <UserEditor key={person.id} person={person} close={close} />}
    </Drawer>
  );
}

function UserEditor({ person, close }: { person: Person; close: () => void }) {
  const problem = useEditProblem(person);
  const isSelf = useIsSelf(person);
  const name = `${person.first_name} ${person.last_name}`.trim() || person.email;
  return (
    <Stack gap="lg">
      {problem && (
        <Alert color="gray">
          {problem === 'above'
            ? t('This person’s role is above yours. Ask the owner to change it.')
            : t('You can view this person but not change them. Ask an owner or administrator.')}
        </Alert>
      )}
      <PersonFacts person={person} />
      <UserForm person={person} disabled={problem !== null} />
      <PersonFields person={person} disabled={problem !== null} />
      <PersonHours person={person} isSelf={isSelf} />
      <PersonPermissions roles={person.acts_as ?? [person.role]} />
      {problem === null && (
        <ResetFactors userId={person.id} name={name} isOn={person.mfa_enabled} />
      )}
      {problem === null && !isSelf && person.status === 'active' && (
        <EndSessions userId={person.id} name={name} />
      )}
      {problem === null && <UserAccess person={person} close={close} />}
    </Stack>
  );
}

/** Where a person's working hours are set: by administrators, and by themselves. */
function PersonHours({ person, isSelf }: { person: Person; isSelf: boolean }) {
  const mayEdit = usePermission('routing.edit');
  const takesCalls = !['billing', 'reporting', 'deactivated'].includes(person.role);
  if (!takesCalls || !(mayEdit || isSelf)) return null;
  return (
    <Section
      plain
      title={t('Working hours')}
      about={t('Outside these hours, calls and notifications don’t reach this person.')}
    >
      <Anchor
        href={isSelf ? '/settings/availability' : `/numbers/schedule?user=${person.id}`}
        fz="sm"
      >
        {t('Set working hours')}
      </Anchor>
    </Section>
  );
}

/** The person's teams, each a link to it. None: no row. */
const teamFacts = ({ teams = [] }: Person): [string, React.ReactNode][] =>
  teams.length === 0
    ? []
    : [
        [
          t('Teams'),
          <span key="teams">
            {teams.map(({ id, name }, i) => (
              <span key={id}>
                {i > 0 && ', '}
                <Anchor href={`/settings/teams?open=${id}`} fz="inherit">
                  {name}
                </Anchor>
              </span>
            ))}
          </span>,
        ],
      ];

function PersonFacts({ person }: { person: Person }) {
  const status =
    person.status === 'active' ? (
      <StatusBadge key="s" tone="success">
        {t('Active')}
      </StatusBadge>
    ) : person.status === 'invited' ? (
      <StatusBadge key="s" tone="info">
        {t('Invited')}
      </StatusBadge>
    ) : (
      <StatusBadge key="s">{t('Inactive')}</StatusBadge>
    );
  return (
    <Facts
      rows={[
        [t('Email'), person.email],
        [t('Status'), status],
        ...teamFacts(person),
        [
          t('Last signed in'),
          person.last_login_at ? <Time key="t" at={person.last_login_at} as="ago" /> : t('Never'),
        ],
      ]}
    />
  );
}

function PersonFields({ person, disabled }: { person: Person; disabled: boolean }) {
  const { fields } = useFields(entityOf.user);
  const mayDefine = usePermission('fields.edit');
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
    <Section plain title={t('Custom fields')}>
      <CustomFields
        entity={entityOf.user}
        values={person.eavAttributeValues}
        disabled={disabled}
        errors={error?.fields ?? {}}
        onChange={(eavAttributeValues) =>
          void mutate({
            params: { companyId: ':companyId', userId: person.id },
            body: { eavAttributeValues },
          })
        }
      />
    </Section>
  );
}
