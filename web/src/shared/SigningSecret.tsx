import type { ReactNode } from 'react';
import { Alert, Button, Code, CopyButton, Group, Stack } from '@mantine/core';
import { t } from '#ui';

/** A secret that is shown this once, to be copied. */
export const SigningSecret = ({
  secret,
  onClose,
  children,
}: {
  secret: string;
  onClose: () => void;
  /** What it is for. */
  children: ReactNode;
}) => (
  <Stack gap="sm">
    <Alert color="yellow">{children}</Alert>
    <Code block style={{ wordBreak: 'break-all', whiteSpace: 'pre-wrap' }}>
      {secret}
    </Code>
    <Group justify="flex-end">
      <CopyButton value={secret}>
        {({ copied, copy }) => (
          <Button variant="default" onClick={copy}>
            {copied ? t('Copied') : t('Copy')}
          </Button>
        )}
      </CopyButton>
      <Button onClick={onClose}>{t('Done')}</Button>
    </Group>
  </Stack>
);
