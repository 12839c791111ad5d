import { Button, Group, Stack, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { billingContacts as contract, type Answer } from '#contract';
import { bindFieldErrors, t, useApiMutation, useCompanyId } from '#ui';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';

export type BillingContact = Answer<typeof contract.listBillingContacts>['data'][number];

/** A billing contact, new or not. */
export function ContactForm({
  contact,
  onDone,
}: {
  contact: BillingContact | null;
  onDone: () => void;
}) {
  const companyId = useCompanyId() ?? 0;
  const form = useForm({
    initialValues: {
      firstName: contact?.firstName ?? '',
      lastName: contact?.lastName ?? '',
      email: contact?.email ?? '',
      phone: contact?.phone ?? '',
      emailNotifications: contact?.emailNotifications ?? true,
      smsNotifications: contact?.smsNotifications ?? false,
    },
  });
  const options = {
    invalidates: [contract.listBillingContacts],
    onFieldErrors: bindFieldErrors(form),
    onSuccess: onDone,
  };
  const create = useApiMutation(contract.createBillingContact, {
    ...options,
    success: t('Billing contact created successfully'),
  });
  const update = useApiMutation(contract.updateBillingContact, {
    ...options,
    success: t('Billing contact updated successfully'),
  });
  const save = form.onSubmit((body) => {
    void (contact
      ? update.mutate({ params: { companyId, id: contact.id }, body })
      : create.mutate({ params: { companyId }, body }));
  });
  return (
    <form onSubmit={save} noValidate>
      <Stack gap="sm">
        <ContactFields input={form.getInputProps} />
        <DialogFooter onCancel={onDone}>
          <Button type="submit" loading={create.isPending || update.isPending}>
            {contact ? t('Save') : t('Add')}
          </Button>
        </DialogFooter>
      </Stack>
    </form>
  );
}

type InputOf = ReturnType<typeof useForm>['getInputProps'];

function ContactFields({ input }: { input: InputOf }) {
  return (
    <>
      <Group grow align="start">
        <TextInput label={t('First name')} data-autofocus maxLength={60} {...input('firstName')} />
        <TextInput label={t('Last name')} maxLength={60} {...input('lastName')} />
      </Group>
      <TextInput label={t('Email')} type="email" maxLength={254} {...input('email')} />
      <TextInput label={t('Phone')} type="tel" maxLength={40} {...input('phone')} />
      <Switch label={t('Gets emails')} {...input('emailNotifications', { type: 'checkbox' })} />
      <Switch
        label={t('Gets text messages')}
        {...input('smsNotifications', { type: 'checkbox' })}
      />
    </>
  );
}
