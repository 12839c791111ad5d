import { Table } from '@mantine/core';
import type { tracking } from '#contract';
import { Section, t } from '#ui';
import { groupName, ruleText } from '../labels.ts';
import css from './sources.module.css';

/** Rules shown of a source; the others are counted. */
const SHOWN_RULES = 3;

/** The sources that every company has, with some of their rules. */
export function SystemSources({ sources }: { sources: readonly tracking.Source[] }) {
  return (
    <Section
      title={t('Standard sources')}
      about={t(
        'Asked after yours: first click IDs, then campaign tags, then the site a visitor comes from.',
      )}
    >
      <Table className={css.table ?? ''} verticalSpacing="xs" horizontalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('Source')}</Table.Th>
            <Table.Th>{t('Group')}</Table.Th>
            <Table.Th>{t('Recognized by')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sources.map((source) => (
            <Table.Tr key={source.id}>
              <Table.Td>{source.label}</Table.Td>
              <Table.Td>{groupName(source.group)}</Table.Td>
              <Table.Td>{rulesText(source)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Section>
  );
}

function rulesText({ rules }: tracking.Source): string {
  const shown = rules.slice(0, SHOWN_RULES).map(ruleText).join(' · ');
  const more = rules.length - SHOWN_RULES;
  return more > 0 ? t('{rules} and {more} more', { rules: shown, more }) : shown;
}
