import { useState } from 'react';
import { Button, Group, Modal, Text, Textarea } from '@mantine/core';
import { contacts, conversations, timeline } from '#contract';
import { t, useApiMutation } from '#ui';
import { contactName, type Contact } from './labels.ts';

/** Opts a contact out of texts, or in again, with a note for their history. */
export function OptOutDialog({ contact, close }: { contact: Contact; close: () => void }) {
  const [note, setNote] = useState('');
  const out = !contact.unsubscribed;
  const { send, isPending } = useOptOut(contact, out, close);
  return (
    <Modal
      opened
      onClose={close}
      title={out ? t('Opt out of texts?') : t('Allow texts again?')}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <form
        onSubmit={(e) => {
          e.preventDefault();
          send(note.trim());
        }}
      >
        <Text size="sm" mb="md">
          {out
            ? t(
                'No one on your team can text this person, and campaigns skip them. Calls still work.',
              )
            : t(
                'Only do this if they asked for your texts. Keep a note of when and how they asked.',
              )}
        </Text>
        <Textarea
          label={t('Note')}
          placeholder={
            out ? t('Asked by phone not to be texted') : t('Asked by phone to get texts again')
          }
          autosize
          minRows={2}
          maxLength={500}
          value={note}
          onChange={(e) => setNote(e.currentTarget.value)}
          data-autofocus
        />
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={close}>
            {t('Cancel')}
          </Button>
          <Button type="submit" loading={isPending} {...(out && { color: 'red' })}>
            {out ? t('Opt out') : t('Allow texts')}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}

/** The request that opts the contact out (`out`) or in; `send` takes the note, '' for none. */
function useOptOut(contact: Contact, out: boolean, onSuccess: () => void) {
  const name = contactName(contact);
  const { mutate, isPending } = useApiMutation(contacts.updateContact, {
    success: out
      ? t('{name} won’t get texts anymore', { name })
      : t('{name} can be texted again', { name }),
    invalidates: [
      contacts.getContact,
      contacts.listContacts,
      timeline.contactTimeline,
      conversations.listConversations,
      conversations.getConversation,
    ],
    onSuccess,
  });
  const send = (note: string): void =>
    void mutate({
      params: { contactId: contact.id },
      body: { is_unsubscribed: out, ...(note && { unsubscribeNote: note }) },
    });
  return { send, isPending };
}
