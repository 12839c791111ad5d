import { Button, Group, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { contacts } from '#contract';
import { takesValue } from '#contract/contacts/rules';
import { formatNumber, t, useApiQuery, useCompanyId } from '#ui';
import type { Rule, RuleCondition } from './labels.ts';
import { ConditionRow, newCondition } from './ConditionRow.tsx';
import { useRuleText } from './use-rule-text.ts';

/** Drops incomplete conditions, so that the count works while one is being edited. */
const withoutIncomplete = (rule: Rule): Rule => ({
  all: rule.all.filter(
    (l) =>
      !takesValue(l.op) ||
      (l.value !== '' &&
        l.value !== null &&
        l.value !== undefined &&
        !(Array.isArray(l.value) && !l.value.length)),
  ),
});

/**
 * Edits the conditions of a virtual group and shows how many contacts match. `errors`: the server's
 * errors by `rule.all.<n>.<part>`.
 */
export function RuleBuilder({
  rule,
  onChange,
  errors = {},
}: {
  rule: Rule;
  onChange: (rule: Rule) => void;
  errors?: Readonly<Record<string, string>>;
}) {
  const words = useRuleText();
  const companyId = useCompanyId() ?? 0;
  const [asked] = useDebouncedValue(JSON.stringify(withoutIncomplete(rule)), 300);
  const ready = JSON.parse(asked) as Rule;
  const { response, loading } = useApiQuery(
    contacts.countContacts,
    { params: { companyId }, body: { filters: { rule: ready } } },
    { enabled: ready.all.length > 0, silent: true },
  );
  const set = (i: number, line: RuleCondition): void =>
    onChange({ all: rule.all.map((one, n) => (n === i ? line : one)) });
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500}>
        {t('Contacts that match all conditions')}
      </Text>
      {rule.all.map((line, i) => {
        const error = ['field', 'op', 'value']
          .map((part) => errors[`rule.all.${i}.${part}`])
          .find(Boolean);
        return (
          <ConditionRow
            key={i}
            line={line}
            position={i + 1}
            words={words}
            error={error}
            onChange={(changed) => set(i, changed)}
            onRemove={() => onChange({ all: rule.all.filter((_, n) => n !== i) })}
          />
        );
      })}
      <Group justify="space-between">
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={rule.all.length >= 20}
          onClick={() => onChange({ all: [...rule.all, newCondition('city', 'text')] })}
        >
          {t('Add a condition')}
        </Button>
        <Text size="sm" role="status" c={loading ? 'dimmed' : 'var(--tl-text)'}>
          {matchText(rule, ready, response?.data)}
        </Text>
      </Group>
    </Stack>
  );
}

/** How many contacts match; '' while they are counted. `ready`: the rule without incomplete conditions. */
function matchText(
  rule: Rule,
  ready: Rule,
  count: { total: number; active: number } | undefined,
): string {
  if (ready.all.length === 0)
    return rule.all.length === 0
      ? t('Add a condition to see who matches.')
      : t('Complete the condition to see who matches.');
  if (!count) return '';
  return t(
    '{n, plural, one {# contact matches now} other {# contacts match now}}, {active} can receive texts',
    { n: count.total, active: formatNumber(count.active) },
  );
}
