import { Select } from '@mantine/core';
import { groups as groupsContract } from '#contract';
import { formatNumber, Section, t, useApiQuery } from '#ui';
import type { useOurNumbers } from '../../conversations/index.ts';
import type { CampaignEditorState } from './use-campaign-editor.ts';
import css from './CampaignForm.module.css';

/** The recipients and the sending number. `numbers`: those that can text. */
export function RecipientsSection({
  form,
  started,
  numbers,
}: {
  form: CampaignEditorState['form'];
  started: boolean;
  numbers: ReturnType<typeof useOurNumbers>;
}) {
  const { response } = useApiQuery(
    groupsContract.listGroups,
    { query: { perPage: 250 } },
    { staleTime: 30_000 },
  );
  const groups = response?.data ?? [];
  const group = groups.find((g) => String(g.id) === form.values.groups);
  return (
    <Section title={t('Recipients')}>
      <div className={css.fields}>
        <Select
          label={t('Group')}
          placeholder={t('Choose a group')}
          searchable
          disabled={started}
          nothingFoundMessage={t('No groups found')}
          data={groups
            .filter((g) => g.system !== 'unsubscribed' && g.system !== 'invalid')
            .map((g) => ({ value: String(g.id), label: g.name }))}
          {...form.getInputProps('groups')}
          description={
            group
              ? t('{active} of {all} can receive texts', {
                  active: formatNumber(group.activeCount),
                  all: formatNumber(group.contactCount),
                })
              : t('Sent to members at start time. Later members aren’t included.')
          }
        />
        <Select
          label={t('From')}
          placeholder={t('Choose a number')}
          searchable
          nothingFoundMessage={t('No matching numbers that can text')}
          data={numbers.map((n) => ({
            value: String(n.id),
            label: n.label === n.formatted ? n.formatted : `${n.label} · ${n.formatted}`,
          }))}
          {...form.getInputProps('number_id')}
        />
      </div>
    </Section>
  );
}
