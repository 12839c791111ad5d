import { useState } from 'react';
import { Anchor, Button, MultiSelect, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { contacts, groups, normalizePhone, type BodyIn } from '#contract';
import { entityOf } from '#contract/fields/rules';
import { bindFieldErrors, navigate, Modal, type ApiError, t, useApiMutation } from '#ui';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';
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

interface NewContact {
  open: boolean;
  close: () => void;
  number?: string;
}

/** Adds a contact. A number that already belongs to a contact links to that contact. */
export function AddContact({ open, ...props }: NewContact) {
  const { form, takenBy, numberChanged, setFieldValues, submit, leave, isPending } =
    useNewContact(props);
  return (
    <Modal
      opened={open}
      onClose={leave}
      title={t('Add contact')}
      size="md"
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <NumberField form={form} takenBy={takenBy} onChange={numberChanged} />
          <TextInput label={t('Name')} maxLength={120} {...form.getInputProps('name')} />
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
            <TextInput label={t('Email')} type="email" {...form.getInputProps('email')} />
            <TextInput
              label={t('Company')}
              maxLength={120}
              {...form.getInputProps('companyName')}
            />
          </SimpleGrid>
          <GroupsAndLabels form={form} />
          <CustomFields
            entity={entityOf.contact}
            values={[]}
            at="change"
            onChange={setFieldValues}
          />
          <DialogFooter onCancel={leave}>
            <Button type="submit" loading={isPending}>
              {t('Add contact')}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </Modal>
  );
}

/** Form and request of a new contact. `takenBy`: the contact that already has the number. */
function useNewContact({ close, number = '' }: Omit<NewContact, 'open'>) {
  const form = useForm({
    initialValues: { ...empty, number },
    validate: { number: (v) => (normalizePhone(v) ? null : t('Enter a phone number.')) },
  });
  const [values, setValues] = useState<SetValue[]>([]);
  const [takenBy, setTakenBy] = useState<number | null>(null);
  const bound = bindFieldErrors(form);
  const leave = (): void => {
    close();
    form.reset();
    setTakenBy(null);
    setValues([]);
  };
  const { mutate, isPending } = useApiMutation(contacts.createContact, {
    invalidates: [contacts.listContacts, groups.listGroups],
    success: t('Contact added'),
    onFieldErrors: (error) => {
      const other = existingContactId(error);
      if (other) setTakenBy(other);
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
  return {
    form,
    takenBy,
    numberChanged: () => setTakenBy(null),
    setFieldValues: (changed: SetValue[]) =>
      setValues((before) => [
        ...before.filter((b) => !changed.some((c) => c.attribute_id === b.attribute_id)),
        ...changed,
      ]),
    submit: form.onSubmit(send),
    leave,
    isPending,
  };
}

/** The contact that already has the number, from the body of the 409. */
const existingContactId = (error: ApiError): number | null => {
  const errors = (error.body as { errors?: { id?: number }[] } | undefined)?.errors;
  return Array.isArray(errors) ? (errors[0]?.id ?? null) : null;
};

type ContactForm = UseFormReturnType<typeof empty>;

function NumberField({
  form,
  takenBy,
  onChange,
}: {
  form: ContactForm;
  takenBy: number | null;
  onChange: () => void;
}) {
  return (
    <>
      <TextInput
        label={t('Phone number')}
        placeholder="(212) 555-0147"
        type="tel"
        required
        data-autofocus
        {...form.getInputProps('number')}
        onChange={(e) => {
          onChange();
          form.setFieldValue('number', e.currentTarget.value);
        }}
      />
      {takenBy && (
        <Anchor href={`/contacts/${takenBy}`} size="sm">
          {t('Open the contact with this number')}
        </Anchor>
      )}
    </>
  );
}

function GroupsAndLabels({ form }: { form: ContactForm }) {
  const sorting = useSorting();
  return (
    <>
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
    </>
  );
}
