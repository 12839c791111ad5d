import { Alert, Anchor, Button, Group, Stack } from '@mantine/core';
import { forwarding } from '#contract';
import {
  formatNumber,
  formatPhoneNumber,
  Modal,
  StatusBadge,
  t,
  Time,
  useApiQuery,
  usePermission,
} from '#ui';
import { ContactFields } from './ContactFields.tsx';
import { useContactForm, type Contact } from './use-contact-form.ts';

/** Creates (`contact` null) or edits a forwarding number, and lists the routes that use it. */
export function ContactForm({
  contact,
  close,
  onDelete,
}: {
  contact: Contact | null;
  close: () => void;
  onDelete: (contact: Contact) => void;
}) {
  const mayEdit = usePermission('routing.edit');
  const { form, save, isSaving } = useContactForm(contact, close);
  return (
    <Modal
      opened
      onClose={close}
      size="lg"
      title={contact ? contact.name : t('Add forwarding number')}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <form onSubmit={form.onSubmit(save)} noValidate>
        <Stack gap="sm">
          {contact?.is_failing && (
            <Alert color="orange">
              {t('Answered {rate} of {n} calls in 30 days. Is this still the right number?', {
                rate: `${Math.round((contact.answer_rate_30d ?? 0) * 100)}%`,
                n: formatNumber(contact.attempts_30d),
              })}
            </Alert>
          )}
          <ContactFields form={form} mayEdit={mayEdit} />
          {contact && <ContactUsage contact={contact} />}
          <Group justify="space-between" gap="xs">
            <span>
              {contact && mayEdit && (
                <Button variant="default" color="red" onClick={() => onDelete(contact)}>
                  {t('Delete')}
                </Button>
              )}
            </span>
            <Group gap="xs">
              <Button variant="default" onClick={close}>
                {mayEdit ? t('Cancel') : t('Close')}
              </Button>
              {mayEdit && (
                <Button
                  type="submit"
                  loading={isSaving}
                  disabled={contact !== null && !form.isDirty()}
                >
                  {contact ? t('Save') : t('Add')}
                </Button>
              )}
            </Group>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** The routes that use a forwarding number, and when a call to it was last answered. */
function ContactUsage({ contact }: { contact: Contact }) {
  const { response } = useApiQuery(
    forwarding.forwardContactUsage,
    { params: { id: contact.id } },
    { silent: true },
  );
  return (
    <div>
      <strong>{t('Used by')}</strong>
      {response?.data.length === 0 && <p>{t('No routes use it.')}</p>}
      <ul>
        {response?.data.map((use) => (
          <li key={`${use.route_id}.${use.position}`}>
            <Anchor inherit href={`/numbers/${use.number_id}`}>
              {formatPhoneNumber(use.number)}
              {use.label && `, ${use.label}`}
            </Anchor>
            {use.route_label || use.extension !== 1
              ? ` · ${use.route_label || t('Extension {n}', { n: use.extension })}`
              : ''}
          </li>
        ))}
      </ul>
      {contact.is_verified && contact.last_answered_at && (
        <StatusBadge tone="success">
          {t('Last answered')} <Time at={contact.last_answered_at} as="ago" />
        </StatusBadge>
      )}
    </div>
  );
}
