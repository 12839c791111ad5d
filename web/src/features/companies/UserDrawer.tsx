import { Anchor, Skeleton, Stack, Text } from '@mantine/core';
import { companies, roleList, roleRank, type EffectiveRole } from '#contract';
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

/** A user of the company: name, role and custom fields. */
export function UserDrawer({ id, name, close }: { id: number; name: string; close: () => void }) {
  const params = { companyId: ':companyId', userId: id };
  const { response, error, refetch } = useApiQuery(
    companies.getCompanyUser,
    { params },
    { silent: true },
  );
  const person = response?.data;
  const { fields } = useFields(entityOf.user);
  const mayDefine = usePermission('fields.edit');
  const mine = useSession(
    (s) => s.user?.companies.find((c) => c.id === s.selectedCompanyId)?.role,
  ) as EffectiveRole | undefined;
  const mayEdit =
    usePermission('users.edit') &&
    person !== undefined &&
    mine !== undefined &&
    roleRank[person.role as EffectiveRole] <= roleRank[mine];
  const { mutate, error: wrong } = useApiMutation(companies.updateCompanyUser, {
    success: t('Successfully updated user info'),
    invalidates: [companies.listCompanyUsers, companies.getCompanyUser],
    silent: (r) => Object.keys(r.fields).length > 0,
  });
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
          <Facts
            rows={[
              [t('Email'), person.email],
              [t('Role'), t(roleList.find((r) => r.id === person.role)?.label ?? person.role)],
              [
                t('Status'),
                person.status === 'active' ? (
                  <StatusBadge key="s" tone="success">
                    {t('Active')}
                  </StatusBadge>
                ) : (
                  <StatusBadge key="s">{t('Inactive')}</StatusBadge>
                ),
              ],
              [
                t('Numbers'),
                person.numbers.length
                  ? person.numbers.map((n) => formatPhoneNumber(n.number)).join(', ')
                  : t('All numbers'),
              ],
              [
                t('Last signed in'),
                person.last_login_at ? (
                  <Time key="t" at={person.last_login_at} as="ago" />
                ) : (
                  t('Never')
                ),
              ],
            ]}
          />
          {fields.length > 0 && (
            <Section
              plain
              title={t('Custom fields')}
              {...(!mayEdit && { about: t('Your role can view these but not change them.') })}
            >
              <CustomFields
                entity={entityOf.user}
                values={person.eavAttributeValues}
                disabled={!mayEdit}
                errors={wrong?.fields ?? {}}
                onChange={(eavAttributeValues) =>
                  void mutate({ params, body: { eavAttributeValues } })
                }
              />
            </Section>
          )}
          {fields.length === 0 && mayDefine && (
            <Text c="dimmed" fz="sm">
              <Anchor href="/settings/custom-fields?entity=user" inherit>
                {t('Add custom fields for people, such as a language or a badge')}
              </Anchor>
            </Text>
          )}
        </Stack>
      )}
    </Drawer>
  );
}
