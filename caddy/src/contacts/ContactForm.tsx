import { useState } from 'react';
import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { t } from '#ui';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';
import { FormError } from '../FormError.tsx';
import { useSaveContact } from './use-save-contact.ts';

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
  const { save, error, isPending, holder, forgetHolder } = useSaveContact(contact, close);
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault();
        save(name.trim(), number ?? typed);
      }}
    >
      <Stack gap="md">
        {!error?.fields['number'] && !error?.fields['name'] && <FormError error={error} />}
        {holder && (
          <Alert color="yellow" role="alert">
            {t('You saved this number as {name}. Rename it?', { name: holder.name })}
          </Alert>
        )}
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
            onChange={(e) => {
              setTyped(e.currentTarget.value);
              forgetHolder();
            }}
          />
        )}
        <DialogFooter onCancel={close}>
          <Button
            type="submit"
            loading={isPending}
            disabled={!name.trim() || (!contact && !(number ?? typed).trim())}
          >
            {holder ? t('Rename') : t('Save')}
          </Button>
        </DialogFooter>
      </Stack>
    </form>
  );
}
