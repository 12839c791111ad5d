import { useState } from 'react';
import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { forwarding, apiErrorText, routing, type Answer } from '#contract';
import { formatNumber, formatPhoneNumber, Modal, t, useApiQuery, useApiMutation } from '#ui';

type Contact = forwarding.ForwardContact;
type Usage = Answer<typeof forwarding.forwardContactUsage>['data'];

/**
 * Deletes a forwarding number. While routes use it, another one has to be chosen that replaces it
 * in all of them.
 */
export function ReplaceDialog({ contact, close }: { contact: Contact; close: () => void }) {
  const [other, setOther] = useState<string | null>(null);
  const usage = useApiQuery(
    forwarding.forwardContactUsage,
    { params: { id: contact.id } },
    { silent: true, staleTime: 0 },
  ).response?.data;
  const { mutate, isPending } = useApiMutation(forwarding.deleteForwardContact, {
    invalidates: [
      forwarding.listForwardContacts,
      forwarding.forwardContactStats,
      routing.getNumber,
    ],
    success: t('{name} was deleted', { name: contact.name }),
    onSuccess: close,
  });
  const others = useOtherContacts(contact);
  const routes = new Set(usage?.map((use) => use.route_id)).size;
  return (
    <Modal
      opened
      onClose={close}
      title={t('Delete {name}?', { name: contact.name })}
      size="md"
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <Stack gap="sm">
        {usage && routes > 0 ? (
          <>
            <UsingRoutes usage={usage} routes={routes} />
            <ReplacementSelect others={others} value={other} onChange={setOther} />
          </>
        ) : (
          <Text size="sm">{t('No routes use it.')}</Text>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            {t('Cancel')}
          </Button>
          <Button
            color="red"
            loading={isPending}
            disabled={!usage || (routes > 0 && other === null)}
            onClick={() =>
              void mutate({
                params: { id: contact.id },
                query: { replace_with: routes > 0 ? Number(other) : null },
              })
            }
          >
            {routes > 0 ? t('Replace and delete') : t('Delete')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** The first places in routes that use the number; `routes` is how many routes there are. */
function UsingRoutes({ usage, routes }: { usage: Usage; routes: number }) {
  return (
    <>
      <Text size="sm">{apiErrorText('forwarding.in_use', { n: routes })}</Text>
      <ul>
        {usage.slice(0, 8).map((use) => (
          <li key={`${use.route_id}.${use.position}`}>
            {formatPhoneNumber(use.number)}
            {use.label && `, ${use.label}`}
            {use.route_label && ` · ${use.route_label}`}
          </li>
        ))}
        {routes > 8 && <li>{t('and {n} more', { n: formatNumber(routes - 8) })}</li>}
      </ul>
    </>
  );
}

function useOtherContacts(contact: Contact): Contact[] {
  const all = useApiQuery(
    forwarding.listForwardContacts,
    { query: { perPage: 250 } },
    { silent: true },
  );
  return (all.response?.data ?? []).filter((one) => one.id !== contact.id);
}

function ReplacementSelect({
  others,
  value,
  onChange,
}: {
  others: readonly Contact[];
  value: string | null;
  onChange: (id: string | null) => void;
}) {
  return (
    <Select
      label={t('Replace it with')}
      placeholder={others.length ? t('Choose another forwarding number') : t('No others yet')}
      searchable
      data-autofocus
      value={value}
      onChange={onChange}
      data={others.map((one) => ({
        value: String(one.id),
        label: one.number
          ? `${one.name}, ${one.number.startsWith('+') ? formatPhoneNumber(one.number) : one.number}`
          : one.name,
      }))}
    />
  );
}
