import { useState } from 'react';
import { Button, FileButton, Group, Text } from '@mantine/core';
import { t } from '#ui';
import type { CompanyImport } from './import-state.tsx';
import { uploadParts } from './company-upload.ts';

/** Goes on with an upload that stopped, such as when its tab was closed. */
export function ResumeUpload({ one }: { one: CompanyImport }) {
  const [isOther, setOther] = useState(false);
  const resume = (file: File | null): void => {
    if (!file) return;
    const isSame = file.size === one.file.bytes && file.name.endsWith(one.file.name);
    setOther(!isSame);
    if (isSame) void uploadParts(one, file);
  };
  return (
    <Group gap="md">
      <FileButton onChange={resume} accept=".zip,application/zip">
        {(props) => (
          <Button {...props} variant="default">
            {t('Choose the file again')}
          </Button>
        )}
      </FileButton>
      <Text size="sm" role={isOther ? 'alert' : undefined}>
        {isOther
          ? t('This is another file. Choose {name}.', { name: one.file.name })
          : t('The upload stopped. Choose the file again to continue.')}
      </Text>
    </Group>
  );
}
