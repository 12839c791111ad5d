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
export function ContactDetails({ contact: c }: { contact: Contact }) {
  const may = usePermission('contacts.edit');
  const [errors, setErrors] = useState<Record<string, string>>({});
  const sorting = useSorting();
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
    return (await mutate({ params: { contactId: c.id }, body: body })) !== null;
  };
  const text = (
    key: keyof Contact & string,
    label: string,
    more: Partial<React.ComponentProps<typeof InlineField>> = {},
  ) => (
    <InlineField
      key={key}
      label={label}
      value={String(c[key] ?? '')}
      disabled={!may || (c.masked && hidden.includes(key))}
      error={errors[key]}
      save={(value) => save({ [key]: more.options ? value || null : value })}
      {...more}
    />
  );
  const pick = (all: readonly string[]) => all.map((v) => ({ value: v, label: t(v) }));
  return (
    <>
      <Section title={t('Details')}>
        <div className={css.fields}>
          {text('name', t('Name'), { maxLength: 120 })}
          <InlineField
            label={t('Number')}
            type="tel"
            value={displayNumber(c.number)}
            disabled={!may || c.masked}
            error={errors['number']}
            save={(value) => save({ number: value })}
          />
          {text('email', t('Email'), { type: 'email', maxLength: 254 })}
          {text('companyName', t('Company'), { maxLength: 120 })}
          {text('title', t('Title'), { maxLength: 120 })}
          <InlineField
            label={t('Type')}
            value={c.type}
            options={pick(contactTypes)}
            required
            disabled={!may}
            save={(v) => (v ? save({ type: v }) : Promise.resolve(false))}
          />
          {text('address1', t('Address'))}
          {text('address2', t('Address line 2'))}
          {text('city', t('City'), { maxLength: 120 })}
          {text('state', t('State'), { maxLength: 60 })}
          {text('zip', t('ZIP'), { maxLength: 20 })}
          {text('country', t('Country'), { maxLength: 60 })}
          {text('gender', t('Gender'), { options: pick(genders) })}
          {text('ageRange', t('Age'), { options: ageRanges.map((v) => ({ value: v, label: v })) })}
          {text('optinType', t('Opt-in'), {
            options: optinTypes.map((v) => ({ value: v, label: optInName(v) })),
          })}
          {text('optinSource', t('Opt-in source'), { maxLength: 300 })}
          <TagsInput
            label={t('Other names')}
            disabled={!may || isPending}
            error={errors['alternativeNames']}
            value={c.alternativeNames}
            maxTags={20}
            onChange={(v) => void save({ alternativeNames: v })}
          />
          <TagsInput
            label={t('Other emails')}
            disabled={!may || isPending || c.masked}
            error={
              errors['secondaryEmails'] ??
              Object.entries(errors).find(([key]) => key.startsWith('secondaryEmails.'))?.[1]
            }
            value={c.secondaryEmails}
            maxTags={20}
            onChange={(v) => void save({ secondaryEmails: v })}
          />
          {text('notes', t('Notes'), { lines: 2, maxLength: 5000, className: css.wide })}
        </div>
      </Section>
      <Section title={t('Groups and labels')}>
        <div className={css.fields}>
          <MultiSelect
            label={t('Groups')}
            searchable
            disabled={!may || isPending}
            data={sorting.plainOptions}
            value={c.groups.map((g) => String(g.id))}
            onChange={(v) => void save({ groups: v.map(Number) })}
            placeholder={c.groups.length ? '' : t('None')}
          />
          <MultiSelect
            label={t('Labels')}
            searchable
            disabled={!may || isPending}
            data={sorting.labelOptions}
            value={c.labels.map((l) => String(l.id))}
            onChange={(v) => void save({ labels: v.map(Number) })}
            placeholder={c.labels.length ? '' : t('None')}
          />
        </div>
      </Section>
      <CustomFieldsSection contact={c} may={may} errors={errors} save={save} />
    </>
  );
}
const hidden = ['email', 'address1', 'address2', 'zip'];

function CustomFieldsSection({
  contact,
  may,
  errors,
  save,
}: {
  contact: Contact;
  may: boolean;
  errors: Record<string, string>;
  save: (body: object) => Promise<boolean>;
}) {
  if (!useFields(entityOf.contact).fields.length) return null;
  return (
    <Section title={t('Custom fields')}>
      <CustomFields
        entity={entityOf.contact}
        values={contact.eavAttributeValues as FieldValue[]}
        disabled={!may}
        errors={errors}
        onChange={(changed) => void save({ eavAttributeValues: changed })}
      />
    </Section>
  );
}
