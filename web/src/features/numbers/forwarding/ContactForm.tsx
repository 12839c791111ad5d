import {
  Alert,
  Anchor,
  Button,
  Checkbox,
  Group,
  Select,
  SimpleGrid,
  Stack,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { companies, forwarding, routing, type Body } from '#contract';
import {
  bindFieldErrors,
  formatNumber,
  formatPhoneNumber,
  Modal,
  StatusBadge,
  t,
  Time,
  useApiQuery,
  usePermission,
  useApiMutation,
} from '#ui';

type Contact = forwarding.ForwardContact;
const displayNumber = (number: string | null): string =>
  number === null ? '' : number.startsWith('+') ? formatPhoneNumber(number) : number;
const valuesOf = (c: Contact | null) => ({
  name: c?.name ?? '',
  type: (c?.type ?? 'phone') as Contact['type'],
  number: displayNumber(c?.number ?? null),
  extension: c?.extension ?? '',
  user_id: c?.user_id ? String(c.user_id) : (null as string | null),
  caller_id_pass_thru: c?.caller_id_pass_thru ?? true,
  confirm_key: c?.confirm_key ? String(c.confirm_key) : '',
  tags: c?.tags.map((tag) => tag.name) ?? [],
  notes: c?.notes ?? '',
});
const lists = [
  forwarding.listForwardContacts,
  forwarding.forwardContactStats,
  forwarding.getForwardContact,
  routing.getNumber,
];

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
  const people = useApiQuery(
    companies.listCompanyUsers,
    { query: { perPage: 250, status: 'active' } },
    { silent: true, staleTime: 60_000 },
  );
  const usage = useApiQuery(
    forwarding.forwardContactUsage,
    { params: { id: contact?.id ?? 0 } },
    { enabled: contact !== null, silent: true },
  );
  const form = useForm({
    initialValues: valuesOf(contact),
    validate: {
      name: (v) => (v.trim() ? null : t('Enter a name.')),
      number: (v, { type }) =>
        type === 'user' || routing.destinationNumber(v) !== null
          ? null
          : type === 'sip'
            ? t('Enter a SIP address, such as sip:desk@example.com.')
            : t('Enter a valid phone number.'),
      user_id: (v, { type }) => (type === 'user' && !v ? t('Choose a person.') : null),
    },
  });
  const made = useApiMutation(forwarding.createForwardContact, {
    onFieldErrors: bindFieldErrors(form),
    invalidates: lists,
    success: t('Forwarding number added'),
    onSuccess: close,
  });
  const changed = useApiMutation(forwarding.updateForwardContact, {
    onFieldErrors: bindFieldErrors(form),
    invalidates: lists,
    success: t('Forwarding number updated'),
    onSuccess: close,
  });
  const send = (v: ReturnType<typeof valuesOf>): void => {
    const key = v.confirm_key;
    const body = {
      name: v.name.trim(),
      type: v.type,
      number: v.type === 'user' ? null : routing.destinationNumber(v.number),
      extension: v.extension.trim() || null,
      user_id: v.type === 'user' ? Number(v.user_id) : null,
      caller_id_pass_thru: v.caller_id_pass_thru,
      confirm_key: key === '' ? false : key.length > 1 ? Number(key) : key,
      tags: v.tags,
      notes: v.notes,
    } as Body<typeof forwarding.createForwardContact>;
    void (contact ? changed.mutate({ params: { id: contact.id }, body }) : made.mutate({ body }));
  };
  const v = form.values;
  const text = { readOnly: !mayEdit };
  return (
    <Modal
      opened
      onClose={close}
      size="lg"
      title={contact ? contact.name : t('Add forwarding number')}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <form onSubmit={form.onSubmit(send)} noValidate>
        <Stack gap="sm">
          {contact?.is_failing && (
            <Alert color="orange">
              {t('Answered {rate} of {n} calls in 30 days. Is this still the right number?', {
                rate: `${Math.round((contact.answer_rate_30d ?? 0) * 100)}%`,
                n: formatNumber(contact.attempts_30d),
              })}
            </Alert>
          )}
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
            <TextInput
              label={t('Name')}
              placeholder={t('Front desk phone')}
              maxLength={120}
              data-autofocus
              {...text}
              {...form.getInputProps('name')}
            />
            <Select
              label={t('Type')}
              allowDeselect={false}
              data={[
                { value: 'phone', label: t('Phone number') },
                { value: 'sip', label: t('SIP address') },
                { value: 'user', label: t('Person, in the app') },
              ]}
              {...text}
              {...form.getInputProps('type')}
            />
            {v.type === 'user' ? (
              <Select
                label={t('Person')}
                searchable
                data={(people.response?.data ?? []).map((p) => ({
                  value: String(p.id),
                  label: `${p.first_name} ${p.last_name}`.trim() || p.email,
                }))}
                {...text}
                {...form.getInputProps('user_id')}
              />
            ) : (
              <TextInput
                label={v.type === 'sip' ? t('SIP address') : t('Phone number')}
                placeholder={v.type === 'sip' ? 'sip:desk@example.com' : '(212) 555-0147'}
                inputMode={v.type === 'sip' ? 'email' : 'tel'}
                {...text}
                {...form.getInputProps('number')}
              />
            )}
            {v.type !== 'user' && (
              <TextInput
                label={t('Extension')}
                description={t('Dialed after it answers. A comma waits one second.')}
                placeholder="204"
                maxLength={12}
                {...text}
                {...form.getInputProps('extension')}
              />
            )}
            {v.type !== 'user' && (
              <Select
                label={t('Key to accept a call')}
                data={[
                  { value: '', label: t('Use route setting') },
                  ...routing.confirmKeys.map((key) => ({ value: key.value, label: key.label })),
                ]}
                allowDeselect={false}
                {...text}
                {...form.getInputProps('confirm_key')}
              />
            )}
          </SimpleGrid>
          {v.type !== 'user' && (
            <Checkbox
              label={t('Show the caller’s own number')}
              description={t('Otherwise, the number they called is shown.')}
              disabled={!mayEdit}
              {...form.getInputProps('caller_id_pass_thru', { type: 'checkbox' })}
            />
          )}
          <TagsInput
            label={t('Tags')}
            placeholder={mayEdit && v.tags.length === 0 ? t('Type and press Enter') : ''}
            maxTags={50}
            {...text}
            {...form.getInputProps('tags')}
          />
          <Textarea
            label={t('Notes')}
            autosize
            minRows={2}
            maxLength={2000}
            {...text}
            {...form.getInputProps('notes')}
          />
          {contact && (
            <div>
              <strong>{t('Used by')}</strong>
              {usage.response?.data.length === 0 && <p>{t('No routes use it.')}</p>}
              <ul>
                {usage.response?.data.map((use) => (
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
          )}
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
                  loading={made.isPending || changed.isPending}
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
