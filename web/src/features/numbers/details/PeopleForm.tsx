import { Alert, MultiSelect, Stack, Text } from '@mantine/core';
import { companies, type Answer } from '#contract';
import { Section, t, useApiQuery, useCompanyId, usePermission } from '#ui';
import { useNumberForm, type EditableNumber } from './number-form.ts';
import { SaveBar } from '../../../shared/SaveBar.tsx';

const valuesOf = (n: EditableNumber) => ({ user_ids: n.user_ids.map(String) });

type User = Answer<typeof companies.listCompanyUsers>['data'][number];
const nameOf = (user: User): string => `${user.first_name} ${user.last_name}`.trim() || user.email;

/**
 * Which of the users who are limited to certain numbers can see this one, and the users who see all
 * numbers.
 */
export function PeopleForm({ number }: { number: EditableNumber }) {
  const mayEditUsers = usePermission('users.edit');
  const mayEdit = usePermission('numbers.configure') && mayEditUsers;
  const companyId = useCompanyId();
  const { response } = useApiQuery(
    companies.listCompanyUsers,
    { params: { companyId: companyId ?? 0 }, query: { perPage: 250, status: 'active' } },
    { enabled: companyId !== null },
  );
  const { form, save, saving } = useNumberForm(number, valuesOf, (v) => ({
    user_ids: v.user_ids.map(Number),
  }));
  const people = response?.data ?? [];
  const limited = people.filter((p) => p.numbers.length > 0);
  const everywhere = people.filter((p) => p.numbers.length === 0 && p.role !== 'billing');
  return (
    <form onSubmit={save} noValidate>
      {!mayEdit && (
        <Alert color="gray" mb="md">
          {t(
            'Your role can view these settings but not change them. Ask an owner or administrator.',
          )}
        </Alert>
      )}
      <Section
        title={t('People limited to certain numbers')}
        about={t('They see this number, its calls and its texts only if you add them here.')}
      >
        {response && limited.length === 0 ? (
          <Text size="sm" c="dimmed">
            {t(
              'No one in this company is limited to certain numbers. Limit someone in Settings > Users.',
            )}
          </Text>
        ) : (
          <MultiSelect
            label={t('Who can see this number')}
            searchable
            data={limited.map((p) => ({ value: String(p.id), label: nameOf(p) }))}
            placeholder={form.values.user_ids.length ? '' : t('None of them')}
            readOnly={!mayEdit}
            nothingFoundMessage={t('No one found')}
            {...form.getInputProps('user_ids')}
          />
        )}
      </Section>
      <EverywhereList people={everywhere} />
      {mayEdit && limited.length > 0 && (
        <SaveBar dirty={form.isDirty()} saving={saving} onDiscard={() => form.reset()} />
      )}
    </form>
  );
}

function EverywhereList({ people }: { people: readonly User[] }) {
  return (
    <Section title={t('People who see all numbers')}>
      <Stack gap={4}>
        {people.length === 0 ? (
          <Text size="sm" c="dimmed">
            –
          </Text>
        ) : (
          people.map((p) => (
            <Text key={p.id} size="sm">
              {nameOf(p)}{' '}
              <Text span inherit c="dimmed">
                {p.email}
              </Text>
            </Text>
          ))
        )}
      </Stack>
    </Section>
  );
}
