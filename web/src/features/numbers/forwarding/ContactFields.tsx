import { Checkbox, Select, SimpleGrid, TagsInput, Textarea, TextInput } from '@mantine/core';
import { companies, routing } from '#contract';
import { t, useApiQuery } from '#ui';
import type { ContactFormState } from './use-contact-form.ts';

interface FieldsProps {
  form: ContactFormState;
  mayEdit: boolean;
}

/** Fields of a forwarding number: a phone, a SIP address, or a person who is called in the app. */
export function ContactFields({ form, mayEdit }: FieldsProps) {
  const v = form.values;
  const text = { readOnly: !mayEdit };
  const isPerson = v.type === 'user';
  return (
    <>
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
        <DestinationField form={form} mayEdit={mayEdit} />
        {!isPerson && <AnsweringFields form={form} mayEdit={mayEdit} />}
      </SimpleGrid>
      {!isPerson && (
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
    </>
  );
}

function DestinationField({ form, mayEdit }: FieldsProps) {
  const { type } = form.values;
  const text = { readOnly: !mayEdit };
  const people = useApiQuery(
    companies.listCompanyUsers,
    { query: { perPage: 250, status: 'active' } },
    { silent: true, staleTime: 60_000 },
  );
  if (type === 'user')
    return (
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
    );
  const isSip = type === 'sip';
  return (
    <TextInput
      label={isSip ? t('SIP address') : t('Phone number')}
      placeholder={isSip ? 'sip:desk@example.com' : '(212) 555-0147'}
      inputMode={isSip ? 'email' : 'tel'}
      {...text}
      {...form.getInputProps('number')}
    />
  );
}

function AnsweringFields({ form, mayEdit }: FieldsProps) {
  const text = { readOnly: !mayEdit };
  return (
    <>
      <TextInput
        label={t('Extension')}
        description={t('Dialed after it answers. A comma waits one second.')}
        placeholder="204"
        maxLength={12}
        {...text}
        {...form.getInputProps('extension')}
      />
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
    </>
  );
}
