import { useState } from 'react';
import { Alert, Button, Radio, Select, Skeleton, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { contacts, timeline, type Answer } from '#contract';
import { mergeFields, type MergeField } from '#contract/contacts/rules';
import { Modal, showUndoToast, t, useApiQuery, useApiMutation } from '#ui';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';
import { contactName, optInName, displayNumber, type Contact } from './labels.ts';
import css from './contacts.module.css';

const invalidates = [contacts.getContact, contacts.listContacts, timeline.contactTimeline];
const displayValue = (c: Contact, field: MergeField): string =>
  field === 'number'
    ? displayNumber(c.number)
    : field === 'optinType'
      ? optInName(c.optinType)
      : String(c[field] ?? '');

interface MergeProps {
  contact: Contact;
  close: () => void;
}
type Preview = Answer<typeof contacts.previewMerge>['data'];
/** The contact whose value is kept, by field: this one or the other. */
type Choices = Record<string, 'this' | 'with'>;

/** Merges a duplicate: find it, choose which values to keep, preview the result. */
export function MergeDialog({ contact, close }: MergeProps) {
  const { other, choose, preview, merge, isMerging, setOther, setChoose } = useMerge({
    contact,
    close,
  });
  return (
    <Modal
      opened
      onClose={close}
      size="lg"
      closeButtonProps={{ 'aria-label': t('Close') }}
      title={t('Merge {name} with another contact', { name: contactName(contact) })}
    >
      <Stack gap="sm">
        <OtherContact contact={contact} other={other} chosen={preview?.with} onChange={setOther} />
        {other && !preview && <Skeleton height={120} />}
        {other && preview && (
          <>
            <Differences preview={preview} choose={choose} onChange={setChoose} />
            <Outcome preview={preview} />
          </>
        )}
        <DialogFooter onCancel={close}>
          <Button disabled={!preview || !other} loading={isMerging} onClick={merge}>
            {t('Merge')}
          </Button>
        </DialogFooter>
      </Stack>
    </Modal>
  );
}

/** The choices, and the requests that preview the merge, carry it out and undo it. */
function useMerge({ contact, close }: MergeProps) {
  const [other, setOther] = useState<string | null>(null);
  const [choose, setChoose] = useState<Choices>({});
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
    { params: { id: contact.id }, query: { with: Number(other), choose } },
    { enabled: other !== null && !isPending, silent: true },
  ).response?.data;
  return {
    other,
    choose,
    preview,
    isMerging: isPending,
    setChoose,
    setOther: (id: string | null) => {
      setOther(id);
      setChoose({});
    },
    merge: () => void mutate({ params: { id: contact.id }, body: { with: Number(other), choose } }),
  };
}

const optionLabel = (c: Contact): string => `${contactName(c)} · ${displayNumber(c.number)}`;

/** Finds the other contact. `chosen`: that contact, once it was loaded. */
function OtherContact({
  contact,
  other,
  chosen,
  onChange,
}: {
  contact: Contact;
  other: string | null;
  chosen: Contact | undefined;
  onChange: (id: string | null) => void;
}) {
  const [search, setSearch] = useState('');
  const [typed] = useDebouncedValue(search, 250);
  const found = useApiQuery(
    contacts.listContacts,
    { query: { search: typed || contact.name || null, perPage: 10 } },
    { silent: true, enabled: other === null },
  );
  const options = (found.response?.data ?? [])
    .filter((c) => c.id !== contact.id)
    .map((c) => ({ value: String(c.id), label: optionLabel(c) }));
  const current = chosen && other ? [{ value: other, label: optionLabel(chosen) }] : [];
  return (
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
      onChange={onChange}
    />
  );
}

/** The fields that differ, with the value of each contact to choose from. */
function Differences({
  preview,
  choose,
  onChange,
}: {
  preview: Preview;
  choose: Choices;
  onChange: (choose: Choices) => void;
}) {
  if (preview.differing.length === 0) return null;
  const valueOf = (side: 'this' | 'with', field: MergeField) => displayValue(preview[side], field);
  return (
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
            {(['this', 'with'] as const).map((side) => (
              <td key={side}>
                <Radio
                  name={`merge-${field}`}
                  label={valueOf(side, field) || '–'}
                  aria-label={t('{field}: {value}', {
                    field: t(mergeFields[field]),
                    value: valueOf(side, field) || t('Leave blank'),
                  })}
                  checked={(choose[field] ?? (valueOf('this', field) ? 'this' : 'with')) === side}
                  onChange={() => onChange({ ...choose, [field]: side })}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The contact that the merge results in, and the numbers that stay opted out. */
function Outcome({ preview: { merged, optedOut } }: { preview: Preview }) {
  return (
    <>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {t('The merged contact will be {name}, {number}.', {
          name: contactName(merged),
          number: displayNumber(merged.number),
        })}{' '}
        {merged.otherNumbers.length > 0 &&
          t(
            '{numbers} is kept as an additional number. Conversations, groups and labels from both are combined.',
            { numbers: merged.otherNumbers.map(displayNumber).join(', ') },
          )}
      </Text>
      {optedOut.length > 0 && (
        <Alert color="orange" variant="light">
          {t('{numbers} opted out of texts and stays opted out, whichever number you choose.', {
            numbers: optedOut.map(displayNumber).join(', '),
          })}
        </Alert>
      )}
    </>
  );
}
