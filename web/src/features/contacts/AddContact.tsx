import { useState } from 'react';
import { Anchor, Button, Group, MultiSelect, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { contacts, groups, normalizePhone, type BodyIn } from '#contract';
import { entityOf } from '#contract/fields/rules';
import { bindFieldErrors, navigate, Modal, type ApiError, t, useApiMutation } from '#ui';
import { CustomFields, type SetValue } from '../fields/index.ts';
import { useSorting } from './use-sorting.ts';

const empty = {
  number: '',
  name: '',
  email: '',
  companyName: '',
  groups: [] as string[],
  labels: [] as string[],
};

/** Adds a contact. A number that already belongs to a contact links to that contact. */
export function AddContact({
  open,
  close,
  number = '',
}: {
  open: boolean;
  close: () => void;
  number?: string;
}) {
  const form = useForm({
    initialValues: { ...empty, number },
    validate: { number: (v) => (normalizePhone(v) ? null : t('Enter a phone number.')) },
  });
  const sorting = useSorting();
  const [values, setValues] = useState<SetValue[]>([]);
  const [taken, setTaken] = useState<number | null>(null);
  const bound = bindFieldErrors(form);
  const leave = (): void => {
    close();
    form.reset();
    setTaken(null);
    setValues([]);
  };
  const { mutate, isPending } = useApiMutation(contacts.createContact, {
    invalidates: [contacts.listContacts, groups.listGroups],
    success: t('Contact added'),
    onFieldErrors: (error) => {
      const other = existingContactId(error);
      if (!other) return bound(error);
      setTaken(other);
      return bound(error);
    },
    onSuccess: (response) => {
      leave();
      navigate(`/contacts/${response.data.id}`);
    },
  });
  const send = (v: typeof empty): void =>
    void mutate({
      body: {
        ...v,
        groups: v.groups.map(Number),
        labels: v.labels.map(Number),
        ...(values.length && { eavAttributeValues: values.filter((one) => one.value !== null) }),
      } as BodyIn<typeof contacts.createContact>,
    });
  return (
    <Modal
      opened={open}
      onClose={leave}
      title={t('Add contact')}
      size="md"
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <form onSubmit={form.onSubmit(send)}>
        <Stack gap="sm">
          <TextInput
            label={t('Phone number')}
            placeholder="(212) 555-0147"
            type="tel"
            required
            data-autofocus
            {...form.getInputProps('number')}
            onChange={(e) => {
              setTaken(null);
              form.setFieldValue('number', e.currentTarget.value);
            }}
          />
          {taken && (
            <Anchor href={`/contacts/${taken}`} size="sm">
              {t('Open the contact with this number')}
            </Anchor>
          )}
          <TextInput label={t('Name')} maxLength={120} {...form.getInputProps('name')} />
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
            <TextInput label={t('Email')} type="email" {...form.getInputProps('email')} />
            <TextInput
              label={t('Company')}
              maxLength={120}
              {...form.getInputProps('companyName')}
            />
          </SimpleGrid>
          <MultiSelect
            label={t('Groups')}
            searchable
            clearable
            clearButtonProps={{ 'aria-label': t('No groups') }}
            data={sorting.plainOptions}
            {...form.getInputProps('groups')}
          />
          <MultiSelect
            label={t('Labels')}
            searchable
            clearable
            clearButtonProps={{ 'aria-label': t('No labels') }}
            data={sorting.labelOptions}
            {...form.getInputProps('labels')}
          />
          <CustomFields
            entity={entityOf.contact}
            values={[]}
            at="change"
            onChange={(changed) =>
              setValues((before) => [
                ...before.filter((b) => !changed.some((c) => c.attribute_id === b.attribute_id)),
                ...changed,
              ])
            }
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={leave}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={isPending}>
              {t('Add contact')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** The contact that already has the number, from the body of the 409. */
const existingContactId = (error: ApiError): number | null => {
  const errors = (error.body as { errors?: { id?: number }[] } | undefined)?.errors;
  return Array.isArray(errors) ? (errors[0]?.id ?? null) : null;
};
