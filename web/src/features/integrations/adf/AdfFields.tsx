import {
  PasswordInput,
  SegmentedControl,
  Select,
  SimpleGrid,
  TagsInput,
  TextInput,
} from '@mantine/core';
import { t } from '#ui';
import type { Form } from './form-values.ts';

/** Where documents are sent: email addresses, or an address that takes them by HTTPS. */
export const ReceiverFields = ({ form, hasAuth }: { form: Form; hasAuth: boolean }) => (
  <>
    <SegmentedControl
      aria-label={t('Sent by')}
      data={[
        { value: 'email', label: t('Email') },
        { value: 'https', label: t('HTTPS') },
      ]}
      {...form.getInputProps('delivery')}
    />
    {form.values.delivery === 'email' ? (
      <EmailFields form={form} />
    ) : (
      <HttpsFields form={form} hasAuth={hasAuth} />
    )}
  </>
);

const EmailFields = ({ form }: { form: Form }) => (
  <>
    <TagsInput
      label={t('To')}
      description={t('The lead address that your CRM gave you. Press Enter after each.')}
      required
      acceptValueOnBlur
      {...form.getInputProps('to')}
    />
    <TagsInput label={t('Copy to')} acceptValueOnBlur {...form.getInputProps('cc')} />
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <TextInput
        label={t('Subject')}
        description={t('{dealer} becomes the dealer’s name', { dealer: '{dealer}' })}
        {...form.getInputProps('subject_template')}
      />
      <Select
        label={t('Document')}
        description={t('Most CRMs read the body')}
        allowDeselect={false}
        data={[
          { value: 'body', label: t('In the body') },
          { value: 'attachment', label: t('Attached') },
        ]}
        {...form.getInputProps('placement')}
      />
    </SimpleGrid>
  </>
);

function HttpsFields({ form, hasAuth }: { form: Form; hasAuth: boolean }) {
  const { authType } = form.values;
  const hasName = authType === 'basic' || authType === 'header';
  return (
    <>
      <TextInput
        label={t('Address')}
        type="url"
        placeholder="https://"
        required
        {...form.getInputProps('url')}
      />
      <Select
        label={t('Sign-in')}
        allowDeselect={false}
        data={[
          ...(hasAuth ? [{ value: 'keep', label: t('As it is') }] : []),
          { value: 'none', label: t('None') },
          { value: 'basic', label: t('User name and password') },
          { value: 'bearer', label: t('Token') },
          { value: 'header', label: t('Header') },
        ]}
        {...form.getInputProps('authType')}
      />
      {authType !== 'none' && authType !== 'keep' && (
        <SimpleGrid cols={{ base: 1, xs: hasName ? 2 : 1 }}>
          {hasName && (
            <TextInput
              label={authType === 'basic' ? t('User name') : t('Header')}
              required
              autoComplete="off"
              {...form.getInputProps('authName')}
            />
          )}
          <PasswordInput
            label={authType === 'basic' ? t('Password') : t('Value')}
            required
            autoComplete="new-password"
            {...form.getInputProps('authSecret')}
          />
        </SimpleGrid>
      )}
    </>
  );
}

/** Whose lead it is. */
export const DealerFields = ({ form }: { form: Form }) => (
  <SimpleGrid cols={{ base: 1, xs: 2 }}>
    <TextInput label={t('Dealer’s name')} required {...form.getInputProps('dealerName')} />
    <TextInput
      label={t('Dealer’s ID')}
      placeholder={t('As the CRM knows it')}
      {...form.getInputProps('dealerId')}
    />
    <TextInput
      label={t('Dealer’s phone')}
      placeholder="+12065550100"
      type="tel"
      {...form.getInputProps('dealerPhone')}
    />
    <TextInput label={t('Dealer’s email')} type="email" {...form.getInputProps('dealerEmail')} />
  </SimpleGrid>
);
