import { useState } from 'react';
import { Alert, Button, Group, Radio, Select, Skeleton, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { contacts, timeline } from '#contract';
import { mergeFields, type MergeField } from '#contract/contacts/rules';
import { Modal, showUndoToast, t, useApiQuery, useApiMutation } from '#ui';
import { contactName, optInName, displayNumber, type Contact } from './labels.ts';
import css from './contacts.module.css';

const invalidates = [contacts.getContact, contacts.listContacts, timeline.contactTimeline];
const displayValue = (c: Contact, field: MergeField): string =>
  field === 'number'
    ? displayNumber(c.number)
    : field === 'optinType'
      ? optInName(c.optinType)
      : String(c[field] ?? '');

/** Merges a duplicate: find it, choose which values to keep, preview the result. */
export function MergeDialog({ contact, close }: { contact: Contact; close: () => void }) {
  const [other, setOther] = useState<string | null>(null);
  const [search, setSearch] = useState('');
  const [typed] = useDebouncedValue(search, 250);
  const [choose, setChoose] = useState<Record<string, 'this' | 'with'>>({});
  const found = useApiQuery(
    contacts.listContacts,
    { query: { search: typed || contact.name || null, perPage: 10 } },
    { silent: true, enabled: other === null },
  );
  const undo = useApiMutation(contacts.undoMerge, {
    invalidates,
    success: t('Contacts unmerged'),
  });
  const { mutate, isPending } = useApiMutation(contacts.mergeContacts, {
    invalidates,
    onSuccess: (response) => {
      close();
      showUndoToast(
        t('Merged with {name}', { name: preview ? contactName(preview.with) : '' }),
        () => void undo.mutate({ params: { id: contact.id, mergeId: response.data.mergeId } }),
        12_000,
      );
    },
  });
  // Not while merging: the other contact no longer exists by then.
  const preview = useApiQuery(
    contacts.previewMerge,
    { params: { id: contact.id }, query: { with: Number(other), choose: choose } },
    { enabled: other !== null && !isPending, silent: true },
  ).response?.data;
  const options = (found.response?.data ?? [])
    .filter((c) => c.id !== contact.id)
    .map((c) => ({ value: String(c.id), label: `${contactName(c)} · ${displayNumber(c.number)}` }));
  const current =
    preview && other
      ? [
          {
            value: other,
            label: `${contactName(preview.with)} · ${displayNumber(preview.with.number)}`,
          },
        ]
      : [];
  return (
    <Modal
      opened
      onClose={close}
      size="lg"
      closeButtonProps={{ 'aria-label': t('Close') }}
      title={t('Merge {name} with another contact', { name: contactName(contact) })}
    >
      <Stack gap="sm">
        <Select
          label={t('Other contact')}
          placeholder={t('Name or number')}
          data-autofocus
          searchable
          clearable
          clearButtonProps={{ 'aria-label': t('Choose another') }}
          data={other ? current : options}
          value={other}
          filter={({ options: all }) => all}
          nothingFoundMessage={t('No contacts found')}
          onSearchChange={setSearch}
          onChange={(v) => {
            setOther(v);
            setChoose({});
          }}
        />
        {other && !preview && <Skeleton height={120} />}
        {other && preview && (
          <>
            {preview.differing.length > 0 && (
              <table className={css.sides}>
                <thead>
                  <tr>
                    <th scope="col">{t('Field')}</th>
                    <th scope="col">{t('This contact')}</th>
                    <th scope="col">{t('Other contact')}</th>
                  </tr>
                </thead>
                <tbody>
                  {(preview.differing as MergeField[]).map((field) => (
                    <tr key={field}>
                      <th scope="row">{t(mergeFields[field])}</th>
                      {(['this', 'with'] as const).map((side) => {
                        const text = displayValue(preview[side], field);
                        return (
                          <td key={side}>
                            <Radio
                              name={`merge-${field}`}
                              label={text || '–'}
                              aria-label={t('{field}: {value}', {
                                field: t(mergeFields[field]),
                                value: text || t('Leave blank'),
                              })}
                              checked={
                                (choose[field] ??
                                  (displayValue(preview.this, field) ? 'this' : 'with')) === side
                              }
                              onChange={() => setChoose({ ...choose, [field]: side })}
                            />
                          </td>
                        );
                      })}
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {t('The merged contact will be {name}, {number}.', {
                name: contactName(preview.merged),
                number: displayNumber(preview.merged.number),
              })}{' '}
              {preview.merged.otherNumbers.length > 0 &&
                t(
                  '{numbers} is kept as an additional number. Conversations, groups and labels from both are combined.',
                  { numbers: preview.merged.otherNumbers.map(displayNumber).join(', ') },
                )}
            </Text>
            {preview.optedOut.length > 0 && (
              <Alert color="orange" variant="light">
                {t(
                  '{numbers} opted out of texts and stays opted out, whichever number you choose.',
                  { numbers: preview.optedOut.map(displayNumber).join(', ') },
                )}
              </Alert>
            )}
          </>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            {t('Cancel')}
          </Button>
          <Button
            disabled={!preview || !other}
            loading={isPending}
            onClick={() =>
              void mutate({ params: { id: contact.id }, body: { with: Number(other), choose } })
            }
          >
            {t('Merge')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
