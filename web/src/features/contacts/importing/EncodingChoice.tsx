import { Select, Text } from '@mantine/core';
import { textEncodings } from '#contract/contacts/importing/encodings';
import { t } from '#ui';
import type { Import } from './labels.ts';
import { hasUploadedFile, useUpload } from './use-upload.ts';

/**
 * How the letters of a text file are read, for names that came out wrong. Files in plain English read
 * alike in any encoding, so there is no choice for them.
 */
export function EncodingChoice({
  file,
  opened,
}: {
  file: Import;
  opened: (importId: number) => void;
}) {
  const { readAgain, isPending } = useUpload(opened);
  if (file.encoding === null || file.encoding === 'utf-8') return null;
  if (!hasUploadedFile(file.id))
    return (
      <Text c="dimmed" size="sm">
        {t('If letters in names look wrong, choose the file again to read it differently.')}
      </Text>
    );
  return (
    <Select
      label={t('Letters')}
      description={t('If letters in names look wrong, choose how the file was saved.')}
      data={textEncodings.map(({ key, title }) => ({ value: key, label: t(title) }))}
      value={file.encoding}
      onChange={(chosen) => {
        const encoding = textEncodings.find(({ key }) => key === chosen)?.key;
        if (encoding && encoding !== file.encoding) void readAgain(file.id, encoding);
      }}
      disabled={isPending}
      allowDeselect={false}
      maw={360}
    />
  );
}
