import { useState } from 'react';
import { Button, FileButton, Group, Select, Stack, Text } from '@mantine/core';
import { IconDownload, IconUpload } from '@tabler/icons-react';
import {
  fieldUpdateLimits,
  updatableTypes,
  type UpdatableType,
} from '#contract/archive/field-updates/rules';
import { formatNumber, Section, t, toast, useSession } from '#ui';
import { saveText } from '../../../shared/save-text.ts';
import { permissionOf, typeName } from './labels.ts';

interface Template {
  name: string;
  csv: string;
}

/** Chooses what to change, gets a template for it, and uploads the file. */
export function ChooseFile({
  template,
  upload,
  isPending,
  about,
}: {
  /** Null: it couldn't be read, which was shown. */
  template: (type: UpdatableType) => Promise<Template | null>;
  upload: (file: File, type: UpdatableType) => Promise<unknown>;
  isPending: boolean;
  about: string;
}) {
  const permissions = useSession((s) => s.user?.permissions ?? null);
  const types = updatableTypes.filter((type) => permissionOf[type] in (permissions ?? {}));
  const [type, setType] = useState<UpdatableType>('number');
  const [isReading, setReading] = useState(false);
  const getTemplate = async (): Promise<void> => {
    setReading(true);
    const found = await template(type).finally(() => setReading(false));
    if (found) saveText(found.name, found.csv);
  };
  return (
    <Section title={t('Change custom fields by a file')} about={about}>
      <Stack gap="sm">
        <Group align="end" gap="sm">
          <Select
            label={t('What to change')}
            w={200}
            allowDeselect={false}
            data={types.map((value) => ({ value, label: typeName(value) }))}
            value={type}
            onChange={(value) => setType(updatableTypes.find((one) => one === value) ?? 'number')}
          />
          <Button
            variant="default"
            loading={isReading}
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={() => void getTemplate()}
          >
            {t('Download template')}
          </Button>
          <UploadButton upload={(file) => upload(file, type)} isPending={isPending} />
        </Group>
        <Text fz="sm" c="dimmed" maw="70ch">
          {t(
            'One row for each, and a column for each custom field. An empty cell changes nothing, and {word} deletes the value. Up to {rows} rows and {megabytes} MB.',
            {
              word: '__clear__',
              rows: formatNumber(fieldUpdateLimits.rows),
              megabytes: fieldUpdateLimits.megabytes,
            },
          )}
        </Text>
      </Stack>
    </Section>
  );
}

function UploadButton({
  upload,
  isPending,
}: {
  upload: (file: File) => Promise<unknown>;
  isPending: boolean;
}) {
  const choose = (file: File | null): void => {
    if (!file) return;
    if (file.size > fieldUpdateLimits.megabytes * 1024 * 1024)
      toast.danger(
        t('The file is larger than {n} MB. Split it into smaller files.', {
          n: fieldUpdateLimits.megabytes,
        }),
      );
    else void upload(file);
  };
  return (
    <FileButton key={String(isPending)} onChange={choose} accept=".csv,.tsv,.txt,.xlsx">
      {(props) => (
        <Button {...props} loading={isPending} leftSection={<IconUpload size={16} aria-hidden />}>
          {t('Upload a file')}
        </Button>
      )}
    </FileButton>
  );
}
