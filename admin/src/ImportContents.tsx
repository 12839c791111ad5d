import { List } from '@mantine/core';
import type { RecordKind } from '#contract/archive/company-imports/rules';
import { Facts, formatNumber, Section, t } from '#ui';
import type { CompanyImport } from './import-state.tsx';

type Report = NonNullable<CompanyImport['report']>;

const kindNames: Record<RecordKind, () => string> = {
  users: () => t('Users'),
  numbers: () => t('Numbers'),
  contacts: () => t('Contacts'),
  calls: () => t('Calls'),
  conversations: () => t('Conversations'),
  messages: () => t('Messages and notes'),
  faxes: () => t('Faxes'),
  campaigns: () => t('Campaigns'),
  other: () => t('Other records'),
};

/** What an archive holds, and what to know of its import. */
export function ImportContents({ report, isDone }: { report: Report; isDone: boolean }) {
  const notes = notesOf(report);
  return (
    <>
      <Section title={isDone ? t('What was imported') : t('What it contains')}>
        <Facts
          rows={[
            [t('Company'), `${report.company.name} (${report.company.id})`],
            ...report.counts.map(
              ({ kind, rows }) => [kindNames[kind](), formatNumber(rows)] as const,
            ),
            [t('Files'), formatNumber(report.files)],
            [t('New accounts'), formatNumber(report.new_people)],
          ]}
        />
      </Section>
      <Section title={t('What to know')}>
        <List size="sm" spacing="xs">
          {notes.map((note) => (
            <List.Item key={note}>{note}</List.Item>
          ))}
        </List>
      </Section>
    </>
  );
}

/** What an import means for people and for what waits to be sent. */
function notesOf(report: Report): string[] {
  const { campaigns, scheduled, overdue } = report.waiting;
  const { new_people: people, known_people: known, disabled_people: disabled } = report;
  const missing = report.missing_files;
  return [
    people > 0 &&
      t(
        '{n, plural, one {# person gets} other {# people get}} an account without a password. They set one under “Forgot password”.',
        { n: people },
      ),
    known > 0 &&
      t(
        '{n, plural, one {# person has} other {# people have}} an account here already and {n, plural, one {keeps} other {keep}} it.',
        { n: known },
      ),
    disabled > 0 &&
      t('{n, plural, one {# disabled account stays} other {# disabled accounts stay}} disabled.', {
        n: disabled,
      }),
    report.erased_numbers > 0 &&
      t(
        '{n, plural, one {# number belongs to a person who was} other {# numbers belong to people who were}} erased here since. What the archive has of them is left out.',
        { n: report.erased_numbers },
      ),
    report.erased_accounts > 0 &&
      t(
        '{n, plural, one {# account was} other {# accounts were}} erased here since and {n, plural, one {stays} other {stay}} erased.',
        { n: report.erased_accounts },
      ),
    campaigns > 0 &&
      t('{n, plural, one {# campaign} other {# campaigns}} will be sent from here.', {
        n: campaigns,
      }),
    scheduled > 0 &&
      t('{n, plural, one {# scheduled text} other {# scheduled texts}} will be sent from here.', {
        n: scheduled,
      }),
    overdue > 0 &&
      t(
        '{n, plural, one {# text was} other {# texts were}} scheduled for a time that is over. They are not sent.',
        { n: overdue },
      ),
    missing > 0 &&
      t(
        '{n, plural, one {# file was} other {# files were}} missing where the archive was written.',
        {
          n: missing,
        },
      ),
    t('Carriers’ credentials, connected accounts and API keys are set up again after the import.'),
  ].filter((note) => note !== false);
}
