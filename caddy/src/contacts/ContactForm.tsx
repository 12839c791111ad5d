import { useState } from 'react';
import { Button, Stack, TextInput } from '@mantine/core';
import { contacts, conversations } from '#contract';
import { t, useApiMutation } from '#ui';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';
import { FormError } from '../FormError.tsx';

/** What shows a contact's name. */
export const showContacts = [
  contacts.listContacts,
  conversations.listConversations,
  conversations.getConversation,
];

interface ContactFormProps {
  /** The contact that is changed; null: a new one. */
  contact: { id: number; name: string } | null;
  /** Whose number it is; left out: the person types it. */
  number?: string;
  close: () => void;
}

/** Names a phone number, so that it's known when it calls or texts. */
export function ContactForm({ contact, number, close }: ContactFormProps) {
  const [name, setName] = useState(contact?.name ?? '');
  const [typed, setTyped] = useState('');
  const options = {
    silent: true,
    invalidates: showContacts,
    success: t('Contact saved'),
    onSuccess: close,
  } as const;
  const create = useApiMutation(contacts.createContact, options);
  const update = useApiMutation(contacts.updateContact, options);
  const { error, isPending } = contact ? update : create;
  const save = () =>
    contact
      ? update.mutate({ params: { contactId: contact.id }, body: { name: name.trim() } })
      : create.mutate({ body: { name: name.trim(), number: number ?? typed } });
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault();
        void save();
      }}
    >
      <Stack gap="md">
        {!error?.fields['number'] && !error?.fields['name'] && <FormError error={error} />}
        <TextInput
          data-autofocus
          label={t('Name')}
          maxLength={100}
          value={name}
          error={error?.fields['name']}
          onChange={(e) => setName(e.currentTarget.value)}
        />
        {!contact && number === undefined && (
          <TextInput
            label={t('Phone')}
            type="tel"
            inputMode="tel"
            value={typed}
            error={error?.fields['number']}
            onChange={(e) => setTyped(e.currentTarget.value)}
          />
        )}
        <DialogFooter onCancel={close}>
          <Button
            type="submit"
            loading={isPending}
            disabled={!name.trim() || (!contact && !(number ?? typed).trim())}
          >
            {t('Save')}
          </Button>
        </DialogFooter>
      </Stack>
    </form>
  );
}
