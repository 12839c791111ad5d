import { useState } from 'react';
import { Button, Modal, Stack, Text, Textarea } from '@mantine/core';
import { erasing } from '#contract';
import { t, useApiMutation } from '#ui';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';
import { contactName, type Contact } from '../labels.ts';

/** Puts a person under legal hold, or changes its reason (`reason`; null: there is no hold). */
export function LegalHoldDialog({
  contact,
  reason,
  close,
}: {
  contact: Contact;
  reason: string | null;
  close: () => void;
}) {
  const [text, setText] = useState(reason ?? '');
  const [isEmpty, setEmpty] = useState(false);
  const { mutate, isPending, error } = useHold(contact, reason === null, close);
  return (
    <Modal
      opened
      onClose={close}
      title={
        reason === null
          ? t('Put {name} under legal hold?', { name: contactName(contact) })
          : t('Change the reason for the legal hold')
      }
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <form
        noValidate
        onSubmit={(e) => {
          e.preventDefault();
          setEmpty(!text.trim());
          if (text.trim())
            void mutate({ params: { contactId: contact.id }, body: { reason: text.trim() } });
        }}
      >
        <Stack gap="md">
          <Text size="sm">
            {t(
              'Until the hold ends, this person can’t be erased, and nothing of theirs can be deleted, however old it is. It covers all of the person’s numbers.',
            )}
          </Text>
          <Textarea
            label={t('Reason')}
            description={t('Such as the number of a case. Only people who can erase data see it.')}
            error={isEmpty ? t('Enter a reason.') : error?.fields['reason']}
            autosize
            minRows={2}
            maxLength={500}
            data-autofocus
            value={text}
            onChange={(e) => setText(e.currentTarget.value)}
          />
          <DialogFooter onCancel={close}>
            <Button type="submit" loading={isPending}>
              {reason === null ? t('Put under legal hold') : t('Save')}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </Modal>
  );
}

/** The request that holds a person (`isNew`) or changes the reason. */
function useHold(contact: Contact, isNew: boolean, onSuccess: () => void) {
  return useApiMutation(erasing.holdPerson, {
    success: isNew
      ? t('{name} is under legal hold', { name: contactName(contact) })
      : t('Reason changed'),
    invalidates: [erasing.getErasureState],
    onSuccess,
  });
}
