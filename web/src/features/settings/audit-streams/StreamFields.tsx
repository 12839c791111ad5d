import { PasswordInput, SimpleGrid, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { t } from '#ui';

export interface StreamForm {
  kind: 'webhook' | 's3';
  url: string;
  bucket: string;
  region: string;
  endpoint: string;
  prefix: string;
  access_key_id: string;
  secret_access_key: string;
  from_beginning: boolean;
}
type Form = UseFormReturnType<StreamForm>;

/** Where entries are posted to. */
export const WebhookFields = ({ form }: { form: Form }) => (
  <TextInput
    label={t('Address')}
    description={t('Gets JSON by POST, signed as Standard Webhooks say.')}
    type="url"
    placeholder="https://"
    required
    data-autofocus
    {...form.getInputProps('url')}
  />
);

/** Where the bucket is, and the key that may write to it. */
export const BucketFields = ({ form }: { form: Form }) => (
  <SimpleGrid cols={{ base: 1, xs: 2 }}>
    <TextInput label={t('Bucket')} required {...form.getInputProps('bucket')} />
    <TextInput label={t('Region')} required {...form.getInputProps('region')} />
    <TextInput
      label={t('Access key ID')}
      required
      autoComplete="off"
      {...form.getInputProps('access_key_id')}
    />
    <PasswordInput
      label={t('Secret access key')}
      required
      autoComplete="off"
      {...form.getInputProps('secret_access_key')}
    />
    <TextInput
      label={t('Folder')}
      description={t('Empty: at the top')}
      {...form.getInputProps('prefix')}
    />
    <TextInput
      label={t('Endpoint')}
      description={t('Empty: Amazon’s own')}
      type="url"
      placeholder="https://"
      {...form.getInputProps('endpoint')}
    />
  </SimpleGrid>
);
