import { useState } from 'react';
import { Alert, Button, List, Loader, Modal, Stack, Text, TextInput, Title } from '@mantine/core';
import { erasing, type Answer } from '#contract';
import { ErrorState, t, trackBatch, useApiMutation, useApiQuery } from '#ui';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';
import { contactName, displayNumber, type Contact } from '../labels.ts';

type Preview = Answer<typeof erasing.previewErasure>['data'];

/** Shows what erasing a person deletes and what it keeps, and starts it once the name is typed. */
export function EraseDialog({ contact, close }: { contact: Contact; close: () => void }) {
  const { response, error, refetch } = useApiQuery(erasing.previewErasure, {
    params: { contactId: contact.id },
  });
  return (
    <Modal
      opened
      onClose={close}
      size="lg"
      title={t('Erase {name}?', { name: contactName(contact) })}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      {response ? (
        <Erase contact={contact} preview={response.data} close={close} />
      ) : error ? (
        <ErrorState error={error} retry={refetch} notFound={t('Contact not found')} />
      ) : (
        <Loader size="sm" aria-label={t('Counting what would be deleted')} />
      )}
    </Modal>
  );
}

function Erase({
  contact,
  preview,
  close,
}: {
  contact: Contact;
  preview: Preview;
  close: () => void;
}) {
  const [typed, setTyped] = useState('');
  const name = contactName(contact);
  const isReady = typed.trim() === name && preview.hold === null;
  const { mutate, isPending } = useApiMutation(erasing.erasePerson, {
    invalidates: [erasing.getErasureState],
    onSuccess: ({ data }) => {
      // Without the name: the list of jobs is stored in the browser.
      trackBatch({ id: data.batchId, of: 'erasures', label: t('Erasing a person') });
      close();
    },
  });
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault();
        if (isReady) void mutate({ params: { contactId: contact.id } });
      }}
    >
      <Stack gap="md">
        <Warning preview={preview} />
        <Deleted goes={preview.goes} />
        <Kept stays={preview.stays} />
        {preview.hold === null && (
          <TextInput
            label={t('Type {names} to confirm', { names: name })}
            autoComplete="off"
            data-autofocus
            value={typed}
            onChange={(e) => setTyped(e.currentTarget.value)}
          />
        )}
        <DialogFooter onCancel={close}>
          <Button type="submit" color="red" disabled={!isReady} loading={isPending}>
            {t('Erase this person')}
          </Button>
        </DialogFooter>
      </Stack>
    </form>
  );
}

function Warning({ preview: { hold, numbers } }: { preview: Preview }) {
  return hold ? (
    <Alert color="orange" title={t('Under legal hold')}>
      <Text size="sm">{hold.reason}</Text>
      <Text size="sm">{t('End the legal hold to erase this person.')}</Text>
    </Alert>
  ) : (
    <Alert color="red">
      {t('This deletes the data of {numbers} for good. It can’t be undone.', {
        numbers: numbers.map(displayNumber).join(', '),
      })}
    </Alert>
  );
}

function Deleted({ goes }: { goes: Preview['goes'] }) {
  const lines = [
    goes.calls > 0 &&
      t('{n, plural, one {# call} other {# calls}}, with recordings, voicemails and transcripts', {
        n: goes.calls,
      }),
    goes.texts > 0 && t('{n, plural, one {# text} other {# texts}}', { n: goes.texts }),
    goes.faxes > 0 && t('{n, plural, one {# fax} other {# faxes}}', { n: goes.faxes }),
    goes.notes > 0 && t('{n, plural, one {# note} other {# notes}}', { n: goes.notes }),
    goes.visits > 0 &&
      t('{n, plural, one {# website visit} other {# website visits}}', { n: goes.visits }),
    goes.files > 0 &&
      t(
        '{n, plural, one {# file} other {# files}}: recordings, pictures, and all exports, archives and import files of the company, because the person can be in them',
        { n: goes.files },
      ),
    t('The contact, with custom fields, groups, labels and former merges'),
  ];
  return (
    <div>
      <Title order={3} size="sm" mb={4}>
        {t('Deleted')}
      </Title>
      <List size="sm">{lines.map((line) => line && <List.Item key={line}>{line}</List.Item>)}</List>
    </div>
  );
}

function Kept({ stays }: { stays: Preview['stays'] }) {
  return (
    <div>
      <Title order={3} size="sm" mb={4}>
        {t('Kept')}
      </Title>
      <List size="sm">
        {stays.map(({ what, why }) => (
          <List.Item key={what}>
            {what}
            <Text size="sm" c="dimmed">
              {why}
            </Text>
          </List.Item>
        ))}
      </List>
      <Text size="sm" c="dimmed" mt="xs">
        {t(
          'Notes and texts with other people that mention this person aren’t searched, and connected services, such as a CRM, keep their copies.',
        )}
      </Text>
    </div>
  );
}
