import { Button, Group, Paper, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { sso as contract, type Answer } from '#contract';
import { bulkRoles } from '#contract/companies/organizations/rules';
import { bindFieldErrors, Section, t, useApiMutation, useUnsavedGuard } from '#ui';
import { SaveBar } from '../../../shared/SaveBar.tsx';
import { roleLabel } from '../invitations/invitation-texts.ts';
import type { Organization } from '../organization/OrganizationPage.tsx';
import { NumberPicker } from '../people/NumberPicker.tsx';

type Rule = Answer<typeof contract.getSso>['data']['access'][number];

interface Entered {
  rules: (Omit<Rule, 'group'> & { group: string })[];
}

/** What people who come through the provider get: by group, and everyone who is new. */
export function AccessRules({
  organization: { id, accounts },
  rules,
}: {
  organization: Organization;
  rules: readonly Rule[];
}) {
  const form = useForm<Entered>({
    initialValues: { rules: rules.map((rule) => ({ ...rule, group: rule.group ?? '' })) },
  });
  const { mutate, isPending } = useApiMutation(contract.saveSsoAccess, {
    success: t('Access saved'),
    onFieldErrors: bindFieldErrors(form),
    onSuccess: () => form.resetDirty(),
    invalidates: [contract.getSso],
  });
  useUnsavedGuard(form.isDirty());
  const save = ({ rules: entered }: typeof form.values) =>
    mutate({
      params: { id },
      body: { rules: entered.map((r) => ({ ...r, group: r.group.trim() || null })) },
    });
  const add = (): void =>
    form.insertListItem('rules', {
      group: '',
      company_id: accounts[0]?.id ?? 0,
      role: 'user' as const,
      number_ids: [],
    });
  return (
    <form onSubmit={form.onSubmit((values) => void save(values))} noValidate>
      <Section
        title={t('Access')}
        about={t(
          'Without a group, a rule is for everyone who is new. Groups are applied at each sign-in, and leaving a group takes back what it gave. Owners are never changed.',
        )}
      >
        <Stack>
          {form.values.rules.length === 0 && (
            <Text c="dimmed" fz="sm">
              {t('No rules yet. Only people who already have access can sign in.')}
            </Text>
          )}
          {form.values.rules.map((_, at) => (
            // oxlint-disable-next-line no-array-index-key -- rules have no identity of their own
            <RuleCard key={at} form={form} at={at} accounts={accounts} />
          ))}
          <Group>
            <Button variant="default" disabled={accounts.length === 0} onClick={add}>
              {t('Add rule')}
            </Button>
          </Group>
          <SaveBar dirty={form.isDirty()} saving={isPending} onDiscard={() => form.reset()} />
        </Stack>
      </Section>
    </form>
  );
}

/** One rule. Only users and the reporting role are limited to numbers. */
function RuleCard({
  form,
  at,
  accounts,
}: {
  form: UseFormReturnType<Entered>;
  at: number;
  accounts: Organization['accounts'];
}) {
  const rule = form.values.rules[at];
  if (!rule) return null;
  const path = `rules.${at}` as const;
  const setCompany = (value: string | null): void => {
    form.setFieldValue(`${path}.company_id`, Number(value));
    form.setFieldValue(`${path}.number_ids`, []);
  };
  const isLimited = rule.role === 'user' || rule.role === 'reporting';
  return (
    <Paper withBorder p="sm" role="group" aria-label={t('Rule {n}', { n: at + 1 })}>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <TextInput
          label={t('Group')}
          placeholder={t('Everyone who is new')}
          {...form.getInputProps(`${path}.group`)}
        />
        <Select
          label={t('Company')}
          data={accounts.map((a) => ({ value: String(a.id), label: a.name }))}
          allowDeselect={false}
          error={form.errors[`${path}.company_id`]}
          value={String(rule.company_id)}
          onChange={setCompany}
        />
        <Select
          label={t('Role')}
          data={bulkRoles.map((role) => ({ value: role, label: roleLabel(role) }))}
          allowDeselect={false}
          {...form.getInputProps(`${path}.role`)}
        />
      </SimpleGrid>
      <Group mt="sm" align="flex-end" justify="space-between">
        <div style={{ flex: 1, minWidth: 200 }}>
          {isLimited && (
            <NumberPicker
              companyId={rule.company_id}
              placeholder={t('All numbers')}
              chosen={rule.number_ids.map(String)}
              onChange={(ids) => form.setFieldValue(`${path}.number_ids`, ids.map(Number))}
            />
          )}
        </div>
        <Button variant="subtle" color="red" onClick={() => form.removeListItem('rules', at)}>
          {t('Remove')}
        </Button>
      </Group>
    </Paper>
  );
}
