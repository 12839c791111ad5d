import { useState } from 'react';
import { Alert, Button, Code, CopyButton, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { adminMode, platform as contract, type Answer } from '#contract';
import { bindFieldErrors, browserZone, Modal, t, useApiMutation, useApiQuery } from '#ui';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';

type Added = Answer<typeof contract.createPlatformCompany>['data'];

/** A button that adds a company with its owner, who is invited by email or by a link to hand on. */
export default function AddCompany({ onAdded }: { onAdded: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const [added, setAdded] = useState<Added | null>(null);
  const mode = useApiQuery(adminMode.getAdminMode, {}, { silent: true });
  const canWrite = mode.response?.data?.may_write ?? false;
  const close = (): void => {
    setOpen(false);
    setAdded(null);
  };
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        disabled={!canWrite}
        onClick={() => setOpen(true)}
      >
        {t('Add company')}
      </Button>
      {mode.response && !canWrite && (
        <Text size="sm" c="dimmed">
          {t('To add one, allow changes in admin mode first.')}
        </Text>
      )}
      {isOpen && (
        <Modal
          opened
          onClose={close}
          title={added ? t('{name} was added', { name: added.name }) : t('Add company')}
          closeButtonProps={{ 'aria-label': t('Close') }}
        >
          {added ? (
            <Invited added={added} close={close} />
          ) : (
            <CompanyForm
              close={close}
              onAdded={(one) => {
                setAdded(one);
                onAdded();
              }}
            />
          )}
        </Modal>
      )}
    </>
  );
}

function useCompanyForm(onAdded: (added: Added) => void) {
  const form = useForm({
    initialValues: { name: '', first_name: '', last_name: '', email: '' },
    validate: {
      name: (v) => (v.trim() ? null : t('Enter the name of the company.')),
      first_name: (v) => (v.trim() ? null : t('Enter the owner’s name.')),
      email: (v) => (/^\S+@\S+\.\S+$/.test(v.trim()) ? null : t('Enter an email address.')),
    },
  });
  const { mutate, isPending, error } = useApiMutation(contract.createPlatformCompany, {
    silent: true,
    invalidates: [contract.listPlatformCompanies, contract.listPlatformPeople],
    onFieldErrors: bindFieldErrors(form, {
      'owner.email': 'email',
      'owner.first_name': 'first_name',
      'owner.last_name': 'last_name',
    }),
    onSuccess: ({ data }) => onAdded(data),
  });
  const submit = ({ name, email, ...names }: typeof form.values): void =>
    void mutate({
      body: { name, timezone: browserZone(), owner: { ...names, email: email.trim() } },
    });
  return { form, submit, isPending, error };
}

function CompanyForm({ close, onAdded }: { close: () => void; onAdded: (added: Added) => void }) {
  const { form, submit, isPending, error } = useCompanyForm(onAdded);
  return (
    <form onSubmit={form.onSubmit(submit)} noValidate>
      <Stack gap="sm">
        {error && Object.keys(form.errors).length === 0 && (
          <Alert color="red" role="alert">
            {error.text}
          </Alert>
        )}
        <TextInput data-autofocus label={t('Company')} {...form.getInputProps('name')} />
        <Group grow align="flex-start" gap="sm">
          <TextInput label={t('Owner’s first name')} {...form.getInputProps('first_name')} />
          <TextInput label={t('Owner’s last name')} {...form.getInputProps('last_name')} />
        </Group>
        <TextInput label={t('Owner’s email')} type="email" {...form.getInputProps('email')} />
        <Text size="sm" c="dimmed">
          {t('The owner gets a link to set a password. It works once, for 7 days.')}
        </Text>
        <DialogFooter onCancel={close}>
          <Button type="submit" loading={isPending}>
            {t('Add company')}
          </Button>
        </DialogFooter>
      </Stack>
    </form>
  );
}

function Invited({ added: { owner, link }, close }: { added: Added; close: () => void }) {
  return (
    <Stack gap="sm">
      {link === null ? (
        <Text>{t('We emailed {email} a link to set a password.', { email: owner.email })}</Text>
      ) : (
        <>
          <Text>
            {t(
              'This server can’t send email. Give {email} this link to set a password. It isn’t shown again.',
              { email: owner.email },
            )}
          </Text>
          <Code block data-owner-link>
            {link}
          </Code>
        </>
      )}
      <Group justify="flex-end" gap="xs">
        {link !== null && (
          <CopyButton value={link}>
            {({ copied, copy }) => (
              <Button variant="default" onClick={copy}>
                {copied ? t('Copied') : t('Copy')}
              </Button>
            )}
          </CopyButton>
        )}
        <Button onClick={close}>{t('Done')}</Button>
      </Group>
    </Stack>
  );
}
