import { List, Text } from '@mantine/core';
import { Section, t } from '#ui';

/** How something is set up, step by step, and what it was checked against. */
export const SetUpGuide = ({ steps, checked }: { steps: readonly string[]; checked: string }) => (
  <Section title={t('How to set it up')}>
    <List type="ordered" size="sm" spacing={4} styles={{ itemWrapper: { paddingInlineStart: 4 } }}>
      {steps.map((step) => (
        <List.Item key={step}>{step}</List.Item>
      ))}
    </List>
    <Text size="xs" c="dimmed" mt="sm">
      {checked}
    </Text>
  </Section>
);
