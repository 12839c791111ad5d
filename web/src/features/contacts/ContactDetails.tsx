import { useState } from 'react';
import { MultiSelect, TagsInput } from '@mantine/core';
import { contacts, groups, timeline } from '#contract';
import { ageRanges, contactTypes, genders, optinTypes } from '#contract/contacts/rules';
import { entityOf } from '#contract/fields/rules';
import type { FieldValue } from '#contract/fields/schemas';
import { Section, t, usePermission, useApiMutation, type ApiError } from '#ui';
import { CustomFields, useFields } from '../fields/index.ts';
import { InlineField } from './InlineField.tsx';
import { useSorting } from './use-sorting.ts';
import { optInName, displayNumber, type Contact } from './labels.ts';
import css from './contacts.module.css';

/** A contact's fields, edited inline. */
export function ContactDetails({ contact }: { contact: Contact }) {
  const editor = useContactEditor(contact);
  return (
    <>
      <Section title={t('Details')}>
        <div className={css.fields}>
          <IdentityFields editor={editor} />
          <AddressFields editor={editor} />
          <ProfileFields editor={editor} />
          <TextField
            editor={editor}
            field="notes"
            label={t('Notes')}
            lines={2}
            maxLength={5000}
            className={css.wide}
          />
        </div>
      </Section>
      <MembershipSection editor={editor} />
      <CustomFieldsSection editor={editor} />
    </>
  );
}

/** Saves parts of the contact. `errors`: the server's errors by field; `save` is false on error. */
function useContactEditor(contact: Contact) {
  const mayEdit = usePermission('contacts.edit');
  const [errors, setErrors] = useState<Record<string, string>>({});
  const { mutate, isPending } = useApiMutation(contacts.updateContact, {
    invalidates: [
      contacts.getContact,
      contacts.listContacts,
      timeline.contactTimeline,
      groups.listGroups,
      groups.listContactLabels,
    ],
    onFieldErrors: (error: ApiError) => {
      setErrors(error.code === 'contact.exists' ? { number: error.text } : error.fields);
      return Object.keys(error.fields);
    },
  });
  const save = async (body: object): Promise<boolean> => {
    setErrors({});
    return (await mutate({ params: { contactId: contact.id }, body })) !== null;
  };
  return { contact, mayEdit, errors, save, isSaving: isPending };
}
type Editor = ReturnType<typeof useContactEditor>;

const hidden = ['email', 'address1', 'address2', 'zip'];
const namedOptions = (values: readonly string[]) => values.map((v) => ({ value: v, label: t(v) }));

/** One field of the contact that is a text or, with `options`, a choice that can be blank. */
function TextField({
  editor: { contact, mayEdit, errors, save },
  field,
  ...control
}: { editor: Editor; field: keyof Contact & string } & Omit<
  React.ComponentProps<typeof InlineField>,
  'value' | 'save'
>) {
  return (
    <InlineField
      value={String(contact[field] ?? '')}
      disabled={!mayEdit || (contact.masked && hidden.includes(field))}
      error={errors[field]}
      save={(value) => save({ [field]: control.options ? value || null : value })}
      {...control}
    />
  );
}

function IdentityFields({ editor }: { editor: Editor }) {
  const { contact, mayEdit, errors, save } = editor;
  return (
    <>
      <TextField editor={editor} field="name" label={t('Name')} maxLength={120} />
      <InlineField
        label={t('Number')}
        type="tel"
        value={displayNumber(contact.number)}
        disabled={!mayEdit || contact.masked}
        error={errors['number']}
        save={(value) => save({ number: value })}
      />
      <TextField editor={editor} field="email" label={t('Email')} type="email" maxLength={254} />
      <TextField editor={editor} field="companyName" label={t('Company')} maxLength={120} />
      <TextField editor={editor} field="title" label={t('Title')} maxLength={120} />
      <InlineField
        label={t('Type')}
        value={contact.type}
        options={namedOptions(contactTypes)}
        required
        disabled={!mayEdit}
        save={(v) => (v ? save({ type: v }) : Promise.resolve(false))}
      />
    </>
  );
}

const AddressFields = ({ editor }: { editor: Editor }) => (
  <>
    <TextField editor={editor} field="address1" label={t('Address')} />
    <TextField editor={editor} field="address2" label={t('Address line 2')} />
    <TextField editor={editor} field="city" label={t('City')} maxLength={120} />
    <TextField editor={editor} field="state" label={t('State')} maxLength={60} />
    <TextField editor={editor} field="zip" label={t('ZIP')} maxLength={20} />
    <TextField editor={editor} field="country" label={t('Country')} maxLength={60} />
  </>
);

function ProfileFields({ editor }: { editor: Editor }) {
  const { contact, mayEdit, errors, save, isSaving } = editor;
  const emailsError = Object.entries(errors).find(([key]) => key.startsWith('secondaryEmails.'));
  const ages = ageRanges.map((v) => ({ value: v, label: v }));
  const optIns = optinTypes.map((v) => ({ value: v, label: optInName(v) }));
  return (
    <>
      <TextField
        editor={editor}
        field="gender"
        label={t('Gender')}
        options={namedOptions(genders)}
      />
      <TextField editor={editor} field="ageRange" label={t('Age')} options={ages} />
      <TextField editor={editor} field="optinType" label={t('Opt-in')} options={optIns} />
      <TextField editor={editor} field="optinSource" label={t('Opt-in source')} maxLength={300} />
      <TagsInput
        label={t('Other names')}
        disabled={!mayEdit || isSaving}
        error={errors['alternativeNames']}
        value={contact.alternativeNames}
        maxTags={20}
        onChange={(v) => void save({ alternativeNames: v })}
      />
      <TagsInput
        label={t('Other emails')}
        disabled={!mayEdit || isSaving || contact.masked}
        error={errors['secondaryEmails'] ?? emailsError?.[1]}
        value={contact.secondaryEmails}
        maxTags={20}
        onChange={(v) => void save({ secondaryEmails: v })}
      />
    </>
  );
}

function MembershipSection({ editor: { contact, mayEdit, save, isSaving } }: { editor: Editor }) {
  const sorting = useSorting();
  return (
    <Section title={t('Groups and labels')}>
      <div className={css.fields}>
        <MultiSelect
          label={t('Groups')}
          searchable
          disabled={!mayEdit || isSaving}
          data={sorting.plainOptions}
          value={contact.groups.map((g) => String(g.id))}
          onChange={(v) => void save({ groups: v.map(Number) })}
          placeholder={contact.groups.length ? '' : t('None')}
        />
        <MultiSelect
          label={t('Labels')}
          searchable
          disabled={!mayEdit || isSaving}
          data={sorting.labelOptions}
          value={contact.labels.map((l) => String(l.id))}
          onChange={(v) => void save({ labels: v.map(Number) })}
          placeholder={contact.labels.length ? '' : t('None')}
        />
      </div>
    </Section>
  );
}

function CustomFieldsSection({ editor: { contact, mayEdit, errors, save } }: { editor: Editor }) {
  const { fields } = useFields(entityOf.contact);
  if (fields.length === 0) return null;
  return (
    <Section title={t('Custom fields')}>
      <CustomFields
        entity={entityOf.contact}
        values={contact.eavAttributeValues as FieldValue[]}
        disabled={!mayEdit}
        errors={errors}
        onChange={(changed) => void save({ eavAttributeValues: changed })}
      />
    </Section>
  );
}
