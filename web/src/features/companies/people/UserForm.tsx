import { Button, Group, MultiSelect, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { companies, roleList, type CompanyRole } from '#contract';
import { listNumbersOfCompany } from '#contract/numbers/endpoints';
import {
  bindFieldErrors,
  focusFirstError,
  formatPhoneNumber,
  Section,
  t,
  useApiMutation,
  useApiQuery,
  usePermission,
  useUnsavedGuard,
  useFollowSaved,
} from '#ui';
import { useIsSelf, type Person } from './may-edit.ts';

const valuesOf = (p: Person) => ({
  first_name: p.first_name,
  last_name: p.last_name,
  email: p.pending_email ?? p.email,
  role: p.role as string,
  numbers: p.numbers.map((n) => String(n.id)),
});
type Values = ReturnType<typeof valuesOf>;

/** What changed, as the request's body. An address that already waits is not sent again. */
function changesOf(person: Person, values: Values) {
  const before = valuesOf(person);
  return {
    ...(values.first_name !== before.first_name && { first_name: values.first_name }),
    ...(values.last_name !== before.last_name && { last_name: values.last_name }),
    ...(values.email.trim() !== before.email && { email: values.email.trim() }),
    ...(values.role !== before.role && { role: values.role as CompanyRole }),
    ...(values.numbers.join() !== before.numbers.join() && {
      numbers: values.numbers.map(Number),
    }),
  };
}

/** Name, email address, role and numbers of a person. */
export function UserForm({ person, disabled }: { person: Person; disabled: boolean }) {
  const form = useForm<Values>({ initialValues: valuesOf(person) });
  const isSelf = useIsSelf(person);
  const { mutate, isPending } = useApiMutation(companies.updateCompanyUser, {
    onFieldErrors: bindFieldErrors(form),
    success: t('Successfully updated user info'),
    invalidates: [companies.listCompanyUsers, companies.getCompanyUser],
  });
  useUnsavedGuard(form.isDirty());
  useFollowSaved(form, valuesOf(person));
  const save = async (values: Values): Promise<void> => {
    const response = await mutate({
      params: { companyId: ':companyId', userId: person.id },
      body: changesOf(person, values),
    });
    if (!response) return;
    form.setInitialValues(valuesOf(response.data));
    form.reset();
  };
  return (
    <form
      onSubmit={form.onSubmit(
        (v) => void save(v),
        (errors) => focusFirstError(form, errors),
      )}
      noValidate
    >
      <Stack gap="sm">
        <ProfileFields form={form} person={person} disabled={disabled} isSelf={isSelf} />
        <RoleField form={form} person={person} disabled={disabled} isSelf={isSelf} />
        <NumbersField form={form} disabled={disabled} />
        {!disabled && (
          <Group gap="xs">
            <Button type="submit" loading={isPending} disabled={!form.isDirty()}>
              {t('Save')}
            </Button>
            <Button variant="default" disabled={!form.isDirty()} onClick={() => form.reset()}>
              {t('Discard changes')}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}

interface FieldsProps {
  form: UseFormReturnType<Values>;
  disabled: boolean;
}
type OfPerson = FieldsProps & { person: Person; isSelf: boolean };

function ProfileFields({ form, person, disabled, isSelf }: OfPerson) {
  return (
    <Section plain title={t('Profile')}>
      <Stack gap="sm">
        <SimpleGrid cols={2} spacing="sm">
          <TextInput
            label={t('First name')}
            readOnly={disabled}
            maxLength={100}
            {...form.getInputProps('first_name')}
          />
          <TextInput
            label={t('Last name')}
            readOnly={disabled}
            maxLength={100}
            {...form.getInputProps('last_name')}
          />
        </SimpleGrid>
        <TextInput
          label={t('Email')}
          type="email"
          readOnly={disabled || isSelf}
          description={
            isSelf
              ? t('Change your own address in your profile.')
              : person.pending_email
                ? t('Waits until this person enters the code we sent to this address.')
                : t('A new address takes effect when this person enters the code we send to it.')
          }
          {...form.getInputProps('email')}
        />
      </Stack>
    </Section>
  );
}

function RoleField({ form, person, disabled, isSelf }: OfPerson) {
  const { response } = useApiQuery(companies.listRoles, {}, { staleTime: 60_000, silent: true });
  const isOwner = person.role === 'owner';
  const options = roleList.filter(
    (r) =>
      r.id === person.role ||
      (r.scope === 'company' && response?.data.some((o) => o.id === r.id && o.assignable)),
  );
  const chosen = roleList.find((r) => r.id === form.values.role);
  const isFixed = disabled || isSelf || isOwner;
  const why = isOwner
    ? t('A company has one owner. Transfer ownership in the company settings.')
    : isSelf
      ? t('You can’t change your own role. Ask the owner or another administrator.')
      : '';
  return (
    <Select
      label={t('Role')}
      description={why || (chosen ? t(chosen.description) : '')}
      data={options.map((r) => ({ value: r.id, label: t(r.label) }))}
      allowDeselect={false}
      readOnly={isFixed}
      {...form.getInputProps('role')}
    />
  );
}

function NumbersField({ form, disabled }: FieldsProps) {
  const maySee = usePermission('numbers.view');
  const { response } = useApiQuery(
    listNumbersOfCompany,
    { params: { id: ':companyId' } },
    { enabled: maySee, staleTime: 60_000, silent: true },
  );
  const { role } = form.values;
  const applies = role === 'user' || role === 'reporting';
  return (
    <MultiSelect
      label={t('Numbers')}
      description={
        applies
          ? t('Only calls, messages and reports of these numbers. Leave empty for all numbers.')
          : t('Limits users and the reporting role. Other roles have every number.')
      }
      placeholder={form.values.numbers.length ? '' : t('All numbers')}
      data={(response?.data ?? []).map((n) => ({
        value: String(n.id),
        label: n.label
          ? `${n.label} · ${formatPhoneNumber(n.number)}`
          : formatPhoneNumber(n.number),
      }))}
      searchable
      clearable={!disabled}
      clearButtonProps={{ 'aria-label': t('All numbers') }}
      readOnly={disabled}
      limit={100}
      {...form.getInputProps('numbers')}
    />
  );
}
