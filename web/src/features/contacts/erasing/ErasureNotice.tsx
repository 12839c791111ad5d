import { Alert, Button, Group, Progress, Text } from '@mantine/core';
import { IconAlertTriangle, IconEraser, IconGavel } from '@tabler/icons-react';
import { erasing } from '#contract';
import { confirm, Facts, lazyComponent, t, Time, useApiMutation, usePermission } from '#ui';
import { contactName, type Contact } from '../labels.ts';
import { useOpenDialog, type ErasureState } from './use-erasure.ts';

const EraseDialog = lazyComponent(async () => (await import('./EraseDialog.tsx')).EraseDialog);

const LegalHoldDialog = lazyComponent(
  async () => (await import('./LegalHoldDialog.tsx')).LegalHoldDialog,
);

/**
 * Says that a person is held, is being erased, or that erasing ended early, and shows the dialogs
 * that hold and erase.
 */
export function ErasureNotice({ contact, state }: { contact: Contact; state: ErasureState }) {
  const mayErase = usePermission('person.erase');
  const { opened, open } = useOpenDialog();
  const { hold, erasure } = state;
  const isRunning = erasure !== null && erasure.failure === null;
  const close = (): void => open('');
  return (
    <>
      {isRunning && <Running progress={erasure.progress} />}
      {erasure && !isRunning && (
        <Alert
          color="red"
          mb="md"
          icon={<IconAlertTriangle size={20} aria-hidden />}
          title={t('Erasing this person didn’t finish')}
        >
          <Text size="sm">{erasure.failure}</Text>
          {mayErase && !hold && (
            <Button size="compact-sm" variant="default" mt="xs" onClick={() => open('erase')}>
              {t('Erase again')}
            </Button>
          )}
        </Alert>
      )}
      {hold && <Held hold={hold} contact={contact} mayErase={mayErase} />}
      {mayErase && !isRunning && opened === 'erase' && (
        <EraseDialog contact={contact} close={close} />
      )}
      {mayErase && opened === 'hold' && (
        <LegalHoldDialog contact={contact} reason={hold?.reason ?? null} close={close} />
      )}
    </>
  );
}

function Running({ progress }: { progress: number }) {
  return (
    <Alert
      color="accent"
      mb="md"
      role="status"
      icon={<IconEraser size={20} aria-hidden />}
      title={t('This person is being erased')}
    >
      <Text size="sm" mb="xs">
        {t('Calls, texts and files go first, then the contact. You can leave this page.')}
      </Text>
      <Progress value={progress} size={4} aria-label={t('Erasing a person')} />
    </Alert>
  );
}

function Held({
  hold,
  contact,
  mayErase,
}: {
  hold: NonNullable<ErasureState['hold']>;
  contact: Contact;
  mayErase: boolean;
}) {
  const { open } = useOpenDialog();
  const { end, isPending } = useEndHold(contact);
  return (
    <Alert
      color="orange"
      mb="md"
      icon={<IconGavel size={20} aria-hidden />}
      title={t('Under legal hold')}
    >
      <Text size="sm" mb="xs">
        {t('This person can’t be erased, and nothing of theirs can be deleted, however old it is.')}
      </Text>
      <Facts
        rows={[
          hold.reason !== null && [t('Reason'), hold.reason],
          [t('Set by'), hold.by],
          [t('Since'), <Time key="at" at={hold.at} as="instant" />],
        ]}
      />
      {mayErase && (
        <Group gap="xs" mt="sm">
          <Button size="compact-sm" variant="default" onClick={() => open('hold')}>
            {t('Change reason')}
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            loading={isPending}
            onClick={() => void end()}
          >
            {t('End legal hold')}
          </Button>
        </Group>
      )}
    </Alert>
  );
}

/** Ends the hold on a contact, after a confirmation. */
function useEndHold(contact: Contact): { end: () => Promise<void>; isPending: boolean } {
  const { mutate, isPending } = useApiMutation(erasing.endLegalHold, {
    success: t('Legal hold ended'),
    invalidates: [erasing.getErasureState],
  });
  const end = async (): Promise<void> => {
    const sure = await confirm({
      title: t('End the legal hold on {name}?', { name: contactName(contact) }),
      body: t(
        'Your retention settings delete old calls and texts of this person again, and the person can be erased.',
      ),
      confirmLabel: t('End legal hold'),
      danger: true,
    });
    if (sure) await mutate({ params: { contactId: contact.id } });
  };
  return { end, isPending };
}
