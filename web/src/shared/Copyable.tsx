import { Button, Code, CopyButton, Group, Text } from '@mantine/core';
import { t } from '#ui';

/** A value to copy, under its label. */
export const Copyable = ({ label, value }: { label: string; value: string }) => (
  <div>
    <Group justify="space-between" mb={4}>
      <Text size="sm" fw={500}>
        {label}
      </Text>
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Button size="compact-sm" variant="default" onClick={copy}>
            {copied ? t('Copied') : t('Copy')}
          </Button>
        )}
      </CopyButton>
    </Group>
    <Code block style={{ wordBreak: 'break-all', whiteSpace: 'pre-wrap' }}>
      {value}
    </Code>
  </div>
);
